"""Validate request bodies against Discord's OpenAPI description, if it is available."""

import json
import re
from functools import cache
from itertools import islice
from pathlib import Path
from urllib.parse import quote

from aiohttp import web
from jsonschema_rs import Draft202012, Draft202012Validator, Registry

from playground.rest.bodies import read_draft, read_json

NAME = "urn:discord"
PARAMETER = re.compile(r"\{[^}]*\}")
SNOWFLAKE = {"type": ["string", "integer"], "pattern": "^(0|[1-9][0-9]*)$"}
"""Ids are strings in the description. Discord accepts integers too, and discord.py sends some."""
FORMS = "/oauth2/token"
"""Routes that take forms, which the description leaves to RFC 6749 and RFC 7009."""


class Spec:
    """Discord's OpenAPI description. Errors are reported, but don't change the response."""

    def __init__(self, path: Path) -> None:
        document = json.loads(path.read_text(encoding="utf-8"))
        document["components"]["schemas"]["SnowflakeType"] = SNOWFLAKE
        self._document = document
        self._registry = Registry([(NAME, document)], draft=Draft202012)
        self._paths = {PARAMETER.sub("{}", path): path for path in document["paths"]}

    async def check(self, request: web.Request) -> list[str]:
        """The errors in the body of a request, as sentences."""
        resource = request.match_info.route.resource
        if resource is None or not request.can_read_body:
            return []
        route = PARAMETER.sub("{}", resource.canonical.removeprefix("/api/v10"))
        schema = self._schema(route, request.method.lower())
        if route.startswith(FORMS):
            return []
        if schema is None:
            return [f"spec: {request.method} {route} is not described"]
        body = await _body(request)
        return [f"spec: {request.method} {route}: {complaint}" for complaint in self._complaints(schema, body)]

    @cache  # noqa: B019 - one instance lives as long as its server
    def _validator(self, schema: str) -> Draft202012Validator:
        return Draft202012Validator({"$ref": schema}, registry=self._registry)

    @cache  # noqa: B019 - one instance lives as long as its server
    def _schema(self, route: str, method: str) -> str | None:
        """The reference of the schema of a route's body."""
        path = self._paths.get(route)
        if path is None or "requestBody" not in self._document["paths"][path].get(method, {}):
            return None
        steps = ("paths", path, method, "requestBody", "content", "application/json", "schema")
        return f"{NAME}#/" + "/".join(quote(step.replace("~", "~0").replace("/", "~1")) for step in steps)

    def _complaints(self, schema: str, body: object) -> list[str]:
        errors = self._validator(schema).iter_errors(body)
        return [f"/{'/'.join(map(str, error.instance_path))}: {error.message[:300]}" for error in islice(errors, 1)]


async def _body(request: web.Request) -> object:
    if request.content_type == "multipart/form-data":
        return (await read_draft(request)).body
    return await read_json(request)
