"""A changed mind, and what was begun: undo, and a comment that waits on the server."""

from db.queries import enter_rater, history, items_of, list_campaigns


def items(engine, name):
    holmes = next(one.id for one in list_campaigns(engine) if one.name.startswith("Holmes"))
    return items_of(engine, holmes, enter_rater(engine, name).id)


def score_field(at):
    (field,) = at.number_input
    return field


def test_undo_brings_back_what_was_stored_before_as_a_further_revision(start, enter, engine):
    at = enter(start(), "Undo")
    for score in (30, 60):
        score_field(at).set_value(score).run()
    first = items(engine, "Undo")[0]
    at.button(key=f"undo-{first.id}").click().run()
    assert not at.exception
    assert score_field(at).value == 30
    rater = enter_rater(engine, "Undo").id
    assert [event.score for event in history(engine, first.id, rater)] == [30, 60, 30]


def test_a_comment_before_the_score_is_there_again_on_another_device(start, enter, engine):
    at = enter(start(), "Draft")
    first = items(engine, "Draft")[0]
    at.text_input(key=f"comment-{first.id}").set_value("who speaks here?").run()
    assert not at.exception
    assert items(engine, "Draft")[0].revision == 0
    again = enter(start(), "Draft")
    assert again.text_input(key=f"comment-{first.id}").value == "who speaks here?"
    score_field(again).set_value(40).run()
    (event,) = history(engine, first.id, enter_rater(engine, "Draft").id)
    assert (event.score, event.comment) == (40, "who speaks here?")
