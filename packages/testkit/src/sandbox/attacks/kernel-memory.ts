/**
 * Kernel memory that is charged to no process: page tables, mappings, queues, pages in pipes and connections, names in
 * a memory file system. Each attack takes about twice the small limit that it gets.
 */
import { type Attack, LIMITS_SMALL } from "./attack.ts";
import { SYSCALL } from "./syscall.ts";

const MIB = 1024 * 1024;
const LIMITS = { ...LIMITS_SMALL, memoryBytes: 192 * MIB };

const python = {
  language: "python",
  control: "python",
  /** Python in Deno has no way to make these calls. */
  sandboxes: ["bubblewrap"],
} as const;

export const KERNEL_MEMORY: readonly Attack[] = [
  {
    ...python,
    name: "semaphores of System V",
    code: () => `${SYSCALL}
import ctypes
def attack():
    held = [syscall(64, 190, 0, 1000, 0o600) for _ in range(8)]
    for each in held:
        syscall(66, 191, each, 0, 0)
    return len(held)`,
  },
  {
    ...python,
    name: "messages of System V",
    code: () => `${SYSCALL}
import ctypes
def attack():
    queue = syscall(68, 186, 0, 0o600)
    syscall(69, 189, queue, ctypes.create_string_buffer(b"\\1" + bytes(4096)), 4000, 0)
    syscall(71, 187, queue, 0, 0)
    return True`,
  },
  {
    ...python,
    name: "segments of System V",
    code: () => `${SYSCALL}
def attack():
    segment = syscall(29, 194, 0, 4096, 0o600)
    syscall(31, 195, segment, 0, 0)
    return True`,
  },
  {
    ...python,
    name: "message queues of POSIX",
    code: () => `${SYSCALL}
def attack():
    queue = syscall(240, 180, ctypes.c_char_p(b"cairn-%d" % os.getpid()), os.O_CREAT | os.O_RDWR, 0o600, 0)
    syscall(241, 181, ctypes.c_char_p(b"cairn-%d" % os.getpid()))
    os.close(queue)
    return True`,
  },
  {
    ...python,
    name: "pages given to a pipe",
    code: () => `${SYSCALL}
import mmap
class Piece(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]
def attack():
    pages = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    pages[0] = 1
    reading, writing = os.pipe()
    piece = Piece(ctypes.addressof(ctypes.c_char.from_buffer(pages)), 4096)
    return syscall(278, 75, writing, ctypes.byref(piece), 1, 0) == 4096`,
  },
  {
    ...python,
    name: "memory bomb in page tables",
    limits: LIMITS,
    expected: ["memory_limit"],
    code: (_, patience) => `
import mmap, time
def attack():
    step, count = ${2 * MIB}, 100_000
    held = mmap.mmap(-1, step * count, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ)
    seen = sum(held[at * step] for at in range(count))
    time.sleep(${patience})
    return seen == 0`,
  },
  {
    ...python,
    name: "memory bomb in mappings",
    limits: LIMITS,
    expected: ["memory_limit"],
    code: (_, patience) => `
import ctypes, os, time
def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    pages = 60_000
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    base = libc.mmap(None, 4096 * pages, 0, 0x22, -1, 0)
    libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    for at in range(0, pages, 2):
        if libc.mprotect(base + at * 4096, 4096, 1) != 0:
            raise OSError(ctypes.get_errno(), "mprotect")
    children = []
    for _ in range(24):
        child = os.fork()
        if child == 0:
            time.sleep(1 + ${patience})
            os._exit(3)
        children.append(child)
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [3] * 24`,
  },
  {
    ...python,
    name: "memory bomb in events nobody reads",
    limits: { ...LIMITS, diskEntries: 3_000 },
    expected: ["memory_limit"],
    code: (_, patience) => `${SYSCALL}
import time
def attack():
    folder = OUTPUT_DIR + "/turn_0/files"
    held = []
    for _ in range(100):
        each = syscall(294, 26, 0)
        syscall(254, 27, each, ctypes.c_char_p(folder.encode()), 0x100)
        held.append(each)
    for n in range(5_000):
        name = folder + "/%0200d" % n
        os.close(os.open(name, os.O_CREAT | os.O_WRONLY))
        os.remove(name)
    time.sleep(${patience})
    return len(held)`,
  },
  {
    ...python,
    name: "memory bomb in connections of its own",
    limits: LIMITS,
    expected: ["memory_limit"],
    code: (_, patience) => `
import socket, time
def attack():
    server = socket.create_server(("127.0.0.1", 0))
    piece, held, total = bytes(1 << 20), [], 0
    while total < ${400 * MIB} and len(held) < 200:
        near = socket.create_connection(server.getsockname())
        far, _ = server.accept()
        for each in (near, far):
            each.setblocking(False)
            try:
                for _ in range(64):
                    total += each.send(piece)
            except BlockingIOError:
                pass
        held.append((near, far))
    time.sleep(${patience})
    return total >= ${300 * MIB}`,
  },
  ...(["/tmp", "/dev/shm"] as const).map(
    (folder): Attack => ({
      ...python,
      name: `empty files in ${folder}`,
      limits: LIMITS,
      expected: ["disk_limit"],
      code: (_, patience) => `
import os, shutil, tempfile, time
def attack():
    folder = tempfile.mkdtemp(dir="${folder}")
    try:
        for n in range(600):
            os.close(os.open(folder + "/%d" % n, os.O_CREAT | os.O_WRONLY))
        time.sleep(${patience})
    finally:
        shutil.rmtree(folder)
    return True`,
    }),
  ),
  {
    ...python,
    name: "long links in /dev/shm",
    limits: LIMITS,
    expected: ["disk_limit"],
    code: (_, patience) => `
import os, shutil, tempfile, time
def attack():
    folder = tempfile.mkdtemp(dir="/dev/shm")
    try:
        for n in range(600):
            os.symlink("x" * 4000, folder + "/%d" % n)
        time.sleep(${patience})
    finally:
        shutil.rmtree(folder)
    return True`,
  },
];
