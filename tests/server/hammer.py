"""Many clients at once, and damaged requests, against a real ``enfilade serve``.

Run it as a command; it is no test itself, since it takes minutes::

    python -m tests.server.hammer --clients 50 --seconds 60 --damaged 10000

It prints the requests answered, the errors, the latencies and the memory of the server with its workers. Only a server that
it started itself, on the loopback address, gets requests.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import statistics
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, Final

import httpx2 as httpx
from tests.fuzz.readers import READERS
from tests.server.serving import serving

SHOT: Final = {"ruleset": "infantry_attacks", "procedure": "direct_fire"}
_EXPECTED: Final = {-32700, -32600, -32601, -32602, 1}


async def asked(client: httpx.AsyncClient, method: str, params: dict[str, Any]) -> Any:
    """The result of a request.

    Raises:
        ValueError: It has none.
    """
    answer = await client.post("rpc", json={"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    found = answer.json()
    if "result" not in found:
        raise ValueError(f"{method}: {answer.text[:200]}")
    return found["result"]


async def visitor(client: httpx.AsyncClient, rng: random.Random, until: float, times: dict[str, list[float]]) -> int:
    """Play and ask for odds until the time is up; return the number of errors."""
    errors = 0
    while time.monotonic() < until:
        facts = {"fire_value": rng.randint(1, 60), "night": rng.random() < 0.3}
        start = time.perf_counter()
        kind = "odds" if rng.random() < 0.5 else "play"
        try:
            if kind == "odds":
                await asked(client, "odds", {**SHOT, "facts": facts, "of": "result"})
            else:
                run = await asked(client, "begin", {**SHOT, "facts": facts})
                await asked(client, "roll", {"ruleset": SHOT["ruleset"], "save": run["save"]})
        except (httpx.HTTPError, ValueError) as error:
            errors += 1
            print(f"  {error}")
        times[kind].append(time.perf_counter() - start)
        await asyncio.sleep(rng.random() * 0.2)
    return errors


async def crowd(address: str, clients: int, seconds: float) -> None:
    """Print what many visitors at once meet."""
    times: dict[str, list[float]] = {"odds": [], "play": []}
    limits = httpx.Limits(max_connections=clients)
    async with httpx.AsyncClient(base_url=address, timeout=60, limits=limits) as client:
        await asked(client, "list", {})
        until = time.monotonic() + seconds
        found = await asyncio.gather(*(visitor(client, random.Random(each), until, times) for each in range(clients)))
    print(f"{clients} clients, {seconds:.0f} s: {sum(map(len, times.values()))} done, {sum(found)} errors")
    for kind, of in times.items():
        cuts = statistics.quantiles(of, n=100)
        print(f"  {kind}: median {cuts[49] * 1000:.0f} ms, 95 % {cuts[94] * 1000:.0f} ms, 99 % {cuts[98] * 1000:.0f} ms, "
              f"longest {max(of) * 1000:.0f} ms")  # fmt: skip


async def damaged(address: str, number: int) -> None:
    """Print what comes of damaged requests: each must have an error object or a result."""
    part = next(each for each in READERS if each.name == "requests")
    inputs = part.inputs(random.Random(5))
    codes: Counter[Any] = Counter()
    longest = 0.0
    async with httpx.AsyncClient(base_url=address, timeout=60) as client:

        async def one() -> None:
            nonlocal longest
            start = time.perf_counter()
            text = next(inputs).encode("utf-8", "surrogatepass")
            answer = await client.post("rpc", content=text, headers={"content-type": "application/json"})
            longest = max(longest, time.perf_counter() - start)
            if answer.status_code != 200:
                codes[f"HTTP {answer.status_code}"] += 1
                return
            for each in found if isinstance(found := answer.json(), list) else [found]:
                codes["result" if "result" in each else each["error"]["code"]] += 1

        for start in range(0, number, 8):
            await asyncio.gather(*(one() for _ in range(min(8, number - start))))
    odd = {code: count for code, count in codes.items() if code not in _EXPECTED | {"result", "HTTP 204"}}
    print(f"{number} damaged requests: {dict(codes)}; longest {longest * 1000:.0f} ms; unexpected: {odd or 'none'}")


def memory_of(process: int) -> int:
    """The resident memory of a process and its children, in MiB; 0 where it can't be read."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    texts = (Path(f"/proc/{each}/status").read_text() for each in (process, *children))
    return sum(int(size) for text in texts for size in re.findall(r"VmRSS:\s+(\d+)", text)) // 1024


def main() -> None:
    """Start a server, and report."""
    parser = argparse.ArgumentParser(description="Many clients at once, and damaged requests.")
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--damaged", type=int, default=10_000)
    given = parser.parse_args()
    with serving() as (address, process):
        asyncio.run(crowd(address, given.clients, given.seconds))
        if sys.platform == "linux":
            print(f"  memory of the server and its workers: {memory_of(process)} MiB")
        asyncio.run(damaged(address, given.damaged))


if __name__ == "__main__":
    main()
