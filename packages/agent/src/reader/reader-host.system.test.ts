import { xrefBomb } from "@cairn/testkit/hostile";
import { afterAll, describe, expect, it } from "vitest";
import type { ProcessPoolOptions } from "../process/process-pool.ts";
import { defineReader } from "./reader.ts";
import { ReaderHost } from "./reader-host.ts";

const wayward = defineReader<{ deed: string }, { bytes: number; pid: number }>(
  new URL("../../test/wayward.reader.ts", import.meta.url),
);
const pages = defineReader<Record<string, never>, object>(new URL("./pdf-pages.reader.ts", import.meta.url));

const MEMORY = 256 * 1024 * 1024;
const hosts: ReaderHost[] = [];
afterAll(async () => {
  for (const host of hosts) await host.close();
});

function hostOf(options: Partial<ProcessPoolOptions> = {}): ReaderHost {
  const host = new ReaderHost({ processes: 1, memory: MEMORY, ...options });
  hosts.push(host);
  return host;
}

const run = (host: ReaderHost, deed: string, bytes = new Uint8Array(), signal?: AbortSignal) =>
  host.read(wayward, bytes, { deed }, signal);

describe("a reader process", () => {
  it("receives the bytes of a file, and then reads the next file too", async () => {
    const host = hostOf();
    const first = await run(host, "count", new Uint8Array(30_000_000));
    expect(first.bytes).toBe(30_000_000);
    expect(await run(host, "count", new Uint8Array(7))).toEqual({ bytes: 7, pid: first.pid });
  });

  it.each(["one large array", "many matches", "buffers", "wasm"])(
    "that runs out of memory with %s is killed, and the next file is read",
    async (deed) => {
      const host = hostOf();
      await expect(run(host, deed)).rejects.toMatchObject({ code: "too_large" });
      expect((await run(host, "count")).bytes).toBe(0);
    },
  );

  it("a reader process that exceeds its time limit is killed, and the next file is read", async () => {
    const host = hostOf({ time: 1_000 });
    await expect(run(host, "loop")).rejects.toThrow("takes longer than 1 s to read. Send a smaller or simpler file.");
    const patient = hostOf();
    expect((await run(patient, "count")).bytes).toBe(0);
  });

  it("a reader process that exits by itself fails the current file only", async () => {
    const host = hostOf();
    await expect(run(host, "exit")).rejects.toMatchObject({ code: "unreadable" });
    expect((await run(host, "count")).bytes).toBe(0);
  });

  it("returns no text that exceeds the limit", async () => {
    await expect(run(hostOf(), "long text")).rejects.toMatchObject({ code: "too_large" });
  });

  it("reports the reader's errors, with their code or as unreadable", async () => {
    const host = hostOf();
    await expect(run(host, "its own error")).rejects.toMatchObject({
      code: "unreadable",
      message: "The picture is torn.",
    });
    await expect(run(host, "any error")).rejects.toThrow("The file cannot be read: no such table");
    await expect(run(host, "recursion")).rejects.toMatchObject({ code: "too_large" });
  });

  it("sees nothing of the environment, and may print", async () => {
    const host = hostOf();
    expect(await run(host, "environment")).toEqual([]);
    expect(await run(host, "print")).toBe("printed");
  });

  it("is killed when the caller cancels, and the next file in the queue is read", async () => {
    const host = hostOf();
    const cancel = new AbortController();
    const endless = run(host, "loop", new Uint8Array(), cancel.signal);
    const gaveUp = run(host, "count", new Uint8Array(), cancel.signal);
    const next = run(host, "count");
    cancel.abort(new Error("never mind"));
    await expect(endless).rejects.toThrow("never mind");
    await expect(gaveUp).rejects.toThrow("never mind");
    expect((await next).bytes).toBe(0);
  });

  it("is stopped after an idle period", async () => {
    const host = hostOf({ idle: 1 });
    const { pid } = await run(host, "count");
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect((await run(host, "count")).pid).not.toBe(pid);
  });

  it("does not outlive its host, and a closed host reads nothing", async () => {
    const host = hostOf({ processes: 2 });
    const { pid } = await run(host, "count");
    const endless = expect(run(host, "loop")).rejects.toMatchObject({ code: "closed" });
    await host.close();
    await endless;
    await expect(run(host, "count")).rejects.toMatchObject({ code: "closed" });
    expect(isRunning(pid)).toBe(false);
  });
});

it("a PDF of 437 KB that unpacks to 150 million entries only ends its own reader process", async () => {
  const bomb = await xrefBomb(150_000_000);
  expect(bomb.length).toBeLessThan(440_000);
  await expect(hostOf().read(pages, bomb, {})).rejects.toMatchObject({ code: "too_large" });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // The process does not exist any more.
  }
}
