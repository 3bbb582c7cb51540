"""A small server on loopback that speaks the chat protocol, and misbehaves when it is told to."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class ChatServer:
    """Answers requests from `script`, one entry each, the last one for good.

    An entry is a reply's text, a status code, or one of `cut` (the connection breaks in the middle), `half`
    (half a JSON document), `silence` (nothing for two seconds), `length` (a reply at its limit), or a
    function from the request to a reply's text. `requests` holds what came in.
    """

    def __init__(self, *script: str | int | Callable[[dict], str], schemas: bool = True) -> None:
        self.script = list(script)
        self.schemas = schemas
        self.requests: list[dict] = []
        self.keys: set[str] = set()
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                outer.answer(self)

            def log_message(self, *_: object) -> None:
                """Nothing of anyone's text is logged."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.base_url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self) -> ChatServer:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        size = int(handler.headers["Content-Length"])
        request = json.loads(handler.rfile.read(size))
        with self._lock:
            self.requests.append(request)
            self.keys.add(handler.headers.get("Authorization", ""))
            entry = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if "response_format" in request and not self.schemas:
            entry = 400
        if isinstance(entry, int):
            self._send(handler, entry, {"error": {"message": "told to fail, key sk-secret", "code": None}})
        elif entry == "silence":
            time.sleep(2)
        elif entry in ("cut", "half"):
            body = json.dumps(_reply("x" * 200)).encode()
            handler.send_response(200)
            handler.send_header("Content-Type", "application/json")
            handler.send_header("Content-Length", str(len(body) if entry == "cut" else len(body) // 2))
            handler.end_headers()
            handler.wfile.write(body[: len(body) // 2])
            handler.close_connection = True
        else:
            cut = entry == "length"
            text = entry(request) if callable(entry) else "half an answ" if cut else entry
            self._send(handler, 200, _reply(text, "length" if cut else "stop"))

    @staticmethod
    def _send(handler: BaseHTTPRequestHandler, code: int, document: dict) -> None:
        body = json.dumps(document).encode()
        handler.send_response(code)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(body)))
        handler.send_header("Retry-After", "0")
        handler.end_headers()
        handler.wfile.write(body)


def _reply(text: str, finish: str = "stop") -> dict:
    message = {"role": "assistant", "content": text}
    return {
        "id": "1", "object": "chat.completion", "created": 1, "model": "small",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 16},
    }  # fmt: skip
