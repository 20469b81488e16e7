"""The protocol and the page over HTTP and WebSocket, for ``enfilade serve`` (extra ``serve``).

``workers`` answers requests in processes of their own (``enfilade rpc``), so a long question delays no other, and a
process that ends loses no run; ``turns`` shares them among clients. ``http`` is the web application, ``running`` serves it
over sockets, and ``security`` checks where requests come from.
"""

from enfilade.server.http import application
from enfilade.server.running import run

__all__ = ["application", "run"]
