"""What axe-core finds on a page, without the parts that Streamlit makes alone."""

from axe_playwright_python.sync_playwright import Axe

OF_STREAMLIT = [["[data-testid=stSidebar]"], ["#stFloatingOverlayPortal"]]  # its pages on a small screen


def violations(page):
    """The rule, the element and what is wrong with it, for each violation."""
    given = {"context": {"exclude": OF_STREAMLIT}, "options": {"resultTypes": ["violations"]}}
    return [
        (one["id"], node["html"][:160], _reason(node))
        for one in Axe().run(page, **given).response["violations"]
        for node in one["nodes"]
    ]


def _reason(node):
    checks = [*node["any"], *node["all"], *node["none"]]
    return checks[0]["message"][:160] if checks else ""
