"""A process that others may look into as far as this machine lets them: it waits to be attacked."""

import ctypes
import sys

ctypes.CDLL(None).prctl(0x59616D61, ctypes.c_ulong(-1), 0, 0, 0)  # PR_SET_PTRACER, anybody
print("here", flush=True)
sys.stdin.read()
