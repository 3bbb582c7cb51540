"""XLM-R's tokenizer, built from a list of pieces with the `tokenizers` library."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer

CONTROL = "[\u0001-\u0008\u000b\u000e-\u001f\u007f\u008f\u009f]"
BLANK = "[\t\n\u000c\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]"
FULL_WIDTH_TILDE, STAND_IN = "\uff5e", "\uf8fe"  # the one common character that this NFKC leaves alone

UNKNOWN = "<unk>"
SPECIALS = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
NEVER = -1000.0


def xlmr_tokenizer(pieces: list[tuple[str, float]]) -> Tokenizer:
    """Build the tokenizer of XLM-R (and multilingual-e5) from `pieces`, (piece, log probability) by id.

    Normal form (sentencepiece's nmt_nfkc): control characters go, blanks of any kind become one space,
    NFKC except for the full-width tilde. A ▁ is always put in front; `<s> … </s>` around.
    """
    from tokenizers import (
        AddedToken,
        Regex,
        Tokenizer,
        decoders,
        models,
        normalizers,
        pre_tokenizers,
        processors,
    )

    # sentencepiece never finds its control symbols in a text; a hopeless score does the same here
    vocabulary = [(piece, NEVER if piece in SPECIALS else score) for piece, score in pieces]
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=3, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Replace(Regex(CONTROL), ""),
            normalizers.Replace(Regex(BLANK), " "),
            normalizers.Replace(FULL_WIDTH_TILDE, STAND_IN),
            normalizers.NFKC(),
            normalizers.Replace(STAND_IN, FULL_WIDTH_TILDE),
            normalizers.Replace(Regex(" {2,}"), " "),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always", split=True)
    tokenizer.decoder = decoders.Metaspace(replacement="▁", prepend_scheme="always")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    tokenizer.add_special_tokens([AddedToken(token, special=True) for token in SPECIALS if token != UNKNOWN])
    tokenizer.add_tokens([AddedToken(UNKNOWN, special=False, normalized=False)])  # see loading.own_tokenizer
    return tokenizer
