"""A reader of a study in a browser: an app with an organiser, the way in, and what both screens share."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import count

from core.raters.reading.choices import ReadingChoices
from db.campaigns.load import load_bundle
from db.campaigns.study import set_up
from db.engine import make_engine, migrate
from db.formats.bundle import Bundle, OutputRow, SegmentRow, SystemRow
from db.permissions import OPERATOR, Viewer
from db.queries import first_link, new_link, open_link
from db.queries.people import people_of
from db.queries.reading import highlights_of, readings_of, text_of
from tests.browser.conftest import free_port, running

ENGLISH = [
    f"Paragraph {n}. The ferry left the quay at one, and nobody had told the captain why." for n in range(40)
]
JAPANESE = [
    f"「{n}番です」と船頭《せんどう》は言った。渡し船は一時に岸を離れ、誰もその訳を知らなかった。"
    for n in range(40)
]
NUMBERS = count(1)
SECRET = ("kept-by-hand", "made-by-machine")


def study(engine, name, lang, texts, **choices):
    """A reading study of two versions, which differ in their last word; its campaign's number."""
    segments = tuple(SegmentRow("chapter", n, text) for n, text in enumerate(texts))
    outputs = tuple(
        OutputRow(row.key, system, f"{row.reference}{' ' if lang == 'en' else ''}{'甲乙'[place]}")
        for row in segments
        for place, system in enumerate(SECRET)
    )
    bundle = Bundle(
        name=name,
        langs=("fr", lang),
        systems=tuple(map(SystemRow, SECRET)),
        segments=segments,
        outputs=outputs,
    )
    number = load_bundle(engine, bundle, f"{name} {next(NUMBERS)}").campaign_id  # a test may run twice
    set_up(
        engine, OPERATOR, number, ReadingChoices(human=SECRET[0], **choices), readers=2, vertical=lang == "ja"
    )
    return number


@contextmanager
def organised(folder, fill):
    """The address of an app whose organiser's link was opened, and its database. fill: adds studies."""
    database = f"sqlite:///{folder / 'studies.sqlite'}"
    engine = make_engine(database)
    migrate(engine)
    fill(engine)
    open_link(engine, first_link(engine))
    with running("app.py", folder, YOMIKURABE_DB=database) as address:
        yield address, engine


@contextmanager
def left_by_its_server(folder, page, make, begin):
    """A study that is open in a browser while its server is dead.

    Gives the database, the study, the reader's id, and what starts the server again at the same address.
    make: adds the study. begin: leads from the address and a token to its first text.
    """
    database = f"sqlite:///{folder / 'dead.sqlite'}"
    engine = make_engine(database)
    migrate(engine)
    number = make(engine)
    open_link(engine, first_link(engine))
    token, person = reader(engine, number, "Ken")
    port = free_port()
    with running("app.py", folder, port=port, YOMIKURABE_DB=database) as address:
        begin(page, address, token)
    yield engine, number, person, lambda: running("app.py", folder, port=port, YOMIKURABE_DB=database)


def reader(engine, number, name):
    """A new reader of a study: the token of their link, and their id."""
    token = new_link(engine, OPERATOR, role="rater", campaign_id=number, name=name)
    (person,) = [one for one in people_of(engine, OPERATOR, number) if one.name == name]
    return token, person.rater_id


def enter(page, address, token, *, button, text):
    """By the link, past the profile and the guideline. button: its key; text: what is on the screen then."""
    page.goto(f"{address}/?k={token}")
    page.locator(".st-key-profile-consent label, [data-testid=stCheckbox] label").first.click()
    page.locator(".st-key-profile-save button").click()
    page.locator(f".st-key-{button} button").click()
    page.locator(text).first.wait_for()
    saved(page)


def saved(page):
    """Until nothing that was told is unanswered."""
    page.wait_for_function(
        "Object.keys(localStorage).every((key) => !/^yomikurabe:reading:/.test(key))", timeout=20_000
    )


def choose(page, group, option):
    """A choice, by its words."""
    page.get_by_role("radiogroup", name=group).get_by_text(option, exact=True).click()


def begin(page, address, token):
    """By the link, past the profile and the guideline, to the first page."""
    enter(page, address, token, button="begin", text=".book .flow p")


def marks(engine, number, person):
    """What holds of this reader's highlights, by version: kind, text, reason."""
    found = []
    for one in readings_of(engine, Viewer(rater_id=person), number, person):
        texts = {row.segment_id: row.text for row in text_of(engine, Viewer(rater_id=person), one.id, person)}
        rows = highlights_of(engine, Viewer(rater_id=person), one.id, person)
        found.append([(row.kind, texts[row.segment_id][row.start : row.end], row.reason) for row in rows])
    return found
