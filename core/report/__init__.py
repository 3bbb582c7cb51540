"""The report of a campaign: one HTML file that needs nothing else, in Japanese or English.

`content` is what goes in, `findings` the statistics, `blocks` what the page is made of; the modules beside
them write its sections, and `page` lays them out.
"""

from core.report.content import Facts, Passage, PassagePlace, Remark, Report, SealFacts, SegmentTexts
from core.report.figures import as_csv, as_json
from core.report.page import document, sheet

__all__ = [
    "Facts",
    "Passage",
    "PassagePlace",
    "Remark",
    "Report",
    "SealFacts",
    "SegmentTexts",
    "as_csv",
    "as_json",
    "document",
    "sheet",
]
