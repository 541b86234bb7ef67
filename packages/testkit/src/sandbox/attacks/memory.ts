/**
 * Ways to exhaust a machine's memory: on the heap and outside it, by many processes, and where no process is charged
 * for it. Each attack far exceeds a small limit, but not what a machine can bear, because the controls run all attacks
 * without limits.
 */
import { type Attack, LIMITS_SMALL } from "./attack.ts";

const MIB = 1024 * 1024;

export const MEMORY: readonly Attack[] = [
  {
    name: "memory bomb",
    language: "python",
    control: "python",
    limits: LIMITS_SMALL,
    expected: ["memory_limit", "MemoryError"],
    code: () => `
def attack():
    held = []
    for _ in range(14):
        held.append(b"x" * ${64 * MIB})
    return len(held)`,
  },
  {
    name: "memory bomb by many processes",
    language: "python",
    control: "python",
    limits: LIMITS_SMALL,
    expected: ["memory_limit"],
    code: (_, patience) => `
import os, time
def attack():
    children = []
    for _ in range(8):
        child = os.fork()
        if child == 0:
            held = b"x" * ${110 * MIB}
            time.sleep(1 + ${patience})
            os._exit(3)
        children.append(child)
    ended = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    return ended == [3] * 8`,
  },
  {
    name: "memory bomb by processes of a thread",
    language: "python",
    control: "python",
    limits: LIMITS_SMALL,
    expected: ["memory_limit"],
    code: (_, patience) => `
import os, threading, time
def attack():
    ended = []
    def start():
        children = []
        for _ in range(8):
            child = os.fork()
            if child == 0:
                held = b"x" * ${110 * MIB}
                time.sleep(1 + ${patience})
                os._exit(3)
            children.append(child)
        ended.extend(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children)
    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    return ended == [3] * 8`,
  },
  {
    // Shared memory that was released belongs to no process, and still exists.
    name: "memory bomb in pages that no process holds",
    language: "python",
    control: "python",
    limits: LIMITS_SMALL,
    expected: ["memory_limit", "MemoryError"],
    code: (_, patience) => `
import mmap, os, time
def attack():
    last = None
    for file in (-1, os.open("/dev/zero", os.O_RDWR)):
        try:
            held = mmap.mmap(file, ${640 * MIB})
        except OSError as error:
            last = error
            continue
        piece = b"x" * ${64 * MIB}
        for _ in range(10):
            held.write(piece)
            held.madvise(mmap.MADV_DONTNEED)
        time.sleep(${patience})
        return held[0] == held[-1] == 120
    raise last`,
  },
  {
    name: "memory bomb in sockets",
    language: "python",
    control: "python",
    limits: LIMITS_SMALL,
    expected: ["memory_limit"],
    code: (_, patience) => `
import os, socket, time
def fill():
    held = []
    for _ in range(240):
        pair = socket.socketpair()
        for each in pair:
            each.setblocking(False)
            try:
                while True:
                    each.send(b"x" * 60000)
            except BlockingIOError:
                pass
        held.append(pair)
    return held
def attack():
    children = []
    for _ in range(8):
        child = os.fork()
        if child == 0:
            held = fill()
            time.sleep(1 + ${patience})
            os._exit(len(held))
        children.append(child)
    ended = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    return ended == [240] * 8`,
  },
  {
    name: "memory bomb in shared memory",
    language: "python",
    control: "python",
    limits: LIMITS_SMALL,
    expected: ["memory_limit"],
    code: () => `
import os
def attack():
    path = "/dev/shm/cairn-%d" % os.getpid()
    try:
        with open(path, "wb") as file:
            for _ in range(24):
                file.write(b"x" * ${4 * MIB})
    finally:
        if os.path.exists(path):
            os.remove(path)
    return True`,
  },
  {
    name: "memory bomb on the heap",
    language: "js",
    control: "node",
    limits: LIMITS_SMALL,
    expected: ["memory_limit"],
    code: (_, patience) => `
const attack = async () => {
  const held = [];
  for (let n = 0; n < 14; n++) held.push(new Array(8e6).fill(n + 0.5));
  await new Promise((resolve) => setTimeout(resolve, ${patience * 1000}));
  return held.length;
};`,
  },
  {
    name: "memory bomb beside the heap",
    language: "js",
    control: "node",
    limits: LIMITS_SMALL,
    expected: ["memory_limit"],
    code: (_, patience) => `
const attack = async () => {
  const held = [];
  for (let n = 0; n < 14; n++) { held.push(new Uint8Array(${64 * MIB}).fill(1)); await new Promise((resolve) => setTimeout(resolve, 5)); }
  await new Promise((resolve) => setTimeout(resolve, ${patience * 1000}));
  return held.length;
};`,
  },
];
