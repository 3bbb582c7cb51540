"""Speed of what runs through a whole novel, on a campaign of 5,000 segments and 4 systems made from Holmes.

    python -m benchmarks.novel FOLDER [--segments 5000] [--systems 4]

FOLDER has Holmes stories as JSON (`en`, `ja` and perhaps `ja2`: lists of paragraphs). The reference is the
Japanese of all stories, sentence by sentence and again from the beginning, each round with a number of its
own before every sentence, so that no text is read twice; a system changes the names that others keep. The
texts are parsed first, and the time of that is said apart. One JSON line.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from core.backends.registry import load_backends
from core.text.sentences import split_sentences
from db.campaigns.load import load_bundle
from db.campaigns.novel import analyse, novel_texts, stored
from db.engine import make_engine, upgrade
from db.formats.bundle import Bundle, OutputRow, SegmentRow, SystemRow
from db.permissions import OPERATOR
