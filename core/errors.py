"""The error tree. Every message is one sentence: what is wrong, where, and what to do.

    YomikurabeError
    ├── InputError          the user's input is at fault (exit status 2)
    │   ├── FileError       a file: names the path and, where there is one, the line
    │   │   └── ScaleUnknown    its scores could be on several scales; the user has to give it
    │   ├── OptionError     an option of a metric or a command
    │   ├── RatingError     a rating that cannot be stored
    │   └── CalibrationError    a calibrated score that cannot be fitted or given; `reason` says why in a word
    ├── AccessError         something that this visitor may not see or do
    └── UnavailableError    something this machine lacks: a package, a model, a newer database

`code` names the kind of error for translation; `details` hold the values that its sentence is filled with.
"""

from __future__ import annotations

from pathlib import Path


class YomikurabeError(Exception):
    """The root: catching this catches all of ours and nothing else."""

    code = "error"

    def __init__(self, message: str, **details: object) -> None:
        super().__init__(message)
        self.message = message
        self.details = details


class InputError(YomikurabeError):
    """The user's input is at fault; the message says what, where and the remedy."""

    code = "input"


class FileError(InputError):
    """A file cannot be used as it is."""

    code = "file"

    def __init__(self, path: str | Path, problem: str, *, line: int | None = None) -> None:
        where = f"{path}" if line is None else f"{path}, line {line}"
        super().__init__(f"{where}: {problem}", path=str(path), line=line, problem=problem)


class ScaleUnknown(FileError):
    """A file whose scores would fit several scales; `details["scales"]` are those that they fit."""

    code = "scale"

    def __init__(self, path: str | Path, problem: str, scales: tuple[str, ...] = ()) -> None:
        super().__init__(path, problem)
        self.details["scales"] = scales


class OptionError(InputError):
    """A metric or command was asked for something it does not know."""

    code = "option"


class RatingError(InputError):
    """A rating outside 0–100, for another rater's item, or otherwise not storable."""

    code = "rating"


class CalibrationError(InputError):
    """Too little to learn from, or scores that a model was not made for.

    reason: `few`, `documents`, `spread`, `equal`, `unscored`, `signatures`, `lacks`, `differs` or `lengths`.
    """

    def __init__(self, message: str, reason: str = "", **details: object) -> None:
        super().__init__(message, **details)
        self.reason = reason


class AccessError(YomikurabeError):
    """Something that this visitor may not see or do; the message says how one may, and tells nothing else."""

    code = "access"


class UnavailableError(YomikurabeError):
    """Something that this machine lacks; the message says what and how to get it."""

    code = "unavailable"

    def __init__(self, message: str, *, code: str | None = None, **details: object) -> None:
        super().__init__(message, **details)
        if code is not None:
            self.code = code
