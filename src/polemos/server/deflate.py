"""Compression of messages on sockets: a message that goes to many is compressed once.

Usually every connection has a compressor with a memory of its own. Then a thousand spectators cost a thousand
compressions of the same position, and sizes depend on what was sent before. Here each message is compressed by itself,
so the result is the same for everyone, and is kept for the next who gets it.
"""

from __future__ import annotations

import zlib
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from websockets.extensions import Extension
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.frames import Frame, Opcode
from websockets.typing import ExtensionParameter

SMALL: Final = 200  # bytes of a message that is not worth it
KEPT: Final = 1 << 20  # bytes of compressed messages to keep
WINDOW: Final = 15  # bits, unless a client wants fewer; as no connection has a compressor, they cost nothing
CLIENTS: Final = 12  # bits of what they send, for which every connection needs memory
LEVEL: Final = 3  # of 9: a third of the time of the usual 6, and a tenth larger
_TAIL: Final = b"\x00\x00\xff\xff"  # ends a flush; the standard wants it cut off


class Kept:
    """Messages that were compressed lately."""

    def __init__(self, most: int = KEPT) -> None:
        self._most, self._size = most, 0
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()

    def compressed(self, message: bytes, window: int = WINDOW) -> bytes:
        found = self._kept.get(message) if window == WINDOW else None
        if found is not None:
            return found
        made = _compressed(message, window)
        if window != WINDOW:
            return made
        self._kept[message] = made
        self._size += len(message) + len(made)
        while self._size > self._most:
            self._size -= sum(map(len, self._kept.popitem(last=False)))
        return made


def _compressed(message: bytes, window: int) -> bytes:
    made = zlib.compressobj(LEVEL, wbits=-window)
    return (made.compress(message) + made.flush(zlib.Z_SYNC_FLUSH)).removesuffix(_TAIL)


class Shared(PerMessageDeflate):
    """The compression of one connection."""

    def __init__(self, agreed: PerMessageDeflate, kept: Kept) -> None:
        super().__init__(
            agreed.remote_no_context_takeover,
            agreed.local_no_context_takeover,
            agreed.remote_max_window_bits,
            agreed.local_max_window_bits,
        )
        self._messages = kept

    def encode(self, frame: Frame) -> Frame:
        if frame.opcode not in (Opcode.TEXT, Opcode.BINARY) or not frame.fin or len(frame.data) < SMALL:
            return frame
        return Frame(frame.opcode, self._messages.compressed(bytes(frame.data), self.local_max_window_bits), rsv1=True)


class Factory(ServerPerMessageDeflateFactory):
    """Agrees on it with a client."""

    def __init__(self, kept: Kept) -> None:
        super().__init__(server_no_context_takeover=True, client_max_window_bits=CLIENTS)
        self._messages = kept

    def process_request_params(
        self, params: Sequence[ExtensionParameter], accepted_extensions: Sequence[Extension]
    ) -> tuple[list[ExtensionParameter], PerMessageDeflate]:
        answer, agreed = super().process_request_params(params, accepted_extensions)
        return answer, Shared(agreed, self._messages)
