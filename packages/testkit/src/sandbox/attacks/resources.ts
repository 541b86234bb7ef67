/**
 * Ways to exhaust a machine, apart from its memory. Each attack far exceeds a small limit, but not what a machine can
 * bear, because the controls run all attacks without limits.
 */
import { type Attack, LIMITS_SMALL } from "./attack.ts";

const MIB = 1024 * 1024;

export const RESOURCES: readonly Attack[] = [
  {
    name: "fork bomb",
    language: "python",
    control: "python",
    limits: LIMITS_SMALL,
    code: () => `
import os, signal, time
def attack():
    children = []
    try:
        for _ in range(100):
            child = os.fork()
            if child == 0:
                time.sleep(5)
                os._exit(0)
            children.append(child)
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
    return len(children)`,
  },
  {
    name: "fork bomb of threads",
    language: "python",
    control: "python",
    limits: LIMITS_SMALL,
    code: () => `
import threading
def attack():
    stop = threading.Event()
    try:
        for _ in range(100):
            threading.Thread(target=stop.wait, daemon=True).start()
    finally:
        stop.set()
    return True`,
  },
  {
    name: "fork bomb",
    language: "js",
    control: "node",
    limits: LIMITS_SMALL,
    // Each child is as large as its parent until it executes its own program, which takes a while on a busy machine.
    expected: ["memory_limit"],
    code: () => `
import { spawn } from "node:child_process";
const attack = async () => {
  const children = [];
  try {
    for (let n = 0; n < 100; n++) {
      const child = spawn("sleep", ["5"]);
      await new Promise((resolve, reject) => child.once("spawn", resolve).once("error", reject));
      children.push(child);
    }
  } finally {
    for (const child of children) child.kill("SIGKILL");
  }
  return children.length;
};`,
  },
  {
    name: "endless output",
    language: "python",
    control: "python",
    limits: LIMITS_SMALL,
    expected: ["output_limit"],
    code: () => `
def attack():
    for _ in range(400):
        print("x" * 10000)
    return True`,
  },
  {
    name: "endless output",
    language: "js",
    control: "node",
    limits: LIMITS_SMALL,
    expected: ["output_limit"],
    code: () => `
const attack = async () => {
  for (let n = 0; n < 400; n++) await new Promise((resolve) => process.stderr.write("x".repeat(10000) + "\\n", resolve));
  return true;
};`,
  },
  {
    name: "endless loop that heeds no signal",
    language: "python",
    control: "python",
    limits: { timeoutMs: 1_000 },
    expected: ["timeout"],
    code: () => `
import time
try:
    import signal
    for number in range(1, 32):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
except Exception:
    pass
def attack():
    end = time.time() + 2
    while time.time() < end:
        pass
    return True`,
  },
  {
    name: "endless loop",
    language: "js",
    control: "node",
    limits: { timeoutMs: 1_000 },
    expected: ["timeout"],
    code: () => `
const attack = async () => {
  for (const end = Date.now() + 2000; Date.now() < end; ) ;
  return true;
};`,
  },
  {
    name: "waiting for ever",
    language: "js",
    control: "node",
    limits: { timeoutMs: 1_000 },
    expected: ["timeout"],
    code: () => `
const attack = () => new Promise((resolve) => setTimeout(() => resolve(true), 2000));`,
  },
  {
    name: "huge file",
    language: "python",
    control: "python",
    limits: LIMITS_SMALL,
    expected: ["disk_limit"],
    code: (_, patience) => `
import time
def attack():
    with open(OUTPUT_DIR + "/turn_0/files/huge", "wb") as file:
        for _ in range(6):
            file.write(b"x" * ${4 * MIB})
    time.sleep(${patience})
    return True`,
  },
  {
    name: "huge file",
    language: "js",
    control: "node",
    limits: LIMITS_SMALL,
    expected: ["disk_limit"],
    code: (_, patience) => `
import { appendFileSync } from "node:fs";
const attack = async () => {
  for (let n = 0; n < 6; n++) appendFileSync(OUTPUT_DIR + "/turn_0/files/huge", Buffer.alloc(${4 * MIB}, 1));
  await new Promise((resolve) => setTimeout(resolve, ${patience * 1000}));
  return true;
};`,
  },
  {
    name: "more and more files",
    language: "python",
    control: "python",
    limits: LIMITS_SMALL,
    expected: ["disk_limit"],
    code: (_, patience) => `
import time
def attack():
    for n in range(12):
        with open(OUTPUT_DIR + "/turn_0/files/f%d" % n, "wb") as file:
            file.write(b"x" * ${2 * MIB})
    time.sleep(${patience})
    return True`,
  },
  {
    name: "many files",
    language: "js",
    control: "node",
    limits: LIMITS_SMALL,
    expected: ["disk_limit"],
    code: (_, patience) => `
import { writeFileSync } from "node:fs";
const attack = async () => {
  for (let n = 0; n < 600; n++) writeFileSync(OUTPUT_DIR + "/turn_0/files/f" + n, "");
  await new Promise((resolve) => setTimeout(resolve, ${patience * 1000}));
  return true;
};`,
  },
  {
    name: "files that are removed and kept open",
    language: "python",
    control: "python",
    limits: LIMITS_SMALL,
    expected: ["disk_limit"],
    code: (_, patience) => `
import os, time
def attack():
    held = []
    for n in range(12):
        path = OUTPUT_DIR + "/turn_0/files/gone%d" % n
        file = open(path, "wb")
        os.remove(path)
        file.write(b"x" * ${2 * MIB})
        file.flush()
        held.append(file)
    time.sleep(${patience})
    return len(held)`,
  },
  {
    // Checking a descriptor that is closed meanwhile must not hide the others.
    name: "files that are removed and kept open, behind one that comes and goes",
    language: "python",
    control: "python",
    limits: LIMITS_SMALL,
    expected: ["disk_limit"],
    code: (_, patience) => `
import os, threading, time
def attack():
    held, stop = [], threading.Event()
    def come_and_go():
        while not stop.is_set():
            os.close(os.open("/dev/null", os.O_RDONLY))
    thread = threading.Thread(target=come_and_go)
    thread.start()
    try:
        for n in range(12):
            path = OUTPUT_DIR + "/turn_0/files/behind%d" % n
            file = open(path, "wb")
            os.remove(path)
            file.write(b"x" * ${2 * MIB})
            file.flush()
            held.append(file)
        time.sleep(${patience})
    finally:
        stop.set()
        thread.join()
    return len(held)`,
  },
  {
    name: "folders deeper than a path is long",
    language: "python",
    control: "python",
    limits: { ...LIMITS_SMALL, diskEntries: 3_000 },
    expected: ["disk_limit"],
    code: (_, patience) => `
import os, time
def attack():
    os.chdir(OUTPUT_DIR + "/turn_0/files")
    for _ in range(30):
        os.mkdir("d" * 200)
        os.chdir("d" * 200)
    with open("hidden", "w") as file:
        file.write("x")
    time.sleep(${patience})
    return True`,
  },
];
