"""The description of the protocol, made from its methods and the published schemas: an OpenRPC document."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from enfilade.api.schemas import SCHEMAS, published_schema
from enfilade.door import door
from enfilade.service.methods import METHODS
from enfilade.version import __version__

_REFERENCE: Final = re.compile(r'"\$ref": "(?:(\w+)\.json)?(?:#(/[^"]*))?"')
_COMPONENTS: Final = "#/components/schemas"


@door
def openrpc() -> dict[str, Any]:
    """Return the OpenRPC document of the service.

    Examples:
        >>> document = openrpc()
        >>> document["openrpc"], "odds" in [method["name"] for method in document["methods"]]
        ('1.3.2', True)
        >>> document["components"]["schemas"]["results"]["properties"]["sample"]
        {'$ref': '#/components/schemas/odds/$defs/distribution'}
    """
    return {
        "openrpc": "1.3.2",
        "info": {
            "title": "Enfilade",
            "version": __version__,
            "description": "Tabletop combat rules: play, exact odds, explanations. Each request about a run contains the saved run.",
        },
        "methods": [
            {
                "name": name,
                "summary": each.about,
                "paramStructure": "by-name",
                "params": [parameter.to_json() for parameter in each.parameters],
                "result": {
                    "name": "result",
                    "description": each.gives,
                    "schema": {"$ref": f"{_COMPONENTS}/results/properties/{name}"},
                },
            }
            for name, each in sorted(METHODS.items())
        ],
        "components": {"schemas": {name: _component(name) for name in SCHEMAS}},
    }


def _component(name: str) -> Any:
    """A published schema, with references to the other components instead of files."""

    def within(found: re.Match[str]) -> str:
        file, path = found.groups()
        return f'"$ref": "{_COMPONENTS}/{file or name}{path or ""}"'

    return json.loads(_REFERENCE.sub(within, json.dumps(published_schema(name))))
