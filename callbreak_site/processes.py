"""No orphans: a child process that ends when its parent does, however the parent dies."""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1
# Loaded here, since a child between fork and exec should allocate as little as it can.
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def die_with_parent(parent: int | None = None) -> None:
    """Have the kernel send this process SIGTERM when its parent is gone, even by SIGKILL.

    `parent` is the process id that the parent had before the fork: a parent that died in between would
    otherwise never be missed. Elsewhere than on Linux nothing happens.
    """
    if _LIBC is None:
        return
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if parent is not None and os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGTERM)
