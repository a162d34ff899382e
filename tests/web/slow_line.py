"""A line to a server that takes its time: every piece of what passes, in either direction, is late."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from tests.web.room import PATIENCE_S

_MOST_BYTES = 65_536


class _Line:
    """Passes bytes between those who come and a port of this machine."""

    def __init__(self, to_port: int, delay_s: Callable[[], float]) -> None:
        self._to_port, self._delay_s = to_port, delay_s

    async def come(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on until both ends have left, or until this is cancelled; no socket stays open then."""
        opened = [writer]
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._to_port)
            opened.append(back)
            await asyncio.gather(self._pass_on(reader, back), self._pass_on(there, writer), return_exceptions=True)
        except asyncio.CancelledError:
            pass  # up to Python 3.11 who listens takes a handler that was cancelled for one that failed
        finally:
            for one in opened:
                one.transport.abort()
            await asyncio.gather(*(one.wait_closed() for one in opened), return_exceptions=True)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One direction: what came later never arrives earlier."""
        loop = asyncio.get_running_loop()
        coming: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def deliver() -> None:
            with suppress(ConnectionError):
                while True:
                    due_s, data = await coming.get()
                    await asyncio.sleep(due_s - loop.time())
                    if not data:
                        writer.close()
                        return
                    writer.write(data)

        delivering = asyncio.create_task(deliver())
        data = b"-"
        while data:
            data = b""  # the end also where the line is torn: its reader raises that again and again, without waiting
            with suppress(ConnectionError):
                data = await reader.read(_MOST_BYTES)
            coming.put_nowait((loop.time() + self._delay_s(), data))
        await delivering


@contextmanager
def slow_line(to_port: int, delay_s: Callable[[], float]) -> Iterator[int]:
    """Pass on what comes to a port, each piece after so many seconds; gives the port."""
    loop = asyncio.new_event_loop()
    line = _Line(to_port, delay_s)
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = asyncio.run_coroutine_threadsafe(asyncio.start_server(line.come, "127.0.0.1", 0), loop).result(PATIENCE_S)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:

        async def end() -> None:
            server.close()
            while others := asyncio.all_tasks() - {asyncio.current_task()}:  # who came just now begins a task after this
                for one in others:
                    one.cancel()
                await asyncio.gather(*others, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(end(), loop).result(PATIENCE_S)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(PATIENCE_S)
        loop.close()
