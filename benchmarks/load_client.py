"""A visitor of the running app without a browser: Streamlit's own messages over a websocket.

Nothing is drawn. The widgets of the page are read from the messages, and their values are sent back as a
browser sends them.
"""

from __future__ import annotations

import asyncio
import ssl
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http.cookies import SimpleCookie
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

WAIT_SECONDS = 60
"""How long a run of the page may take."""


@asynccontextmanager
async def visit(
    address: str, token: str = "", *, trusted: ssl.SSLContext | None = None
) -> AsyncIterator[Session]:
    """Open the app, by a personal link if there is one, as a browser does: the page, then the session.

    address: such as http://127.0.0.1:8501; for https, with the certificates that are `trusted`. The cookies
    of the page are sent with the session. Raises OSError if no server answers.
    """
    query = f"k={token}" if token else ""
    cookies = await asyncio.to_thread(_open, f"{address}/?{query}", trusted)
    parts = urlsplit(address)
    async with connect(
        f"{address.replace('http', 'ws', 1)}/_stcore/stream",
        subprotocols=["streamlit"],
        origin=f"{parts.scheme}://{parts.netloc}",
        additional_headers={"Cookie": cookies} if cookies else None,
        ssl=trusted,
        max_size=None,
    ) as socket:
        session = Session(socket, query)
        await session.run()
        yield session


def _open(address: str, trusted: ssl.SSLContext | None) -> str:
    """Request a page; gives the cookies that it sets, as they are sent back."""
    with urllib.request.urlopen(address, timeout=WAIT_SECONDS, context=trusted) as answer:
        answer.read()
        found = SimpleCookie("; ".join(answer.headers.get_all("Set-Cookie", [])))
    return "; ".join(f"{name}={one.value}" for name, one in found.items())


class Session:
    """The widgets of the page by their key, and what has been put into them."""

    def __init__(self, socket: ClientConnection, query: str) -> None:
        self._socket = socket
        self._query = query
        self._page = ""
        self._redrawn = ""  # the fragment of the last request; empty for the whole page
        self._widgets: dict[str, tuple[str, str]] = {}  # key -> (id, fragment)
        self._values: dict[str, float | str] = {}  # by id
        self.id = ""

    def find(self, start: str) -> str | None:
        """The key of the first widget whose key begins with `start`; None without one."""
        return next((key for key in self._widgets if key.startswith(start)), None)

    def fill(self, key: str, value: float | str) -> None:
        """Put a number or a text into a field; a form keeps it until its button is pressed."""
        self._values[self._widgets[key][0]] = value

    async def enter(self, key: str, value: float | str) -> None:
        """Put a number or a text into a field, and wait until the page is drawn again."""
        self.fill(key, value)
        await self.run(self._widgets[key][1])

    async def click(self, key: str) -> None:
        """Press a button whose key is this or begins so, and wait until the page is drawn again."""
        found = next(name for name in self._widgets if name == key or name.startswith(f"{key}-"))
        widget, fragment = self._widgets[found]
        await self.run(fragment, WidgetState(id=widget, trigger_value=True))

    async def run(self, fragment: str = "", *pressed: WidgetState) -> None:
        """Run the page or a part of it. Raises TimeoutError, and RuntimeError if the page fails."""
        state = ClientState(query_string=self._query, page_script_hash=self._page, fragment_id=fragment)
        state.context_info.locale = "en-GB"
        state.context_info.timezone = "UTC"
        self._redrawn = fragment
        shown = {widget for widget, _ in self._widgets.values()}  # a browser drops the others, too
        self._values = {widget: value for widget, value in self._values.items() if widget in shown}
        held = [_state(widget, value) for widget, value in self._values.items()]
        state.widget_states.widgets.extend([*held, *pressed])
        await self._socket.send(BackMsg(rerun_script=state).SerializeToString())
        async with asyncio.timeout(WAIT_SECONDS):
            while not self._take(ForwardMsg.FromString(await self._socket.recv(decode=False))):
                pass

    def _take(self, message: ForwardMsg) -> bool:
        """One message of the app; True when the page is drawn."""
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._page = message.new_session.page_script_hash
            self.id = message.new_session.initialize.session_id
            redrawn = self._redrawn
            self._widgets = {key: at for key, at in self._widgets.items() if redrawn and at[1] != redrawn}
        elif kind == "page_info_changed":
            self._query = message.page_info_changed.query_string
        elif kind == "delta":
            self._learn(message.delta)
        elif kind == "session_event" and message.session_event.HasField("script_compilation_exception"):
            raise RuntimeError("the page does not compile")
        return kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN

    def _learn(self, delta: Delta) -> None:
        if delta.WhichOneof("type") != "new_element":
            return
        kind = delta.new_element.WhichOneof("type")
        if kind == "exception":
            raise RuntimeError(f"the page failed: {delta.new_element.exception.type}")
        if kind in ("button", "number_input", "text_input"):
            widget = getattr(delta.new_element, kind).id
            self._widgets[widget.split("-", 2)[-1]] = widget, delta.fragment_id


def _state(widget: str, value: float | str) -> WidgetState:
    if isinstance(value, str):
        return WidgetState(id=widget, string_value=value)
    return WidgetState(id=widget, double_value=value)
