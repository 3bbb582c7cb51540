"""Permissions. Queries that return other people's data take a `Viewer`.

Until an organiser's link has been used the database is open: everyone at this machine may do everything.
After that a visitor is a person who came by a link or a password, or nobody.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.errors import AccessError

RATER, ORGANISER, TEACHER = "rater", "organiser", "teacher"
ROLES = (RATER, ORGANISER, TEACHER)
PARTS = ("rater", "student", "panel")
"""What a person can be in a campaign; the panel are a class's experts."""
NO_ACCESS = "You do not have access; ask the organiser for a link."


@dataclass(frozen=True, slots=True)
class Viewer:
    """A visitor. role: None for one whom nothing is known of. rater_id: the person, None in the open demo.

    open: the database is not closed yet, so everybody may do everything.
    """

    role: str | None = None
    rater_id: int | None = None
    open: bool = False

    @property
    def sees_scores(self) -> bool:
        """Whether people's scores, systems' names and agreement may be shown."""
        return self.open or self.role in (ORGANISER, TEACHER)

    @property
    def manages(self) -> bool:
        """Whether campaigns, links and accounts may be made and changed."""
        return self.open or self.role == ORGANISER

    @property
    def rates(self) -> bool:
        """Whether this visitor may have items of their own."""
        return self.open or self.rater_id is not None

    def must_see_scores(self) -> None:
        """Raise AccessError for a visitor who may not see people's scores."""
        if not self.sees_scores:
            raise AccessError(NO_ACCESS)

    def must_manage(self) -> None:
        """Raise AccessError for a visitor who may not change campaigns."""
        if not self.manages:
            raise AccessError(NO_ACCESS)

    def must_be(self, rater_id: int) -> None:
        """Raise AccessError for anybody but that person; in the open demo anybody may be anybody."""
        if not self.open and self.rater_id != rater_id:
            raise AccessError(NO_ACCESS)

    def must_be_in_the_open(self) -> None:
        """Raise AccessError once the database is closed: names alone let nobody in then."""
        if not self.open:
            raise AccessError(NO_ACCESS)


OPERATOR = Viewer(role=ORGANISER)
"""The command line: anyone with the database file."""
