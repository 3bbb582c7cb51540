"""Plain text files, one segment a line: the reference, one file per system, and the source if there is one.

A blank line is a segment with an empty text; all files have the same number of lines.
"""

from __future__ import annotations

from pathlib import Path

from core.errors import FileError, OptionError, Wording
from core.text.files import check_line_count, read_text, split_lines
from db.formats.bundle import Bundle, OutputRow, ReadOptions, SegmentRow, SystemRow
from db.formats.draft import resolve_langs
from db.names import check_label


def read(path: Path, options: ReadOptions) -> Bundle:
    """Read the reference file `path` and the options' files. Raises FileError and OptionError."""
    if not options.hypotheses:
        raise OptionError("The format “lines” needs the systems' files; give --hyp NAME=FILE for each.")
    references = _segments(path, options)
    sources = None
    if options.source_file is not None:
        sources = _same_length(options.source_file, path, references, options)
    document = path.name.split(".")[0]
    segments = tuple(
        SegmentRow(document, position, reference, source=(sources[position] or None) if sources else None)
        for position, reference in enumerate(references)
    )
    texts: dict[str, list[str]] = {}
    for name, file in options.hypotheses:
        if check_label(name, Wording("system's name")) in texts:
            raise OptionError(
                "The system “{name}” is named twice in --hyp; give each its own name.", name=name
            )
        texts[name] = _same_length(file, path, references, options)
    langs, notes = resolve_langs(options.source_lang, options.target_lang, sources or (), references)
    return Bundle(
        name=document,
        langs=langs,
        systems=tuple(SystemRow(name) for name in texts),
        segments=segments,
        outputs=tuple(
            OutputRow(segment.key, name, lines[segment.position])
            for segment in segments
            for name, lines in texts.items()
        ),
        notes=notes,
    )


def _segments(path: Path, options: ReadOptions) -> list[str]:
    lines = split_lines(read_text(path, limit_bytes=options.limit_bytes))
    if not any(line.strip() for line in lines):
        raise FileError(path, "has no text; is it the right file?")
    return lines


def _same_length(path: Path, reference: Path, references: list[str], options: ReadOptions) -> list[str]:
    lines = _segments(path, options)
    check_line_count(path, len(lines), reference, len(references))
    return lines
