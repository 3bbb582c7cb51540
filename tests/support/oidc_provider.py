"""A small identity provider on this machine: OpenID Connect with a code, one person at a time."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "yomikurabe", "a-secret-of-the-client"


class Provider:
    """Says who signs in: `person` holds the claims. Checks the client's secret, the code and PKCE."""

    def __init__(self):
        self.person = {}
        self.key = RSAKey.generate_key(2048, parameters={"kid": "1", "use": "sig"}, auto_kid=False)
        self._asked = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.issuer = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def secrets_file(self, folder, app):
        """What an organiser writes into .streamlit/secrets.toml."""
        path = folder / "secrets.toml"
        path.write_text(
            f'[auth]\nredirect_uri = "{app}/oauth2callback"\ncookie_secret = "{secrets.token_hex(16)}"\n'
            f'client_id = "{CLIENT}"\nclient_secret = "{SECRET}"\n'
            f'server_metadata_url = "{self.issuer}/.well-known/openid-configuration"\n',
            "utf-8",
        )
        return path

    def metadata(self):
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
            "code_challenge_methods_supported": ["S256"],
        }

    def back(self, query):
        """Where the browser goes after the person has signed in: the app, with a code."""
        assert query["client_id"] == CLIENT
        assert query["response_type"] == "code"
        code = secrets.token_hex(8)
        self._asked[code] = query
        return f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"

    def token(self, form, authorization):
        """The ID token for a code, to the client that knows the secret and started the flow."""
        asked = self._asked.pop(form["code"])
        basic = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        assert authorization == f"Basic {basic}" or form.get("client_secret") == SECRET
        if "code_challenge" in asked:
            digest = hashlib.sha256(form["code_verifier"].encode()).digest()
            assert base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == asked["code_challenge"]
        now = int(time.time())
        claims = {
            "iss": self.issuer, "aud": CLIENT, "sub": "1", "iat": now, "exp": now + 600,
            "nonce": asked.get("nonce"), **self.person,
        }  # fmt: skip
        return {
            "access_token": secrets.token_hex(8),
            "token_type": "Bearer",
            "expires_in": 600,
            "id_token": jwt.encode({"alg": "RS256", "kid": "1"}, claims, self.key),
        }

    def _handler(provider):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                address = urlsplit(self.path)
                if address.path == "/authorize":
                    query = {name: values[0] for name, values in parse_qs(address.query).items()}
                    self.send_response(302)
                    self.send_header("Location", provider.back(query))
                    self.end_headers()
                elif address.path == "/keys":
                    self._json({"keys": [provider.key.as_dict(private=False)]})
                else:
                    self._json(provider.metadata())

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                form = {name: values[0] for name, values in parse_qs(body).items()}
                self._json(provider.token(form, self.headers.get("Authorization")))

            def _json(self, value):
                body = json.dumps(value).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        return Handler
