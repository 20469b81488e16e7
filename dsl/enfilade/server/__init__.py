"""The protocol and the page over HTTP and WebSocket, for ``enfilade serve`` (extra ``serve``).

``workers`` answers requests in processes of their own (``enfilade rpc``), so a long question delays no other, and a
process that ends loses no run. ``http`` is the web application; ``security`` checks where requests come from.
"""

from enfilade.server.http import application

__all__ = ["application"]
