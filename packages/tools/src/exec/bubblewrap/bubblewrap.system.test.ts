/**
 * Tests what programs may do near the limits that are checked repeatedly: an earlier check stopped each of these
 * programs by mistake, or counted too much for it.
 */
import { tryBubblewrap } from "@cairn/testkit/sandbox";
import { expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../process/limits.ts";
import { stageProgram } from "../stage/program.ts";
import { Stage } from "../stage/stage.ts";

const { sandbox, missing } = await tryBubblewrap();

const PROGRAM = `
import array, asyncio, multiprocessing, os, socket, tempfile
from multiprocessing import shared_memory

def add(queue, lock, value):
    with lock:
        value.value += 1
    queue.put(os.getpid())

context = multiprocessing.get_context("fork")
with context.Pool(4) as pool:
    print("pool", sum(pool.map(abs, range(-100, 0))))
queue, lock, value = context.Queue(), context.Lock(), context.Value("i", 0)
children = [context.Process(target=add, args=(queue, lock, value)) for _ in range(4)]
for child in children: child.start()
print("queue", len({queue.get() for _ in children}))
for child in children: child.join()
print("lock", value.value)
shared = shared_memory.SharedMemory(create=True, size=1 << 20)
shared.close()
shared.unlink()
near, far = socket.socketpair()
with tempfile.TemporaryFile() as file:
    file.write(b"x" * 100000)
    for _ in range(300):
        near.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [file.fileno()]))])
        _, passed, _, _ = far.recvmsg(1, 100)
        os.close(array.array("i", passed[0][2])[0])
print("temporary", tempfile.gettempdir(), os.path.samefile("/tmp", OUTPUT_DIR + "/../tmp"))

async def echo():
    child = await asyncio.create_subprocess_exec("echo", "said", stdout=asyncio.subprocess.PIPE)
    return (await child.communicate())[0].decode().strip()
print("child", asyncio.run(echo()))
`;

const SPAWNING = `
import multiprocessing

def double(n):
    return 2 * n

if __name__ == "__main__":
    for how in ["spawn", "forkserver"]:
        with multiprocessing.get_context(how).Pool(2) as pool:
            print(how, pool.map_async(double, range(4)).get(timeout=60))
`;

it.skipIf(missing !== null)("a program may start processes that load it again from its file", async () => {
  await using stage = await Stage.create("turn_0");
  await stageProgram(stage, { language: "python", code: SPAWNING, name: "again" });
  const job = { language: "python" as const, stage, limits: { ...DEFAULT_LIMITS, timeoutMs: 150_000 } };
  const { error, log } = await sandbox.run(job, { signal: new AbortController().signal });
  expect({ error, log: log.trim().split("\n") }).toEqual({
    error: null,
    log: ["spawn [0, 2, 4, 6]", "forkserver [0, 2, 4, 6]"],
  });
});

it.skipIf(missing !== null)("a program may share memory and locks and pass descriptors on", async () => {
  await using stage = await Stage.create("turn_0");
  await stageProgram(stage, { language: "python", code: PROGRAM, name: "near" });
  const job = { language: "python" as const, stage, limits: DEFAULT_LIMITS };
  const { error, log } = await sandbox.run(job, { signal: new AbortController().signal });
  expect({ error, log: log.trim().split("\n") }).toEqual({
    error: null,
    log: ["pool 5050", "queue 4", "lock 4", "temporary /tmp True", "child said"],
  });
});
