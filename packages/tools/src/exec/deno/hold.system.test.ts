/**
 * Tests Deno with all of its own permissions, confined only by the kernel: each program does something that Deno can do
 * without the kernel's rules.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Stage } from "../stage/stage.ts";
import { COMMON_FLAGS } from "./arguments.ts";
import { holding } from "./hold.ts";
import { locateDeno } from "./locate.ts";

const run = promisify(execFile);
const deno = locateDeno() ?? "";
const isLinux = process.platform === "linux" && deno !== "";

/** Landlock restricts a process to folders; kernels can be built without it. */
const hasLandlock = isLinux && Number(await landlockVersion()) > 0;

async function landlockVersion(): Promise<string> {
  const call = '{ syscall: { parameters: ["isize", "buffer", "usize", "u32"], result: "isize" } }';
  const code = `console.log(String(Deno.dlopen("libc.so.6", ${call}).symbols.syscall(444n, null, 0n, 1)))`;
  return (await run(deno, ["eval", "--no-config", code], { env: { DENO_DIR: join(tmpdir(), "none"), NO_COLOR: "1" } }))
    .stdout;
}

describe.skipIf(!isLinux)("the kernel", () => {
  let outside: string;
  let stage: Stage;
  // Errors are ignored, because a program may end before it has received the answer.
  const server = createServer((socket) => socket.on("error", () => undefined).end("hello"));
  beforeAll(async () => {
    outside = await mkdtemp(join(tmpdir(), "cairn-outside-"));
    await writeFile(join(outside, "secret"), "secret");
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    stage = await Stage.create("turn_0");
    await mkdir(stage.path("tmp/deno"));
  });
  afterAll(async () => {
    server.close();
    await stage[Symbol.asyncDispose]();
    await rm(outside, { recursive: true });
  });

  async function attempt(code: string, isHeld: boolean): Promise<string> {
    await stage.write(
      "run/attempt.mjs",
      `try { ${code}; console.log("done"); } catch (error) { console.log(error.name); }`,
    );
    const write = stage.writable.map((folder) => stage.path(folder));
    const before = isHeld ? await holding(deno, stage, { read: [stage.root], write }) : [];
    const [command = "", ...args] = [...before, deno, "run", ...COMMON_FLAGS, "-A", stage.path("run/attempt.mjs")];
    const env = { DENO_DIR: stage.path("tmp/deno"), HOME: stage.path("tmp"), PATH: "/usr/bin:/bin", NO_COLOR: "1" };
    return (await run(command, args, { env, cwd: "/" })).stdout.trim();
  }

  const port = () => (server.address() as { port: number }).port;
  const attempts: readonly (readonly [name: string, code: () => string])[] = [
    ["reads nothing outside, by Landlock", () => `Deno.readTextFileSync(${JSON.stringify(join(outside, "secret"))})`],
    [
      "writes nothing outside, by Landlock",
      () => `Deno.writeTextFileSync(${JSON.stringify(join(outside, "made"))}, "x")`,
    ],
    [
      "writes none of its inputs, by Landlock",
      () => `Deno.writeTextFileSync(${JSON.stringify(stage.path("run/made"))}, "x")`,
    ],
    ["makes no link", () => `Deno.symlinkSync("/etc", ${JSON.stringify(stage.path("tmp/link"))})`],
    ["opens no connection", () => `(await Deno.connect({ port: ${port()} })).close()`],
    ["starts no program", () => 'new Deno.Command("/bin/true").outputSync()'],
    ["ends no process", () => `Deno.kill(${process.pid}, "SIGCONT")`],
  ];
  it.for(attempts)("%s", async ([name, code], { skip }) => {
    skip(name.includes("Landlock") && !hasLandlock, "this kernel has no Landlock");
    expect([await attempt(code(), false), await attempt(code(), true)]).toEqual([
      "done",
      expect.not.stringMatching("done"),
    ]);
  });

  it("allows what a program needs: reading its inputs, writing its folders, threads", async () => {
    const place = JSON.stringify(stage.path("tmp/file"));
    const code = `
      Deno.readTextFileSync(${JSON.stringify(stage.path("run/hold.json"))});
      Deno.mkdirSync(${place} + ".d"); Deno.writeTextFileSync(${place} + ".d/a", "x"); Deno.truncateSync(${place} + ".d/a");
      Deno.renameSync(${place} + ".d/a", ${place}); Deno.removeSync(${place}); Deno.removeSync(${place} + ".d");
      await new Promise((resolve) => { const worker = new Worker("data:application/javascript,self.postMessage(1)", { type: "module" }); worker.onmessage = () => { worker.terminate(); resolve(); }; })`;
    expect(await attempt(code, true)).toBe("done");
  });
});
