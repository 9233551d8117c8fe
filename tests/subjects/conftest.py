"""What the tests of subjects share."""

from collections.abc import AsyncIterator

import pytest
from aiohttp import web
from scripted_api import Api


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    api = Api()
    app = web.Application(client_max_size=2**28)
    app.router.add_post("/{path:.*}", api.serve)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    api.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    yield api
    await runner.cleanup()
