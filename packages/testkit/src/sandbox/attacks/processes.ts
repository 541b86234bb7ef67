/** Ways to reach other processes, to outlive the program, and to make privileged system calls. */
import type { Attack } from "./attack.ts";
import { SYSCALL } from "./syscall.ts";

export const PROCESSES: readonly Attack[] = [
  {
    name: "signals to a process outside",
    language: "python",
    control: "python",
    code: ({ victimPid }) => `
import os
def attack():
    os.kill(${victimPid}, 0)
    return True`,
  },
  {
    name: "signals to a process outside",
    language: "js",
    control: "node",
    code: ({ victimPid }) => `
const attack = async () => process.kill(${victimPid}, 0);`,
  },
  {
    name: "ptrace",
    language: "python",
    control: "python",
    code: () => `${SYSCALL}
def attack():
    # In a child: whoever is traced stops at every signal.
    child = os.fork()
    if child == 0:
        try:
            syscall(101, 117, 0, 0, 0, 0)
            os._exit(7)
        except BaseException:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7`,
  },
  {
    name: "reading the memory of another process",
    language: "python",
    control: "python",
    code: () => `${SYSCALL}
class Piece(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]
def attack():
    child = os.fork()
    if child == 0:
        import time
        time.sleep(2)
        os._exit(0)
    source = ctypes.create_string_buffer(b"something")
    target = ctypes.create_string_buffer(9)
    here = Piece(ctypes.cast(target, ctypes.c_void_p), 9)
    there = Piece(ctypes.cast(source, ctypes.c_void_p), 9)
    try:
        return syscall(310, 270, child, ctypes.byref(here), 1, ctypes.byref(there), 1, 0) == 9
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)`,
  },
  {
    name: "mount, and namespaces of one's own",
    language: "python",
    control: "python",
    controlNeedsRoot: true,
    code: () => `${SYSCALL}
def attack():
    won = []
    # In a child: what it gets must not stay with whoever runs the control.
    for name, act in (
        ("unshare user", lambda: syscall(272, 97, 0x10000000)),
        ("unshare mount", lambda: syscall(272, 97, 0x00020000)),
        ("clone user", lambda: syscall(56, 220, 0x10000000 | 17, 0, 0, 0, 0)),
        ("open_tree", lambda: syscall(428, 428, -100, b"/", 0)),
        ("fsopen", lambda: syscall(430, 430, b"tmpfs", 0)),
        ("chroot", lambda: os.chroot("/")),
    ):
        child = os.fork()
        if child == 0:
            try:
                act()
                os._exit(7)
            except BaseException:
                os._exit(1)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7:
            won.append(name)
    return won`,
  },
  {
    name: "keyring",
    language: "python",
    control: "python",
    code: () => `${SYSCALL}
def attack():
    return syscall(248, 217, b"user", b"cairn-canary", b"x", 1, -2) > 0`,
  },
  {
    name: "where kernels break (io_uring, userfaultfd, bpf, perf, modules)",
    language: "python",
    control: "python",
    code: () => `${SYSCALL}
import errno
def attack():
    won, last = [], None
    block = ctypes.create_string_buffer(512)
    for name, x64, arm64, args in (
        ("io_uring_setup", 425, 425, (4, block)),
        ("userfaultfd", 323, 282, (1,)),
        ("bpf", 321, 280, (5, block, 128)),
        ("perf_event_open", 298, 241, (block, 0, -1, -1, 0)),
        ("memfd_create", 319, 279, (b"x", 0)),
        ("name_to_handle_at", 303, 264, (-100, b"/", block, block, 0)),
        ("kcmp", 312, 272, (os.getpid(), os.getpid(), 0, 0, 0)),
        ("finit_module", 313, 273, (-1, b"", 0)),
        ("shmget", 29, 194, (0, 4096, 0o1600)),
    ):
        try:
            syscall(x64, arm64, *args)
            won.append(name)
        except OSError as error:
            last = error
            if error.errno not in (errno.EPERM, errno.ENOSYS):
                won.append("%s answered %s" % (name, error.strerror))
    if not won:
        raise last
    return won`,
  },
  {
    name: "typing into a terminal (TIOCSTI)",
    language: "python",
    control: "python",
    controlNeedsRoot: true,
    code: () => `
import fcntl, os, pty
def attack():
    _, terminal = pty.openpty()
    fcntl.ioctl(terminal, 0x5412, b"x")
    return True`,
  },
  {
    name: "detached children",
    language: "python",
    control: "python",
    evidence: "heartbeat",
    code: () => `
import os, time
def attack():
    beat = os.path.join(OUTPUT_DIR, "turn_0/files/heartbeat")
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for stream in (0, 1, 2):
                os.close(stream)
            for _ in range(200):
                with open(beat, "a") as file:
                    file.write("x")
                time.sleep(0.02)
        os._exit(0)
    while not os.path.exists(beat):
        time.sleep(0.01)
    return "left a child"`,
  },
  {
    name: "detached children",
    language: "js",
    control: "node",
    evidence: "heartbeat",
    code: () => `
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
const attack = async () => {
  const beat = OUTPUT_DIR + "/turn_0/files/heartbeat";
  const loop = "let n = 0; setInterval(() => { require('fs').appendFileSync(process.argv[1], 'x'); if (++n > 200) process.exit(); }, 20)";
  spawn(process.execPath, ["-e", loop, beat], { detached: true, stdio: "ignore" }).unref();
  while (!existsSync(beat)) await new Promise((resolve) => setTimeout(resolve, 10));
  return "left a child";
};`,
  },
];
