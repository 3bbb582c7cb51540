"""A part of a new campaign's file: segments of each document far apart, and repaired outputs mixed in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from db.campaigns.sampling import Draw, sampled, with_repaired
from db.formats.bundle import Bundle
from pages.ui.text import line, t

FARTHEST = 1_000
LARGEST_SEED = 2**31 - 1


def drawn(bundle: Bundle, file: UploadedFile) -> Bundle:
    """The campaign with what the reader wants of its segments; at first all of it.

    file: the fields are other ones for another file. Raises OptionError for a name that a system has, and
    FileError for what is wrong with the repaired outputs.
    """
    key = f"draw-{file.file_id}"
    sizes = Counter(row.document for row in bundle.segments)
    if not sizes:
        return bundle
    with st.expander(t("drawing.title"), icon=":material/casino:", key=key):
        line(t("drawing.what"), tone="quiet")
        draw = _draw(sizes, key)
        files = st.file_uploader(
            t("drawing.repaired"),
            ["tsv", "txt"],
            accept_multiple_files=True,
            key=f"{key}-repaired",
            help=t("drawing.repaired_help"),
        )
        found = _mixed(bundle, files)
        if draw is None:
            return found
        found = sampled(found, draw)
        kept = Counter(row.document for row in found.segments)
        line(t("drawing.drawn", n=len(found.segments), documents=len(kept)))
        fewer = sum(size < draw.count for size in kept.values())
        if fewer:
            line(t("drawing.fewer", n=fewer, count=draw.count))
    return found


def _draw(sizes: Counter[str], key: str) -> Draw | None:
    """How many of each document, how far apart, of how many documents; None for everything."""
    with st.container(horizontal=True, gap="medium"):
        count = st.number_input(
            t("drawing.count"), 0, max(sizes.values()), 0, key=f"{key}-count", help=t("drawing.count_help")
        )
        still = not count
        apart = st.number_input(
            t("drawing.apart"),
            0,
            FARTHEST,
            0,
            key=f"{key}-apart",
            help=t("drawing.apart_help"),
            disabled=still,
        )
        documents = st.number_input(
            t("drawing.documents"),
            0,
            len(sizes),
            0,
            key=f"{key}-documents",
            help=t("drawing.documents_help"),
            disabled=still,
        )
        seed = st.number_input(
            t("drawing.seed"),
            0,
            LARGEST_SEED,
            0,
            key=f"{key}-seed",
            help=t("drawing.seed_help"),
            disabled=still,
        )
    if still:
        return None
    return Draw(count=int(count), apart=int(apart), documents=int(documents) or None, seed=int(seed))


def _mixed(bundle: Bundle, files: Sequence[UploadedFile]) -> Bundle:
    """The campaign with each file of repaired outputs as one more system, which is called as the file."""
    with TemporaryDirectory() as folder:
        paths = {}
        for place, file in enumerate(files):
            name = Path(file.name).name[-80:]
            path = Path(folder) / str(place) / (name or "file")
            path.parent.mkdir()
            path.write_bytes(file.getbuffer())
            paths[Path(name).stem] = path
        return with_repaired(bundle, paths)
