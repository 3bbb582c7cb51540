"""The error tree. Every message is one sentence: what is wrong, where, and what to do.

    YomikurabeError
    ├── InputError          the user's input is at fault (exit status 2)
    │   ├── FileError       a file: names the path and, where there is one, the line
    │   │   └── ScaleUnknown    its scores could be on several scales; the user has to give it
    │   ├── OptionError     an option of a metric or a command
    │   ├── RatingError     a rating that cannot be stored
    │   │   └── JudgedElsewhere     it was judged in another window in the meantime
    │   └── CalibrationError    a calibrated score that cannot be fitted or given; `reason` says why in a word
    ├── AccessError         something that this visitor may not see or do
    └── UnavailableError    something this machine lacks: a package, a model, a newer database

An error takes a template with named fields, and their values. The template is the code of the cause: other
languages have a sentence for it (`core.text.sentences`). A text that was put together already, or that a
person wrote, goes in as a value: only the template is formatted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path


class Wording(str):
    """A sentence in the program's own words, or a part of one: a template and its values.

    It is the English text; `core.text.sentences` has it in other languages. Notes of an import and reasons
    for a missing score are of this type.
    """

    def __new__(cls, template: str, /, **details: object) -> Wording:
        """Fill the template in English."""
        made = super().__new__(cls, filled(template, details))
        made.template, made.details = template, details
        return made

    template: str
    details: Mapping[str, object]

    def __reduce__(self) -> tuple[Callable[[], Wording], tuple[()]]:
        """What a copy is made of: a score may come from another process."""
        return partial(Wording, self.template, **self.details), ()


class Listed(str):
    """Names with a word between them: `raw or z`. Other languages set another word there."""

    def __new__(cls, names: Iterable[str], word: str = "or") -> Listed:
        """Join the names."""
        names = tuple(names)
        made = super().__new__(cls, f" {word} ".join(names))
        made.names, made.word = names, word
        return made

    names: tuple[str, ...]
    word: str

    def __getnewargs__(self) -> tuple[tuple[str, ...], str]:  # type: ignore[override]
        """What a copy is made of: an error may come from another process."""
        return self.names, self.word


def filled(template: str, details: Mapping[str, object]) -> str:
    """A template with its values; one without values is a sentence already, whatever it holds."""
    return template.format(**details) if details else template


_UNSHOWN = re.compile("[\0-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def one_line(sentence: str) -> str:
    """A sentence that quotes a file, with what would break the line or turn it around as U+FFFD."""
    return _UNSHOWN.sub("\ufffd", sentence)


def os_reason(error: OSError) -> str:
    """What the operating system says, such as “Permission denied”."""
    return error.strerror or str(error)


class YomikurabeError(Exception):
    """The root: catching this catches all of ours and nothing else.

    `message` is the English sentence, `template` and `details` what it is made of; `code` names the kind.
    """

    code = "error"

    def __init__(self, template: str, /, **details: object) -> None:
        super().__init__(filled(template, details))
        self.message: str = self.args[0]
        self.template = template
        self.details = details


class InputError(YomikurabeError):
    """The user's input is at fault; the message says what, where and the remedy."""

    code = "input"


class FileError(InputError):
    """A file cannot be used as it is. The message is `path, line 3: within: problem`.

    path: a Wording for a part of a file that has a name, such as a sheet. problem: the template.
    within: the place in the file or in the line. part: the template begins a sentence elsewhere.
    """

    code = "file"

    def __init__(
        self,
        path: str | Path | Wording,
        problem: str,
        /,
        *,
        line: int | None = None,
        within: Wording | None = None,
        part: bool = False,
        **details: object,
    ) -> None:
        super().__init__(problem, **details)
        self.path = path if isinstance(path, Wording) else Path(path)
        self.line, self.within, self.part = line, within, part
        said = self.message[:1].lower() + self.message[1:] if part else self.message
        places = [f"{path}" if line is None else f"{path}, line {line}", *([within] if within else [])]
        self.message = ": ".join(map(str, [*places, said]))
        self.args = (self.message,)


class ScaleUnknown(FileError):
    """A file whose scores would fit several scales; `scales` are those that they fit."""

    code = "scale"

    def __init__(
        self, path: str | Path | Wording, problem: str, /, *, scales: Listed, **details: float
    ) -> None:
        super().__init__(path, problem, line=None, within=None, part=False, scales=scales, **details)
        self.scales = scales.names


class OptionError(InputError):
    """A metric or command was asked for something it does not know."""

    code = "option"


class RatingError(InputError):
    """A rating outside 0–100, for another rater's item, or otherwise not storable."""

    code = "rating"


class JudgedElsewhere(RatingError):
    """The item has a later revision than the rater has seen, by another window; nothing was stored.

    revision: the number of that later one.
    """

    revision = 0


class CalibrationError(InputError):
    """Too little to learn from, or scores that a model was not made for.

    reason: `few`, `documents`, `spread`, `equal`, `unscored`, `signatures`, `lacks`, `differs` or `lengths`.
    """

    def __init__(self, template: str, reason: str = "", /, **details: object) -> None:
        super().__init__(template, **details)
        self.reason = reason


class AccessError(YomikurabeError):
    """Something that this visitor may not see or do; the message says how one may, and tells nothing else."""

    code = "access"


class UnavailableError(YomikurabeError):
    """Something that this machine lacks; the message says what and how to get it."""

    code = "unavailable"

    def __init__(self, template: str, /, *, code: str | None = None, **details: object) -> None:
        super().__init__(template, **details)
        if code is not None:
            self.code = code
