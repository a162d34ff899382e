"""The slow line of other tests: late, and closed when it ends, whatever passes on it then."""

from __future__ import annotations

import socket
from contextlib import ExitStack, closing, suppress

import pytest

from tests.web.room import PATIENCE_S
from tests.web.slow_line import slow_line


def test_a_line_that_ends_while_it_is_used_leaves_no_socket_open(caplog: pytest.LogCaptureFixture) -> None:
    with ExitStack() as stack:
        there = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        with slow_line(there.getsockname()[1], lambda: 0.01) as port:
            lines = [stack.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE_S)) for _ in range(3)]
            ends = [stack.enter_context(closing(there.accept()[0])) for _ in lines]
            for line in lines:
                line.sendall(b"to")
            for end in ends:
                end.settimeout(PATIENCE_S)
                assert end.recv(2) == b"to"
                end.sendall(b"back")
            assert [line.recv(4) for line in lines] == [b"back"] * 3
        for one in (*lines, *ends):
            one.setblocking(False)  # of a socket that is open nothing comes: an error
            with suppress(ConnectionResetError):
                assert one.recv(1) == b""
    assert caplog.records == []
