"""One protocol for hosts in any language: JSON-RPC 2.0 over the public API, as a function from request to response.

Nothing is kept between requests but checked rulesets, which is only for speed: a run travels as its save. So any process
may answer any request, and a process that is killed loses nothing. ``enfilade rpc`` reads requests from its input.

Examples:
    >>> service = Service()
    >>> asked = {"jsonrpc": "2.0", "id": 1, "method": "odds", "params": {
    ...     "ruleset": "infantry_attacks", "procedure": "direct_fire", "facts": {"fire_value": 16}, "of": "M or worse"}}
    >>> service.handle(asked)["result"]["answers"][0]["outcomes"][1]["reduced"]
    '5/6'
"""

from enfilade.service.jsonrpc import Service
from enfilade.service.lines import serve_lines
from enfilade.service.methods import METHODS
from enfilade.service.openrpc import openrpc

__all__ = ["METHODS", "Service", "openrpc", "serve_lines"]
