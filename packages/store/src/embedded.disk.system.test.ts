import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeReadOnly, mountSmallDisk, whyNoMounts } from "@cairn/testkit/store";
import { makeEvent } from "@cairn/timeline";
import { afterAll, describe, expect, it } from "vitest";
import { openEmbeddedStore } from "./embedded-store.ts";

const reason = whyNoMounts();
const title = "a disk that is full or read-only";
const key = { tenant: "t", project: "p", user: "u", conversation: "c" };
const input = (name: string, message = "m") =>
  makeEvent("input.received", { key: name, mode: "turn", message, attachments: [], ts: "2026-02-09T00:00:00Z" });

describe.skipIf(reason !== null)(reason === null ? title : `${title} (${reason})`, () => {
  const folders: string[] = [];
  const newFolder = () => {
    const dir = mkdtempSync(join(tmpdir(), "cairn-readonly-"));
    folders.push(dir);
    return dir;
  };
  afterAll(() => {
    for (const dir of folders) rmSync(dir, { recursive: true });
  });
  const codeOf = (call: Promise<unknown>) =>
    call.then(
      () => "done",
      (error) => error.code ?? String(error),
    );

  it("throws full, keeps all that was acknowledged, and continues when there is space", async () => {
    const disk = mountSmallDisk("3m");
    try {
      const store = await openEmbeddedStore({ dir: join(disk.folder, "data") });
      await store.createConversation(key);
      let acknowledged = 0;
      let refusal = "done";
      while (refusal === "done") {
        refusal = await codeOf(store.append(key, [input(`k${acknowledged}`, "x".repeat(20_000))]));
        if (refusal === "done") acknowledged++;
      }
      expect(refusal).toBe("full");
      expect(acknowledged).toBeGreaterThan(10);
      // On a full disk small writes may still succeed. In the end no write does, and reading continues to work.
      while ((await codeOf(store.append(key, [input(`k${acknowledged}`)]))) === "done") acknowledged++;
      expect((await store.load(key)).seq).toBe(acknowledged);
      expect(await codeOf(store.putBlob(key, [new Uint8Array(1 << 20)]))).toBe("full");
      expect(readdirSync(join(disk.folder, "data", "blobs", "tmp"))).toEqual([]);
      expect(await codeOf(store.append(key, [input("again")]))).toBe("full");

      // A process that starts now gets a clear error or a store, but never a store without the conversation.
      const second = await openEmbeddedStore({ dir: join(disk.folder, "data") }).catch((error) => error);
      if ("code" in second) expect(second.code).toBe("full");
      else {
        expect((await second.load(key)).seq).toBe(acknowledged);
        await second.close();
      }

      disk.resize("20m");
      expect(await codeOf(store.append(key, [input("again")]))).toBe("done");
      const { ref } = await store.putBlob(key, [new Uint8Array(1 << 20)]);
      expect(await store.statBlob(key, ref)).toBe(1 << 20);
      const events = await store.readEvents(key, { limit: 10_000 });
      expect(events.map((stored) => (stored.event.body as { key: string }).key)).toEqual([
        ...Array.from({ length: acknowledged }, (_, n) => `k${n}`),
        "again",
      ]);
      expect(await Array.fromAsync(store.verify())).toEqual([]);
      await store.close();
    } finally {
      disk.unmount();
    }
  });

  it("throws full or succeeds for every other call, and each works again when there is space", async () => {
    const disk = mountSmallDisk("3m");
    try {
      const store = await openEmbeddedStore({ dir: join(disk.folder, "data") });
      await store.createConversation(key);
      await store.createConversation({ ...key, conversation: "to delete" }, { events: [input("k")] });
      const { token } = await store.acquireLease(key, "w", 60_000);
      for (let size = 30_000; size > 0; size = Math.floor(size / 3))
        while ((await codeOf(store.append(key, [input(`k${Math.random()}`, "x".repeat(size))]))) === "done");
      const { seq } = await store.load(key);
      const calls = {
        create: (n: number) => store.createConversation({ ...key, conversation: `new ${n}` }),
        lease: () => store.renewLease(key, token, 60_000),
        artifact: () => store.saveArtifact(key, { kind: "x", payload: "y".repeat(20_000) }),
        stream: (n: number) => store.appendStream(key, { token, stream: `s${n}`, offset: 0, text: "x".repeat(20_000) }),
        search: () => store.search(key, "x"),
        gc: () => store.gc({ graceMs: 0 }),
        verify: () => Array.fromAsync(store.verify()),
        repair: () => Array.fromAsync(store.repair()),
        delete: () => store.deleteConversation({ ...key, conversation: "to delete" }),
        retention: () => store.applyRetention({ idleMs: 3_600_000 }),
      };
      let refused = 0;
      for (const [name, call] of Object.entries(calls))
        for (let n = 0; n < 20; n++) {
          const code = await codeOf(call(n));
          expect([name, ["done", "full", "not_found"].includes(code)]).toEqual([name, true]);
          if (code === "full") refused++;
        }
      expect(refused).toBeGreaterThan(20);
      expect((await store.load(key)).seq).toBe(seq);
      disk.resize("20m");
      for (const [name, call] of Object.entries(calls))
        expect([name, await codeOf(call(99))]).toEqual([name, expect.stringMatching(/^(done|not_found)$/)]);
      expect(await Array.fromAsync(store.verify())).toEqual([]);
      await store.close();
    } finally {
      disk.unmount();
    }
  });

  it("throws full for forks, imports and backups, and leaves nothing incomplete", async () => {
    const disk = mountSmallDisk("6m");
    try {
      const store = await openEmbeddedStore({ dir: join(disk.folder, "data") });
      await store.createConversation(key);
      for (let n = 0; n < 60; n++) await store.append(key, [input(`k${n}`, "x".repeat(20_000))]);
      const file = await Array.fromAsync(store.exportConversation(key));
      const copies: string[] = [];
      let refusal = "done";
      for (let n = 0; refusal === "done" && n < 20; n++) {
        const conversation = `fork ${n}`;
        refusal = await codeOf(store.fork(key, 60, conversation));
        if (refusal === "done") copies.push(conversation);
      }
      expect(refusal).toBe("full");
      expect(await codeOf(store.importConversation({ ...key, conversation: "import" }, file))).toBe("full");
      expect(await codeOf(store.backup(join(disk.folder, "backup")))).toBe("full");
      const { items } = await store.listConversations(key);
      expect(items.map((info) => info.conversation).sort()).toEqual(["c", ...copies].sort());
      disk.resize("40m");
      expect(await codeOf(store.importConversation({ ...key, conversation: "import" }, file))).toBe("done");
      expect(await codeOf(store.fork(key, 60, "fork again"))).toBe("done");
      await store.gc({ graceMs: 0 });
      expect(await Array.fromAsync(store.verify())).toEqual([]);
      await store.close();
    } finally {
      disk.unmount();
    }
  });

  it("answers read_only for a folder it may not write to, and opens when it may", async () => {
    const dir = newFolder();
    const store = await openEmbeddedStore({ dir });
    await store.createConversation(key, { events: [input("k")] });
    await store.putBlob(key, [new Uint8Array(3)]);
    await store.close();
    const restore = makeReadOnly(dir);
    try {
      expect(await codeOf(openEmbeddedStore({ dir }))).toBe("read_only");
      expect(await codeOf(openEmbeddedStore({ dir: join(dir, "below") }))).toBe("read_only");
    } finally {
      restore();
    }
    const again = await openEmbeddedStore({ dir });
    expect((await again.load(key)).seq).toBe(1);
    expect(await Array.fromAsync(again.verify())).toEqual([]);
    await again.close();
  });

  it("throws read_only when only the blobs cannot be written, and the journal continues", async () => {
    const dir = newFolder();
    const first = await openEmbeddedStore({ dir });
    await first.createConversation(key);
    const { ref } = await first.putBlob(key, [new Uint8Array(3)]);
    await first.close();
    const restore = makeReadOnly(join(dir, "blobs"));
    const store = await openEmbeddedStore({ dir });
    try {
      expect(await codeOf(store.putBlob(key, [new Uint8Array(4)]))).toBe("read_only");
      expect((await store.append(key, [input("k")])).lastSeq).toBe(1);
      expect(await Array.fromAsync(store.readBlob(key, ref))).toHaveLength(1);
    } finally {
      await store.close();
      restore();
    }
  });
});
