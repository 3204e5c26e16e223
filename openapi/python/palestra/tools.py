"""Conversion of calls of an environment's tools to actions."""

from __future__ import annotations

import json
import re
from typing import Any, Mapping

from . import types

#: Quotation marks around a placeholder mean that the value is written as JSON.
_placeholder = re.compile(r'"\{(\w+)\}"|\{(\w+)\}')
_kinds: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list, tuple),
    "object": (dict,),
}


def action_of(tool: types.Tool, arguments: Mapping[str, Any]) -> str:
    """Returns the action of a tool call, by the template of the tool.

    Raises:
        ValueError: An argument is missing, unknown, or does not fit the tool.
    """
    parameters = tool["parameters"]
    properties: dict[str, Any] = parameters.get("properties", {})
    for name in parameters.get("required", []):
        if name not in arguments:
            raise ValueError(f"expected the argument {name} of {tool['name']}, but received {_shown(dict(arguments))}")
    for name, value in arguments.items():
        if name not in properties and properties:
            raise ValueError(f"expected the arguments {', '.join(properties)} of {tool['name']}, but received {name}")
        _check(name, value, properties.get(name, {}))
    template = tool["action"]
    if template.endswith("{arguments}"):
        return template[: -len("{arguments}")] + _json(dict(arguments))
    return _placeholder.sub(lambda match: _text(arguments, match[1], match[2]), template)


def _text(arguments: Mapping[str, Any], quoted: str | None, plain: str) -> str:
    if quoted is not None:
        return _json(arguments[quoted])
    value = arguments[plain]
    if isinstance(value, (list, tuple)):
        return ", ".join(str(each) for each in value)
    return value if isinstance(value, str) else _json(value)


def _check(name: str, value: Any, schema: Mapping[str, Any]) -> None:
    kind = schema.get("type")
    kinds = _kinds.get(kind) if isinstance(kind, str) else None
    if kinds and (not isinstance(value, kinds) or (isinstance(value, bool) and kind != "boolean")):
        raise ValueError(f"expected {name} as {kind}, but received {_shown(value)}")
    if "enum" in schema and value not in schema["enum"]:
        raise ValueError(f"expected {name} as one of {_shown(schema['enum'])}, but received {_shown(value)}")
    if kind == "array":
        for each in value:
            _check(f"each entry of {name}", each, schema.get("items", {}))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 200 else f"{text[:200]}..."
