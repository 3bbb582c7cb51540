"""The five papers that the metrics and the hack lab come from: authors, titles, and where to find them.

`JIANG` is a further one, from which a metric of documents is taken.

Texts cite them by `cite`. What the copies at hand do not say stands in `note`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """A paper. cite: its name in running text. authors: empty where the copy at hand names none.

    year: None where it is not known. where: the proceedings, or how to find it.
    """

    cite: str
    authors: tuple[str, ...]
    title: str
    year: int | None
    where: str
    note: str = ""

    def as_json(self) -> dict[str, object]:
        """Its fields, for `core list --json`."""
        return {
            "cite": self.cite,
            "authors": list(self.authors),
            "title": self.title,
            "year": self.year,
            "where": self.where,
            "note": self.note,
        }


NOVELS = Paper(
    cite="the novels paper",
    authors=(),
    title="",
    year=None,
    where=(
        "an English paper that applies BERTScore to the evaluation of translations of Japanese novels, with "
        "penalties for named entities based on idf, four BERT models and two corpora"
    ),
    note="The copy at hand has lost its title page: authors, title and year are not known to us.",
)
ISHIBASHI = Paper(
    cite="Ishibashi et al. 2023",
    authors=("石橋陽一", "横井祥", "須藤克仁", "中村哲"),
    title="正準角および部分空間に基づく BERTScore の拡張",
    year=2023,
    where="言語処理学会第29回年次大会 (NLP2023)",
    note="The copy at hand names neither year nor proceedings; they are given from memory.",
)
CHOUSA = Paper(
    cite="Chousa and Hirao 2025",
    authors=("Katsuki Chousa", "Tsutomu Hirao"),
    title="Automatic Evaluation of Language Generation Technology Based on Structure Alignment",
    year=2025,
    where="COLING 2025, pages 7663–7670, aclanthology.org/2025.coling-main.512",
)
EHIMETRICK = Paper(
    cite="ehiMetrick 2025",
    authors=("ehiMetrick (a team)",),
    title="ehiMetrick: NLP2025 自動評価ハック Shared Task 機械翻訳部門",
    year=2025,
    where="言語処理学会第31回年次大会 (NLP2025), shared task on hacking metrics",
    note="The copy at hand names the team and no persons.",
)
SUZUKI = Paper(
    cite="Suzuki et al. 2023",
    authors=("鈴木淳平", "菅原朔", "相澤彰子"),
    title="質問応答を用いた翻訳評価における GPT-3 の利用",
    year=2023,
    where="言語処理学会第29回年次大会 (NLP2023)",
    note="The copy at hand names neither year nor proceedings; they are given from memory.",
)
JIANG = Paper(
    cite="Jiang et al. 2022",
    authors=(
        "Yuchen Eleanor Jiang",
        "Tianyu Liu",
        "Shuming Ma",
        "Dongdong Zhang",
        "Jian Yang",
        "Haoyang Huang",
        "Rico Sennrich",
        "Ryan Cotterell",
        "Mrinmaya Sachan",
        "Ming Zhou",
    ),
    title="BlonDe: An Automatic Evaluation Metric for Document-level Machine Translation",
    year=2022,
    where="NAACL 2022, pages 1550–1565, aclanthology.org/2022.naacl-main.111",
    note="Lists and weights are those of the authors' package blonde 0.1.4.",
)
PAPERS = (NOVELS, ISHIBASHI, CHOUSA, EHIMETRICK, SUZUKI)
