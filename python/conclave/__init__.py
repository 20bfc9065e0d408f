"""Leader election in a Python program: the program leads, or somebody else does.

    import conclave

    with conclave.Elector(group="jobs", expect=3) as elector:
        now = elector.campaign()
        while now.leads and elector.leadership().remaining > 0.1:
            work(now.token)

Settings are the words of ``conclave run``, with underscores for dashes: ``no_quorum=True``.

An elector has threads of its own, and all its methods may be called on any thread. No guardian
watches a program: it must have stopped by its deadline, or what it writes to must refuse a token
that is less than the greatest it has seen. After ``os.fork`` the elector stays with the parent.
docs/library.md has all rules.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from types import TracebackType
from typing import Any

from . import _place

__all__ = ["Elector", "Leadership", "LogLevel", "Participant", "Refusal", "version"]


class Refusal(Exception):
    """Something cannot be done: a sentence that says why, and what would be right."""


class LogLevel(IntEnum):
    """How serious a line of the log is; the numbers are syslog's."""

    ERROR = 3
    WARNING = 4
    NOTICE = 5
    INFO = 6


@dataclass(frozen=True)
class Leadership:
    """How this program and its group stand, at one moment."""

    leads: bool  #: this program leads, and may act until the deadline
    token: int  #: fencing token of the leader, greater than all before; 0: not known
    deadline: float  #: in seconds of CLOCK_BOOTTIME; 0: this program does not lead
    leader: str  #: name of the leader; empty: there is none, or it is not known
    address: str  #: of the leader's node, IP:PORT; empty: not known
    value: str  #: that the leader publishes; empty: none, or not heard yet

    @property
    def remaining(self) -> float:
        """For how many seconds this program may still act; 0: it may not."""
        if not self.leads:
            return 0.0
        return max(0.0, self.deadline - time.clock_gettime(time.CLOCK_BOOTTIME))


@dataclass(frozen=True)
class Participant:
    """A member of the group, as this program's node sees it."""

    name: str
    address: str  #: IP:PORT; empty: never heard
    is_self: bool  #: this program
    leads: bool
    alive: bool  #: a follower watches its leader only: of others, what it last knew
    witness: bool  #: votes, but never leads
    healthy: bool
    paused: bool


class _Leadership(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("leads", ctypes.c_int32),
        ("reserved", ctypes.c_int32),
        ("token", ctypes.c_uint64),
        ("remaining_ns", ctypes.c_int64),
        ("deadline_ns", ctypes.c_int64),
        ("leader", ctypes.c_char * 72),
        ("address", ctypes.c_char * 72),
        ("value", ctypes.c_char * 264),
    ]

    def read(self) -> Leadership:
        texts = (bytes(field).decode() for field in (self.leader, self.address, self.value))
        return Leadership(bool(self.leads), self.token, self.deadline_ns / 1e9, *texts)


class _Participant(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("name", ctypes.c_char * 72),
        ("address", ctypes.c_char * 72),
    ] + [
        (name, ctypes.c_int32)
        for name in ("is_self", "leads", "alive", "witness", "healthy", "paused")
    ]

    def read(self) -> Participant:
        flags = (self.is_self, self.leads, self.alive, self.witness, self.healthy, self.paused)
        return Participant(self.name.decode(), self.address.decode(), *map(bool, flags))


class _Setting(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("value", ctypes.c_char_p)]


_CHANGED = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(_Leadership))
_LOGGED = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p)


class _Options(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("settings", ctypes.POINTER(_Setting)),
        ("count", ctypes.c_size_t),
        ("changed", _CHANGED),
        ("log", _LOGGED),
        ("context", ctypes.c_void_p),
    ]


def _load() -> ctypes.CDLL:
    place = _place.LIBRARY  # a bare name is for the dynamic loader to find
    beside = Path(__file__).resolve().parent / place
    library = ctypes.CDLL(str(beside) if "/" in place else place)
    handle, now = ctypes.c_void_p, ctypes.POINTER(_Leadership)
    for name, result, arguments in (
        ("error", ctypes.c_char_p, []),
        ("version", ctypes.c_char_p, []),
        ("open", handle, [ctypes.POINTER(_Options)]),
        ("close", None, [handle]),
        ("get", ctypes.c_int, [handle, now]),
        ("campaign", ctypes.c_int, [handle, ctypes.c_int64, now]),
        ("resign", ctypes.c_int, [handle, ctypes.c_char_p]),
        ("publish", ctypes.c_int, [handle, ctypes.c_char_p]),
        ("pause", ctypes.c_int, [handle]),
        ("resume", ctypes.c_int, [handle]),
        ("add_member", ctypes.c_int, [handle, ctypes.c_char_p, ctypes.c_int64]),
        ("remove_member", ctypes.c_int, [handle, ctypes.c_char_p, ctypes.c_int64]),
        ("replace_member", ctypes.c_int, [handle, *[ctypes.c_char_p] * 2, ctypes.c_int64]),
        ("set_times", ctypes.c_int, [handle, *[ctypes.c_int64] * 3]),
        ("force_members", ctypes.c_int, [handle, *[ctypes.c_char_p] * 2, ctypes.c_int64]),
        ("participants", ctypes.c_int, [handle, ctypes.POINTER(_Participant), ctypes.c_size_t]),
        ("check", ctypes.c_int, [handle]),
        ("fd", ctypes.c_int, [handle]),
        ("take_news", ctypes.c_int, [handle, now]),
    ):
        function = getattr(library, "conclave_" + name)
        function.restype, function.argtypes = result, arguments
    return library


_library = _load()


def version() -> str:
    """Of the library, such as "0.1.0"."""
    return _library.conclave_version().decode()


def _checked(code: int) -> int:
    if code < 0:
        raise Refusal(_library.conclave_error().decode())
    return code


def _bytes(text: str) -> bytes:
    if "\0" in text:
        raise Refusal("a text has a zero character: leave it out")
    return text.encode()


def _ms(seconds: float) -> int:
    return round(seconds * 1000)


def _word(value: Any) -> bytes:
    return _bytes(str(value).lower() if isinstance(value, bool) else str(value))


class Elector:
    """A node of a group inside this program. Use it as a context: its end hands over.

    on_change is called with a Leadership when something but the deadline changed, on a thread of
    its own, one change after the other. When this program ceases to lead, nobody else leads before
    it has returned or the deadline has passed: stop the work there. log is called with a LogLevel
    and a line; without it nothing is printed. Exceptions in callbacks are printed, no more.
    """

    def __init__(
        self,
        *,
        on_change: Callable[[Leadership], None] | None = None,
        log: Callable[[LogLevel, str], None] | None = None,
        **settings: Any,
    ) -> None:
        self._handle: int | None = None
        words = [(_bytes(name.replace("_", "-")), _word(value)) for name, value in settings.items()]
        given = (_Setting * len(words))(*words)
        # Kept, for the library calls them as long as the elector lives.
        self._changed, self._log = _CHANGED(), _LOGGED()
        if on_change:
            self._changed = _CHANGED(lambda _, now: on_change(now[0].read()))
        if log:
            self._log = _LOGGED(lambda _, level, line: log(LogLevel(level), line.decode()))
        options = _Options(
            ctypes.sizeof(_Options), given, len(words), self._changed, self._log, None
        )
        self._handle = _library.conclave_open(ctypes.byref(options))
        if not self._handle:
            raise Refusal(_library.conclave_error().decode())

    def close(self) -> None:
        """Hands over and ends: within the setting detect, plus the time of callbacks."""
        handle, self._handle = self._handle, None
        if handle:
            _library.conclave_close(handle)

    def __enter__(self) -> Elector:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    @property
    def _opened(self) -> int:
        if not self._handle:
            raise Refusal("this elector is closed: make another")
        return self._handle

    def leadership(self) -> Leadership:
        """As of now: after its deadline nobody leads."""
        now = _Leadership(ctypes.sizeof(_Leadership))
        _checked(_library.conclave_get(self._opened, now))
        return now.read()

    def campaign(
        self, timeout: float | None = None, stop: threading.Event | None = None
    ) -> Leadership:
        """Waits until this program leads, timeout seconds have passed, or stop is set, and returns
        the leadership of that moment. Raises a Refusal if the elector has failed. It only waits: an
        elector stands for election from its beginning on."""
        end = None if timeout is None else time.monotonic() + timeout
        now = _Leadership(ctypes.sizeof(_Leadership))
        while True:  # in pieces, so that Ctrl-C and stop are heard
            left = 0.1 if end is None else min(0.1, max(0.0, end - time.monotonic()))
            if stop is not None and stop.is_set():
                left = 0.0
            leads = _checked(_library.conclave_campaign(self._opened, int(left * 1000), now))
            over = end is not None and time.monotonic() >= end
            if leads or over or (stop is not None and stop.is_set()):
                return now.read()

    def resign(self, successor: str = "") -> None:
        """Hands over to successor, or to the best candidate, and stays in the group."""
        _checked(_library.conclave_resign(self._opened, _bytes(successor)))

    def publish(self, value: str) -> None:
        """The value that all members see while this program leads, now or later; empty: none. At
        most 256 bytes of UTF-8 without control characters."""
        _checked(_library.conclave_publish(self._opened, _bytes(value)))

    def pause(self) -> None:
        """Keeps this program's role: it does not stand for election, and a leader leads on."""
        _checked(_library.conclave_pause(self._opened))

    def resume(self) -> None:
        """Ends a pause."""
        _checked(_library.conclave_resume(self._opened))

    def add_member(self, entry: str, timeout: float = 60.0) -> None:
        """Adds NAME or NAME=ADDRESS, which runs with join=True, to the running group, and waits
        until it is a member. Raises a Refusal that says why not, or what it waits for."""
        _checked(_library.conclave_add_member(self._opened, _bytes(entry), _ms(timeout)))

    def remove_member(self, name: str, timeout: float = 60.0) -> None:
        """Removes a member; one that leads hands over first."""
        _checked(_library.conclave_remove_member(self._opened, _bytes(name), _ms(timeout)))

    def replace_member(self, name: str, entry: str, timeout: float = 60.0) -> None:
        """Replaces a member, dead or alive, in one step."""
        code = _library.conclave_replace_member(
            self._opened, _bytes(name), _bytes(entry), _ms(timeout)
        )
        _checked(code)

    def set_times(self, detect: float = 0.0, heartbeat: float = 0.0, timeout: float = 60.0) -> None:
        """Gives all members another detect and heartbeat, in seconds; 0: as it is, or in the same
        proportion."""
        code = _library.conclave_set_times(
            self._opened, _ms(detect), _ms(heartbeat), _ms(timeout)
        )
        _checked(code)

    def force_members(self, left: list[str], phrase: str, timeout: float = 60.0) -> None:
        """Makes a group of the members that are left, when a majority is lost for good.
        docs/lease.md says what that may cost. phrase is what the operator typed; the Refusal of
        another one says it."""
        code = _library.conclave_force_members(
            self._opened, _bytes(",".join(left)), _bytes(phrase), _ms(timeout)
        )
        _checked(code)

    def participants(self) -> list[Participant]:
        """The members by name; empty while the group has not formed."""
        list_type = _Participant * 64  # the greatest group
        found = list_type(_Participant(ctypes.sizeof(_Participant)))
        count = _checked(_library.conclave_participants(self._opened, found, len(found)))
        return [each.read() for each in found[:count]]

    def check(self) -> None:
        """Raises a Refusal if the elector ended by itself."""
        _checked(_library.conclave_check(self._opened))

    def fileno(self) -> int:
        """For select and its like: readable when something changed since the last take_news()."""
        return _library.conclave_fd(self._opened)

    def take_news(self) -> Leadership:
        """The leadership of now; fileno() is not readable before the next change."""
        now = _Leadership(ctypes.sizeof(_Leadership))
        _checked(_library.conclave_take_news(self._opened, now))
        return now.read()
