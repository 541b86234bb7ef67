import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EmbeddedStore, openEmbeddedStore } from "@cairn/store";
import { make } from "@cairn/testkit/conversation";
import { type Block, Timeline } from "@cairn/timeline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listPastTurns } from "../tool/past-turns.ts";
import { openStoreWorkspace } from "./store-workspace.ts";
import type { Workspace } from "./workspace.ts";

const key = { tenant: "t", project: "p", user: "u", conversation: "c" };
const at = { turn: "turn_1", call: "tc_1", iteration: 1 };
let folder: string;
let store: EmbeddedStore;
let workspace: Workspace;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-store-workspace-"));
  store = await openEmbeddedStore({ dir: join(folder, "data"), sync: "off" });
  workspace = await openStoreWorkspace(store, key, join(folder, "out"));
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

async function tell(blocks: readonly Block[], blob?: Uint8Array): Promise<void> {
  const timeline = Timeline.create({ clock: { now: () => 0 }, countTokens: (text) => text.length });
  await store.createConversation(key);
  const meta = blob === undefined ? {} : { blob: (await store.putBlob(key, [blob])).ref };
  timeline.openTurn("turn_1");
  timeline.contribute(blocks.map((block) => ({ ...block, meta: { ...block.meta, ...meta } })));
  timeline.closeTurn("complete");
  const { token, last_timeline_seq } = await store.acquireLease(key, "test", 1_000);
  await store.append(key, timeline.takeEvents(), { lease: { token, expectedSeq: last_timeline_seq } });
}

const text = async (path: string) => {
  const bytes = await workspace.read(path);
  return bytes === null ? null : Buffer.from(bytes).toString();
};

describe("the workspace of a stored conversation", () => {
  it("pulls a file by its bytes, and hosts files that can be pulled elsewhere", async () => {
    await tell(make.file(at, { name: "a.bin", mime: "application/zip" }), Buffer.from("bytes"));
    expect(await text("turn_1/files/a.bin")).toBe("bytes");
    const { blob, size_bytes } = await workspace.host("turn_1/files/a.bin");
    expect(await store.statBlob(key, blob)).toBe(size_bytes);
  });

  it("pulls a text that has no stored bytes, but never only a part of a text", async () => {
    await tell([
      ...make.file(at, { name: "a.md", mime: "text/markdown", text: "one", extra: { size_bytes: 3 } }),
      ...make.file(
        { ...at, call: "tc_2" },
        { name: "b.md", mime: "text/markdown", text: "one...[truncated]", extra: { size_bytes: 90_000 } },
      ),
    ]);
    expect(await text("turn_1/files/a.md")).toBe("one");
    expect(await text("turn_1/files/b.md")).toBeNull();
    expect(await text("turn_1/files/none.md")).toBeNull();
  });

  it("returns the version in the journal, not a leftover in the folder", async () => {
    const late = async () => openStoreWorkspace(store, key, join(folder, "out"));
    for (const path of ["turn_1/files/a.bin", "turn_1/files/a.bin@v1", "turn_1/files/free"])
      await workspace.write(path, "left behind");
    await tell(make.file(at, { name: "a.bin", mime: "application/zip" }), Buffer.from("bytes"));
    workspace = await late();
    expect(await text("turn_1/files/a.bin")).toBe("bytes");
    // A file name that looks like a version of another file is its own file; the journal knows neither of these two.
    expect(await text("turn_1/files/a.bin@v1")).toBe("left behind");
    expect(await text("turn_1/files/free")).toBe("left behind");
  });

  it("comes with a list of past turns, which tools can read", async () => {
    await tell([make.prompt("turn_1", "x".repeat(600)), make.completion("turn_1", "An answer.")]);
    expect(await listPastTurns(store, key)).toEqual([
      {
        turn_id: "turn_1",
        opened_at: "1970-01-01T00:00:00.000Z",
        prompt: `${"x".repeat(500)}…`,
        completion: "An answer.",
      },
    ]);
  });
});
