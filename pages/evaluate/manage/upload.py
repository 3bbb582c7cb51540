"""A new campaign from a file: what it would bring is shown before anything is stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.errors import InputError, ScaleUnknown, YomikurabeError
from core.raters.own_scales import parse_scales
from core.text.archive import is_zip, unpacked
from db.campaigns.load import Preview, load_bundle, preview
from db.design import from_json
from db.formats import FORMATS, apart, get_format, holds_texts
from db.formats.bundle import Bundle, ReadOptions
from db.formats.declared import columns_of, declared
from db.formats.detect import detect
from db.formats.repeats import REPEATS, holds_second_ratings
from db.names import LABEL_LIMIT
from db.permissions import Viewer
from pages.auth import session
from pages.evaluate.manage.drawing import drawn
from pages.ui import state
from pages.ui.text import (
    NONE,
    error_kept,
    errors_shown,
    in_words,
    language,
    line,
    number,
    show_error,
    show_kept_error,
    t,
    table,
)
from pages.ui.widgets import figures

_READ, _MADE, _SLOT = "upload-read", "uploads-made", "upload"
ROWS = 3


def new_campaign(viewer: Viewer) -> None:
    """The whole way: file, format, languages, preview, name, and the button that stores it as a draft."""
    viewer.must_manage()
    main = st.file_uploader(t("manage.file"), key=f"upload-main{_round()}", help=t("manage.file_help"))
    if main is None:
        line(t("manage.file_none"), tone="quiet")
        return
    chosen = _format(main)
    more = _companions(chosen)
    langs = _languages()
    try:
        scale, repeats = (st.session_state.get(key) for key in (_scale_key(main), _repeats_key(main)))
        bundle = _bundle(main, chosen, more, langs, scale, repeats)
    except ScaleUnknown as error:
        _ask_for_scale(main, error)
        return
    except YomikurabeError as error:
        show_error(error)
        return
    bundle = _declared(bundle, main)
    if chosen != "history":
        bundle = drawn(bundle, main)
    _show(preview(bundle, ROWS))
    if chosen != "history" and (repeats or holds_second_ratings(bundle.ratings)):
        _ask_for_repeats(main)
    name = st.text_input(t("manage.name"), bundle.name, key="upload-name", max_chars=LABEL_LIMIT)
    st.button(t("manage.make"), key="upload-make", type="primary", on_click=_make, args=(bundle, name))
    show_kept_error(_SLOT)


def _declared(bundle: Bundle, main: UploadedFile) -> Bundle:
    """The campaign with the scales that its answers are on, from a further file if it declares none."""
    if not columns_of(bundle.ratings) or from_json(bundle.meta.design).scales:
        return bundle
    file = st.file_uploader(
        t("manage.scales_file"), ["json"], key=f"upload-scales-{main.file_id}", help=t("manage.scales_help")
    )
    if file is not None:
        with errors_shown():
            return declared(bundle, parse_scales(decoded(file.getvalue())))
    return declared(bundle, ())


def decoded(data: bytes) -> str:
    """The text of an uploaded file. Raises InputError."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("The file is not UTF-8; save it as UTF-8.") from error


def box() -> DeltaGenerator:
    """Where the form stands: closed at first, and again after a campaign was made."""
    return st.expander(t("manage.new"), icon=":material/upload_file:", key=f"upload-box{_round()}")


def _round() -> str:
    """The end of a key that is another one after each campaign that was made: the fields are empty again."""
    made: int = st.session_state.get(_MADE, 0)
    return f"-{made}" if made else ""


def read_likely(main: UploadedFile, folder: str, langs: tuple[str, str]) -> Bundle:
    """The campaign in a file of the likeliest format. Raises the reader's errors."""
    return apart.read(
        _likely(main)[0],
        write_upload(main, Path(folder)),
        ReadOptions(source_lang=langs[0], target_lang=langs[1]),
    )


def _likely(main: UploadedFile) -> list[str]:
    """The formats that the beginning of the file fits, else those whose files are named so; never none."""
    with _stored(main) as path:
        return [name for name in detect(path) if name in FORMATS] or _by_name(main.name) or list(FORMATS)


def _format(main: UploadedFile) -> str:
    likely = _likely(main)
    whole = [name for name in FORMATS if holds_texts(name)]
    names = [*(name for name in likely if name in whole), *(name for name in whole if name not in likely)]
    chosen = st.selectbox(
        t("manage.format"),
        names,
        key=f"upload-format-{main.file_id}",
        format_func=lambda name: f"{name}: {t(f'format.{name}')}",
        help=t("manage.format_help"),
    )
    return chosen or names[0]


def _by_name(file: str) -> list[str]:
    """The formats whose files are named so; the longest ending first."""
    named = {name: one.suffix for name, one in FORMATS.items() if one.suffix}
    ends = {name: suffix for name, suffix in named.items() if file.lower().endswith(suffix)}
    return sorted(ends, key=lambda name: len(ends[name]), reverse=True)


def _companions(name: str) -> dict[str, Any]:
    """Further files, where the format takes them."""
    wanted = get_format(name).companions
    found: dict[str, Any] = {}
    if "hypotheses" in wanted:
        found["hypotheses"] = st.file_uploader(
            t("manage.systems_files"), key="upload-systems", accept_multiple_files=True
        )
    for key in ("source_file", "ratings_file"):
        if key in wanted:
            found[key] = st.file_uploader(t(f"manage.{key}"), key=f"upload-{key}")
    return found


def _languages() -> tuple[str | None, str | None]:
    with st.container(horizontal=True, gap="medium"):
        source = st.text_input(t("manage.source_lang"), key="upload-source-lang", max_chars=8, width=220)
        target = st.text_input(t("manage.target_lang"), key="upload-target-lang", max_chars=8, width=220)
    return source.strip() or None, target.strip() or None


def _scale_key(main: UploadedFile) -> str:
    return f"upload-scale-{main.file_id}"


def _ask_for_scale(main: UploadedFile, error: ScaleUnknown) -> None:
    """The scale of the scores is asked, never guessed: .8 may be nearly perfect or nearly worthless."""
    show_error(error)
    st.selectbox(
        t("manage.scale"),
        list(error.scales),
        index=None,
        key=_scale_key(main),
        placeholder=t("manage.scale_choose"),
        filter_mode=None,
    )


def _repeats_key(main: UploadedFile) -> str:
    return f"upload-repeats-{main.file_id}"


def _ask_for_repeats(main: UploadedFile) -> None:
    """What the second rating of a translation by the same rater is; at first what the format says."""
    st.selectbox(
        t("manage.repeats"),
        [None, *REPEATS],
        key=_repeats_key(main),
        format_func=lambda name: t(f"manage.repeats.{name or 'format'}"),
        help=t("manage.repeats_help"),
        filter_mode=None,
    )


def _bundle(
    main: UploadedFile,
    name: str,
    more: dict[str, Any],
    langs: tuple[str | None, str | None],
    scale: str | None,
    repeats: str | None,
) -> Bundle:
    """What the files hold; read once, and again only when one of them or a choice is another."""
    files = [main, *more.get("hypotheses", []), more.get("source_file"), more.get("ratings_file")]
    identity = (name, langs, scale, repeats, [file.file_id for file in files if file is not None])
    kept = st.session_state.get(_READ)
    if kept is not None and kept[0] == identity:
        bundle: Bundle = kept[1]
        return bundle
    with st.spinner(t("manage.reading")), TemporaryDirectory() as folder:
        paths = {
            one.file_id: write_upload(one, Path(folder) / str(place))
            for place, one in enumerate(files)
            if one
        }
        options = ReadOptions(
            source_lang=langs[0],
            target_lang=langs[1],
            scale=scale,
            repeats=repeats,
            hypotheses=tuple((Path(one.name).stem, paths[one.file_id]) for one in more.get("hypotheses", [])),
            source_file=_path(paths, more.get("source_file")),
            ratings_file=_path(paths, more.get("ratings_file")),
        )
        bundle = apart.read(name, paths[main.file_id], options)
    st.session_state[_READ] = (identity, bundle)
    return bundle


@contextmanager
def _stored(upload: UploadedFile) -> Iterator[Path]:
    """The upload as a file, or as the folder that it holds; for a look at its beginning."""
    with TemporaryDirectory() as folder:
        path = write_upload(upload, Path(folder))
        try:
            if is_zip(path):
                with unpacked(path) as inside:
                    yield inside
                    return
        except YomikurabeError:
            pass  # the reader will say what is wrong with it
        yield path


def _path(paths: Mapping[str, Path], upload: UploadedFile | None) -> Path | None:
    return None if upload is None else paths[upload.file_id]


def write_upload(upload: UploadedFile, folder: Path) -> Path:
    """Only the last part of the name that the browser tells is used, and only in messages."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / (Path(upload.name).name[-80:] or "file")
    path.write_bytes(upload.getbuffer())
    return path


def _show(found: Preview) -> None:
    counts = (
        "documents",
        "segments",
        "systems",
        "translations",
        "empty_outputs",
        "ratings",
        "raters",
        "checks",
    )
    values = [(t(f"manage.count.{name}"), f"{getattr(found, name):,}", None) for name in counts]
    if found.source_characters is not None:
        values.append((t("manage.count.characters"), number(found.source_characters, 0), None))
    figures(values)
    line(
        t("manage.languages", source=language(found.languages[0]), target=language(found.languages[1])),
        tone="quiet",
    )
    head = [t("manage.column.place"), t("pair.source"), t("pair.reference"), t("pair.translation")]
    rows = [
        (
            f"{row.document} {row.position + 1}",
            row.source or NONE,
            row.reference,
            " / ".join(f"{name}: {text}" for name, text in row.texts),
        )
        for row in found.rows
    ]
    table(head, rows)
    for note in found.notes:
        line(in_words(note), tone="quiet")


def _make(bundle: Bundle, name: str) -> None:
    with error_kept(_SLOT):
        session.manager()
        if _READ not in st.session_state:  # a second press: the campaign was made by the first
            return
        report = load_bundle(state.engine(), bundle, name.strip(), state="draft")
        state.set_campaign_id(report.campaign_id)
        st.session_state["campaign-manage"] = report.campaign_id
        del st.session_state[_READ]
        st.session_state[_MADE] = st.session_state.get(_MADE, 0) + 1
        st.toast(t("manage.made"))
