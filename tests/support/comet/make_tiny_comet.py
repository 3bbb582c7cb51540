"""Make a COMET checkpoint with random weights: python make_tiny_comet.py FOLDER (in COMET's environment)."""

import sys
from pathlib import Path

import torch
import yaml
from comet.models import RegressionMetric
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import XLMRobertaConfig, XLMRobertaTokenizerFast

folder = Path(sys.argv[1])
encoder = folder / "encoder"
checkpoint = folder / "model" / "checkpoints" / "model.ckpt"
checkpoint.parent.mkdir(parents=True)
torch.manual_seed(7)

letters = [(char, -4.0) for char in "▁abcdefghijklmnopqrstuvwxyz.猫犬が見た。"]
pieces = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), *letters, ("<mask>", 0.0)]
tokenizer = Tokenizer(models.Unigram(pieces, unk_id=3))
tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
tokenizer.post_processor = processors.TemplateProcessing(
    single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
)
XLMRobertaTokenizerFast(tokenizer_object=tokenizer).save_pretrained(encoder)
XLMRobertaConfig(
    vocab_size=len(pieces),
    hidden_size=32,
    num_hidden_layers=2,
    num_attention_heads=2,
    intermediate_size=64,
    max_position_embeddings=514,
).save_pretrained(encoder)

settings = {
    "class_identifier": "regression_metric",
    "pretrained_model": str(encoder),
    "hidden_sizes": [16],
    "load_pretrained_weights": False,
}
model = RegressionMetric(**{name: value for name, value in settings.items() if name != "class_identifier"})
torch.save(
    {
        "state_dict": model.state_dict(),
        "hyper_parameters": dict(model.hparams),
        "pytorch-lightning_version": "2.0.0",
    },
    checkpoint,
)
(folder / "model" / "hparams.yaml").write_text(yaml.safe_dump({**dict(model.hparams), **settings}))
