"""The only place that writes a tag. People's texts go in as text and come out escaped, whatever they hold.

Every function returns a string for `st.html`. Nothing here knows whether the theme is light or dark: lines
and quiet words are mixed from the colour of the text round them, tints from a colour that is passed in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

from core.text.japanese import read_ruby

Underline = Literal["none", "solid", "dashed", "dotted", "double", "wavy"]
Tone = Literal["normal", "quiet", "title", "figure"]

STRONGEST = 0.55
"""How much of the colour the strongest tint has: text on it stays readable in both themes."""

STYLE = """<style>
.yk-novel{font-family:"Hiragino Mincho ProN","Noto Serif JP","Noto Serif CJK JP","Yu Mincho",Georgia,serif;
 font-size:17.5px;line-height:1.6;max-width:61ch;margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
.yk-novel:lang(ja),.yk-novel:lang(zh),.yk-novel:lang(ko){line-height:1.9;max-width:38em;line-break:strict}
.yk-novel:has(rt),.yk-novel:lang(ja):has(rt){line-height:2.3}
.yk-vertical{writing-mode:vertical-rl;margin-left:auto;max-width:100%;height:24em;overflow-x:auto;line-height:2}
.yk-read :has(>.st-key-rating-bar){position:sticky;bottom:0;z-index:3}
.yk-read .st-key-rating-bar{padding:.4rem 0 .6rem;background:var(--yk-paper);
 border-top:1px solid color-mix(in srgb,currentColor 14%,transparent)}
[class*="st-key-text-"]{position:relative}
.yk-place{position:absolute;pointer-events:none;border-radius:2px;
 background:color-mix(in srgb,currentColor 9%,transparent)}
.st-key-by-keys,.st-key-by-touch{margin-top:.6rem}
.yk-around{opacity:.62}
.yk-label{font-size:.8rem;letter-spacing:.06em;margin:0 0 .5rem;opacity:.72}
.yk-line{margin:0;line-height:1.6;overflow-wrap:anywhere}
.yk-quiet{font-size:.875rem;opacity:.76}
.yk-title{font-size:1.05rem;font-weight:600}
.yk-figure{font-family:"Hiragino Mincho ProN","Noto Serif JP","Noto Serif CJK JP",Georgia,serif;
 font-size:1.5rem;font-variant-numeric:tabular-nums}
.yk-terms{margin:0;max-width:34rem;line-height:1.5}
.yk-terms dt{font-weight:600}
.yk-terms dd{margin:0 0 .6rem;overflow-wrap:anywhere}
.yk-facts{display:flex;flex-wrap:wrap;gap:.5rem 1.4rem;margin:0!important;padding:0!important;
 font-variant-numeric:tabular-nums;line-height:1.4}
.yk-facts dt{font-weight:600;font-size:.8rem}
.yk-facts dd{margin:0!important}
.yk-empty{opacity:.6;font-style:italic}
.yk-tint{border-radius:2px;text-underline-offset:.3em;text-decoration-thickness:2px}
.yk-steps{display:flex;flex-wrap:wrap;gap:.35rem .3rem;margin:0 0 .6rem;line-height:1.5}
.yk-step{display:inline-grid;grid-template-rows:repeat(3,auto);justify-items:center;min-width:1.4em;
 padding:.1rem .3rem;border-radius:2px;text-underline-offset:.25em;text-decoration-thickness:2px}
.yk-step>*{white-space:pre;min-height:1.5em}
.yk-step>:last-child{font-size:.8rem;text-decoration:none;opacity:.8}
.yk-step.yk-heads{justify-items:start;opacity:.72;font-size:.8rem;align-items:center;padding-left:0}
.yk-scroll{--shade:color-mix(in srgb,currentColor 24%,transparent);max-height:28rem;overflow:auto;background:
 linear-gradient(var(--yk-paper) 40%,transparent) 0 0/100% 2.2rem no-repeat local,
 linear-gradient(transparent,var(--yk-paper) 60%) 0 100%/100% 2.2rem no-repeat local,
 linear-gradient(90deg,var(--yk-paper) 40%,transparent) 0 0/2.2rem 100% no-repeat local,
 linear-gradient(90deg,transparent,var(--yk-paper) 60%) 100% 0/2.2rem 100% no-repeat local,
 linear-gradient(var(--shade),transparent) 0 0/100% .6rem no-repeat scroll,
 linear-gradient(transparent,var(--shade)) 0 100%/100% .6rem no-repeat scroll,
 linear-gradient(90deg,var(--shade),transparent) 0 0/.6rem 100% no-repeat scroll,
 linear-gradient(90deg,transparent,var(--shade)) 100% 0/.6rem 100% no-repeat scroll}
.yk-beads{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:3px;line-height:1.5}
.yk-beads>.yk-head,.yk-beads>.yk-word{grid-column:1/-1;font-size:.8rem;opacity:.76;padding:.3rem .6rem 0}
.yk-beads>.yk-side{padding:.45rem .6rem;overflow-wrap:anywhere;
 background:color-mix(in srgb,var(--bead) calc(var(--sure)*26%),transparent)}
.yk-beads>.yk-side>p{margin:0 0 .2rem}
.yk-beads>.yk-doubtful{border:1px dotted color-mix(in srgb,currentColor 45%,transparent)}
.yk-beads>.yk-chosen{outline:2px solid currentColor;outline-offset:-2px}
.yk-table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums;line-height:1.5}
.yk-table th,.yk-table td{padding:.3rem 1.2rem .3rem 0;text-align:left;vertical-align:top;
 border-bottom:1px solid color-mix(in srgb,currentColor 16%,transparent);
 overflow-wrap:break-word;min-width:3.5em}
.yk-table th{font-weight:600;font-size:.8rem;min-width:4.5em;line-height:1.3;vertical-align:bottom}
.yk-table .yk-number{text-align:right}
.yk-table td.yk-number{white-space:nowrap}
[class*="st-key-wide-"]{overflow-x:auto}
[class*="st-key-wide-"] [data-testid="stFullScreenFrame"]{min-width:600px}
[class*="st-key-front-lesson-"]{flex-wrap:nowrap}
[class*="st-key-front-lesson-"]>:last-child{min-width:0}
[class*="st-key-front-lesson-"] [data-testid="stPageLink-NavLink"] *{white-space:normal}
@media (min-width:1000px){*:has(>.st-key-frame-language):has(+ * h2){margin-bottom:-3rem}}
.st-key-frame-language{position:relative;z-index:2;pointer-events:none}
.st-key-frame-language>*{pointer-events:auto}
.st-key-visit-links{position:absolute;right:0}
.st-key-door-rate h3,.st-key-door-look h3,.st-key-door-learn h3{padding-top:0}
@media (pointer:coarse){.st-key-by-keys,.st-key-keys{display:none}}
@media not (pointer:coarse){.st-key-by-touch{display:none}}
[data-testid="InputInstructions"]{display:none}
[data-testid="stRadioOption"]>div>div:first-child{
 box-shadow:0 0 0 1px color-mix(in srgb,currentColor 55%,transparent)}
[data-testid="stButtonGroup"]>div{flex-wrap:wrap;row-gap:.3rem;mask-image:none!important}
.st-key-lesson-ab-guesses [data-testid="stButtonGroup"]{display:grid;grid-template-columns:14em auto;
 align-items:center}
.stApp button[kind^="primary"]:enabled p,.stApp button[kind^="primary"]:enabled span,
.stApp [data-tag] span{color:light-dark(#fff,#1B1A17)}
</style>"""
"""The classes used below; the frame writes it once per page.

A switch with many choices goes on in a second line; Streamlit's own scrolls sideways, which hides the rest.
The rule on instructions hides Streamlit's “Press Enter to apply”, which speaks English only. Should a name of
Streamlit's change, its own look comes back and nothing else happens.
"""


PROJECTED = """<style>
html{font-size:21px}
[data-testid="stHeader"],.st-key-frame-language{display:none!important}
*:has(>.st-key-frame-language){margin:0!important;display:none!important}
[data-testid="stMainBlockContainer"]{padding:.6rem 1.6rem 1rem!important}
.stApp h2{display:none}
.stApp textarea,.stApp button p,.stApp label p{font-size:1rem!important}
.stApp textarea{line-height:1.5;
 font-family:"Hiragino Mincho ProN","Noto Serif JP","Noto Serif CJK JP",Georgia,serif}
.yk-novel{font-size:1.1rem;line-height:1.5}
.yk-novel:lang(ja){line-height:1.6}
.yk-table{font-size:1rem}
.yk-table th{font-size:.85rem}
.yk-table th,.yk-table td{padding:.12rem 1rem .12rem 0}
.yk-quiet{font-size:.85rem}
.yk-label{margin:0 0 .1rem}
.stApp [data-testid="stVerticalBlock"]{gap:.4rem}
.stApp [data-testid="stLayoutWrapper"]>[data-testid="stVerticalBlock"]{padding-top:.35rem;
 padding-bottom:.35rem}
.yk-scroll{max-height:none}
.st-key-glossary,.st-key-address-copy{display:none}
</style>"""
"""A page before a class: about one and a half times the usual size, without the menu."""


def paper(colour: str) -> str:
    """What the page behind is coloured: a box that scrolls has a shadow on it where there is more."""
    _check_colour(colour)
    return f"<style>:root{{--yk-paper:{colour}}}</style>"


def uploader(choose: str, limit: str) -> str:
    """The words of Streamlit's field for files, which has them in English only and no option for them.

    Should its names change, the English words come back and nothing else happens. The button keeps its own
    word at size 0, for a button without one has no name for a screen reader.
    """
    field, own = (
        '[data-testid="stFileUploaderDropzone"]',
        '[data-testid="stFileUploaderDropzoneInstructions"]',
    )
    button = f'{field} button [data-testid="stMarkdownContainer"]'
    return (
        f"<style>{button} p{{font-size:0}}{own} span{{display:none}}"
        f"{button}::after{{content:{_css(choose)}}}{own}::after{{content:{_css(limit)};font-size:.875rem}}</style>"
    )


def _css(words: str) -> str:
    """The program's own words as a string of CSS."""
    return (
        '"' + "".join(char if char.isalnum() or char == " " else f"\\{ord(char):x} " for char in words) + '"'
    )


_LANG = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tint:
    """A half-open range of code points, how strongly it is coloured (0..1), and what a hover says."""

    start: int
    end: int
    strength: float
    title: str = ""
    underline: Underline = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of an edit script: a piece of each of two texts, a mark that names the step, a `#RRGGBB`."""

    own: str
    other: str
    mark: str
    colour: str
    title: str = ""
    underline: Underline = "none"


def text_block(text: str, *, lang: str, vertical: bool = False) -> str:
    """A passage set like a novel: serif, wide lines, at most 38 Japanese characters or 68 letters a line."""
    return f'<div class="{_novel(vertical)}"{_lang(lang)}>{escape(text)}</div>'


def with_ruby(text: str, *, lang: str, vertical: bool = False) -> str:
    """The same, with readings that stand in the text (《》 or HTML) above what they belong to."""
    parts = [
        f"<ruby>{escape(piece.shown)}<rt>{escape(piece.reading)}</rt></ruby>"
        if piece.reading
        else escape(piece.shown)
        for piece in read_ruby(text)
        if not piece.hidden
    ]
    return f'<div class="{_novel(vertical)}"{_lang(lang)}>{"".join(parts)}</div>'


def tinted(text: str, tints: Sequence[Tint], *, lang: str, colour: str) -> str:
    """A passage with coloured ranges. `colour` is `#RRGGBB`.

    Raises ValueError for ranges that overlap, are out of order or lie outside the text.
    """
    _check_colour(colour)
    parts, at = [], 0
    for tint in tints:
        if not at <= tint.start <= tint.end <= len(text):
            raise ValueError(f"the range {tint.start}:{tint.end} overlaps another or lies outside the text")
        parts += [escape(text[at : tint.start]), _span(text[tint.start : tint.end], tint, colour)]
        at = tint.end
    parts.append(escape(text[at:]))
    return f'<div class="yk-novel"{_lang(lang)}>{"".join(parts)}</div>'


def script(steps: Sequence[Step], *, lang: str, heads: tuple[str, str], tail: str = "") -> str:
    """Two texts one above the other, step by step, each with its mark below.

    `heads` name the two rows; `tail` is a word at the end.
    """
    named = "".join(f"<span>{escape(head)}</span>" for head in heads)
    parts = [f'<span class="yk-step yk-heads">{named}<span></span></span>']
    for step in steps:
        _check_colour(step.colour)
        style = f"background-color:color-mix(in srgb,{step.colour} 18%,transparent)"
        line = "" if step.underline == "none" else f"text-decoration:underline {step.underline} {step.colour}"
        cells = "".join(
            f'<span style="{line}">{escape(text)}</span>' if line and text else f"<span>{escape(text)}</span>"
            for text in (step.own, step.other)
        )
        title = f' title="{escape(step.title)}"' if step.title else ""
        parts.append(
            f'<span class="yk-step" style="{style}"{title}>{cells}<span>{escape(step.mark)}</span></span>'
        )
    if tail:
        parts.append(f'<span class="yk-step yk-heads"><span>{escape(tail)}</span></span>')
    return f'<div class="yk-steps"{_lang(lang)}>{"".join(parts)}</div>'


def line(text: str, *, tone: Tone = "normal") -> str:
    """One paragraph of plain words: normal, quiet (small), title, or a figure to be read from afar."""
    return f'<p class="yk-line yk-{tone}">{escape(text)}</p>'


def label(text: str) -> str:
    """The small heading over a passage."""
    return f'<p class="yk-label">{escape(text)}</p>'


def terms(listed: Sequence[tuple[str, str]]) -> str:
    """Words, each with what it means below it."""
    pairs = "".join(f"<dt>{escape(word)}</dt><dd>{escape(about)}</dd>" for word, about in listed)
    return f'<dl class="yk-terms">{pairs}</dl>'


def facts(listed: Sequence[tuple[str, str]]) -> str:
    """Short values in a row, each under its name; they go on in the next line where the page is narrow."""
    pairs = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in listed)
    return f'<dl class="yk-facts">{pairs}</dl>'


def empty(text: str) -> str:
    """What stands where a text would be, when there is none."""
    return f'<p class="yk-line yk-empty">{escape(text)}</p>'


@dataclass(frozen=True, slots=True)
class BeadRow:
    """A bead: its sentences on both sides, what is said above it, and how sure it is, 0 to 1."""

    left: Sequence[str]
    right: Sequence[str]
    about: str
    sure: float
    chosen: bool = False


def beads(rows: Sequence[BeadRow], *, langs: tuple[str, str], none: str, colour: str) -> str:
    """Two texts in columns, each bead a band of both; less sure ones are paler and dotted.

    langs: of both texts. none: what stands where a side has no sentence. colour: `#RRGGBB`.
    """
    _check_colour(colour)
    parts = []
    for row in rows:
        kinds = "yk-side" + (" yk-chosen" if row.chosen else "") + ("" if row.sure >= 0.8 else " yk-doubtful")
        parts.append(f'<div class="yk-word">{escape(row.about)}</div>')
        for sentences, lang in zip((row.left, row.right), langs, strict=True):
            said = "".join(f"<p{_lang(lang)}>{escape(one)}</p>" for one in sentences)
            empty = f'<p class="yk-empty">{escape(none)}</p>'
            style = f'style="--bead:{colour};--sure:{row.sure:.2f}"'
            parts.append(f'<div class="{kinds}" {style}>{said or empty}</div>')
    return f'<div class="yk-beads">{"".join(parts)}</div>'


def table(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: frozenset[int] = frozenset()
) -> str:
    """A table that scrolls, by keyboard too, when it is long or wide. `numbers`: which columns are set right.

    A column without a name gets an empty cell instead of a header, which a screen reader could not announce.
    Raises ValueError for a row of another length than the header.
    """
    kinds = [' class="yk-number"' if column in numbers else "" for column in range(len(header))]
    head = "".join(
        f'<th scope="col"{kind}>{escape(cell)}</th>' if cell else "<td></td>"
        for cell, kind in zip(header, kinds, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(f"<td{kind}>{escape(cell)}</td>" for cell, kind in zip(row, kinds, strict=True))
        + "</tr>"
        for row in rows
    )
    name = escape(", ".join(filter(None, header)))
    return (
        f'<div class="yk-scroll" tabindex="0" role="group" aria-label="{name}"><table class="yk-table">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _check_colour(colour: str) -> None:
    if not re.fullmatch(r"#[0-9A-Fa-f]{6}", colour):
        raise ValueError(f"{colour!r} is not a colour like #2F5D8C")


def _span(text: str, tint: Tint, colour: str) -> str:
    share = round(100 * STRONGEST * min(max(tint.strength, 0.0), 1.0))
    style = f"background-color:color-mix(in srgb,{colour} {share}%,transparent)"
    if tint.underline != "none":
        style += f";text-decoration:underline {tint.underline} {colour}"
    title = f' title="{escape(tint.title)}"' if tint.title else ""
    return f'<span class="yk-tint" style="{style}"{title}>{escape(text)}</span>'


def _novel(vertical: bool) -> str:
    return "yk-novel yk-vertical" if vertical else "yk-novel"


def _lang(lang: str) -> str:
    return f' lang="{lang}"' if _LANG.fullmatch(lang) else ""
