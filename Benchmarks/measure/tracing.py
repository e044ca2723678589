"""Records which code of a running process is entered, in order: by breakpoints that each go off once."""

import ctypes
import os
import pathlib
import signal
import struct

SEIZE, INTERRUPT, CONTINUE, DETACH, GET_REGISTERS, SET_REGISTERS = 0x4206, 0x4207, 7, 17, 0x4204, 0x4205
TRACE_CLONES, ALL_THREADS, GENERAL_REGISTERS = 8, 0x40000000, 1
# A breakpoint, the bytes of the registers, where the program counter is in them, and how far it is past a breakpoint.
TRAP, REGISTERS, COUNTER, PAST = {
    "x86_64": (b"\xcc", 216, 128, 1), "aarch64": (b"\x00\x00\x20\xd4", 272, 256, 0)}[os.uname().machine]
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long


class Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def ptrace(request, thread, address=0, data=0):
    if libc.ptrace(request, thread, address, data) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


class Tracing:
    """`places` has for each address what is recorded when it is reached; all addresses of one place go off together."""

    def __init__(self, process, program, places):
        self.process = process
        maps = pathlib.Path(f"/proc/{process}/maps").read_text().splitlines()
        base = next(int(line.split("-")[0], 16) for line in maps if line.endswith(os.path.realpath(program)))
        self.places, self.addresses = {}, {}
        for address, place in places.items():
            self.places[base + address] = place
            self.addresses.setdefault(place, []).append(base + address)
        self.begin, end = min(self.places), max(self.places) + len(TRAP)
        with open(f"/proc/{process}/mem", "rb", buffering=0) as memory:
            self.code = os.pread(memory.fileno(), end - self.begin, self.begin)
        self.trapped = bytearray(self.code)
        for address in self.places:
            self.trapped[address - self.begin:address - self.begin + len(TRAP)] = TRAP
        self.registers = ctypes.create_string_buffer(REGISTERS)
        self.vector = Vector(ctypes.addressof(self.registers), REGISTERS)

    def record(self, work):
        """The places that are entered while `work` is done, in a process of its own that has to succeed."""
        self.threads, self.entered = set(), {}
        with open(f"/proc/{self.process}/mem", "r+b", buffering=0) as memory:
            self.memory = memory.fileno()
            while new := {int(name) for name in os.listdir(f"/proc/{self.process}/task")} - self.threads:
                for thread in new:
                    ptrace(SEIZE, thread, 0, TRACE_CLONES)
                self.threads |= new
            os.pwrite(self.memory, self.trapped, self.begin)
            try:
                child = os.fork()
                if not child:
                    do(work)
                while (stop := os.waitpid(-1, ALL_THREADS))[0] != child:
                    self.resume(*stop)
            finally:
                os.pwrite(self.memory, self.code, self.begin)
                self.leave()
        if stop[1]:
            raise SystemExit("error: what was to be recorded failed")
        return list(self.entered)

    def resume(self, thread, status, how=CONTINUE):
        """Lets a thread that has stopped go on, and notes what it has come to."""
        self.threads.discard(thread)
        if not os.WIFSTOPPED(status):
            return
        self.threads.add(thread)
        number = os.WSTOPSIG(status)
        if number == signal.SIGTRAP and not status >> 16:
            self.enter(thread)
        # A stop for the tracer's sake, unlike a signal's, leaves the thread none to take.
        ptrace(how, thread, 0, 0 if number == signal.SIGTRAP or status >> 16 else number)

    def enter(self, thread):
        vector = ctypes.addressof(self.vector)
        ptrace(GET_REGISTERS, thread, GENERAL_REGISTERS, vector)
        counter = struct.unpack_from("<Q", self.registers, COUNTER)[0] - PAST
        struct.pack_into("<Q", self.registers, COUNTER, counter)
        ptrace(SET_REGISTERS, thread, GENERAL_REGISTERS, vector)
        place = self.places[counter]
        # Another thread may have come to the same place before its breakpoints were gone.
        if place not in self.entered:
            self.entered[place] = None
            for address in self.addresses[place]:
                at = address - self.begin
                os.pwrite(self.memory, self.code[at:at + len(TRAP)], address)

    def leave(self):
        for thread in self.threads:
            try:
                ptrace(INTERRUPT, thread)
            except ProcessLookupError:
                # It has ended, which is heard of below.
                pass
        while self.threads:
            thread, status = os.waitpid(-1, ALL_THREADS)
            self.resume(thread, status, DETACH)
            self.threads.discard(thread)


def do(work):
    """Ends the process with what came of the work."""
    status = 1
    try:
        work()
        status = 0
    finally:
        os._exit(status)
