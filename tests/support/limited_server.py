"""Model servers that allow only so much (see `limited.py`), for benches: one process, a path for each kind.

`python tests/support/limited_server.py '{"five": {"at_once": 5}}'` prints its address and serves until killed. Calls go
to `/five/v1/chat/completions`; `GET /five/counts` tells how many were refused, and how many worked on more than once.
"""

import asyncio
import json
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any

from aiohttp import web

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from support.limited import Allows, Gate

REPLY = {"choices": [{"message": {"content": "X"}, "finish_reason": "stop"}], "model": "m", "usage": {}}


class Kind:
    def __init__(self, allows: dict[str, Any]) -> None:
        self.allows = Allows(**allows)
        self.gate = Gate(self.allows)
        self.workers = asyncio.Semaphore(self.allows.workers or 10**6)
        self.worked: Counter[bytes] = Counter()
        self.refused = 0

    async def serve(self, request: web.Request) -> web.Response:
        content = sha256(await request.read()).digest()
        if (wait := self.gate.take(monotonic())) is not None:
            self.refused += 1
            after = self.gate.header(wait)
            headers = {} if after is None else {"Retry-After": f"{after:.3f}"}
            return web.json_response({"error": {"message": "too many requests"}}, status=429, headers=headers)
        try:
            async with self.workers:
                await asyncio.sleep(self.allows.work)
        finally:
            self.gate.done()
        self.worked[content] += 1
        return web.json_response(REPLY)

    async def counts(self, _: web.Request) -> web.Response:
        twice = sum(times - 1 for times in self.worked.values())
        return web.json_response({"refused": self.refused, "worked": len(self.worked), "twice": twice})


async def _main() -> None:
    app = web.Application(client_max_size=2**28)
    for name, allows in json.loads(sys.argv[1]).items():
        kind = Kind(allows)
        app.router.add_post(f"/{name}/v1/chat/completions", kind.serve)
        app.router.add_get(f"/{name}/counts", kind.counts)
    runner = web.AppRunner(app, access_log=None, handler_cancellation=False)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=1024).start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}", flush=True)
    await asyncio.sleep(10**9)


if __name__ == "__main__":
    asyncio.run(_main())
