/** After deletion and `gc`, nothing of a deleted text is left in the files of a store, nor in a backup of it. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { costlyRuns } from "@cairn/testkit/runs";
import { makeEvent } from "@cairn/timeline";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { openEmbeddedStore } from "./embedded-store.ts";

const TS = "2026-02-09T10:00:00Z";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "cairn-deletion-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The runs of 8 bytes of the texts that occur in some file below the folder. */
function windowsFound(folder: string, texts: readonly string[]): string[] {
  const windows = new Set<string>();
  for (const text of texts) {
    const bytes = Buffer.from(text).toString("latin1");
    for (let at = 0; at + 8 <= bytes.length; at++) windows.add(bytes.slice(at, at + 8));
  }
  const found: string[] = [];
  for (const file of filesBelow(folder)) {
    const content = readFileSync(file).toString("latin1");
    for (let at = 0; at + 8 <= content.length; at++) {
      const window = content.slice(at, at + 8);
      if (windows.has(window)) found.push(`${file} at ${at}: ${window}`);
    }
  }
  return found;
}

/** Random words that occur nowhere else, in the given number. */
const secretText = (words: number) =>
  Array.from({ length: words }, () => randomBytes(9).toString("base64url")).join(" ");

async function fill(
  store: Awaited<ReturnType<typeof openEmbeddedStore>>,
  conversation: string,
  texts: readonly string[],
) {
  const key = { tenant: "t", project: "p", user: "u", conversation };
  await store.createConversation(key);
  const { token } = await store.acquireLease(key, "w", 60_000);
  let expectedSeq = 0;
  let position = 0;
  for (const [nth, text] of texts.entries()) {
    const turn_id = `turn_${nth}`;
    const events = [
      makeEvent("turn.opened", { turn_id, ts: TS }),
      makeEvent("block.appended", {
        position: position++,
        tokens: 1,
        version: 1,
        block: { type: "user.prompt", turn_id, path: `ar:${turn_id}.user.prompt`, text },
      }),
      makeEvent("meta.set", { conversation_title: text.slice(0, 60) }),
      makeEvent("turn.closed", { turn_id, ts: TS, exit: "complete" }),
    ];
    ({ lastTimelineSeq: expectedSeq } = await store.append(key, events, { lease: { token, expectedSeq } }));
    await store.appendStream(key, { token, stream: `s${nth}`, offset: 0, text });
    await store.saveArtifact(key, { kind: "report", payload: { text }, content_str: text });
    await store.putBlob(key, [Buffer.from(text)]);
  }
  await store.releaseLease(key, token);
  return key;
}

it("no 8-byte window of it is in the database, its log, the blobs or a new backup", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 12 }),
      async (gone, stays) => {
        const folder = mkdtempSync(join(tmpdir(), "cairn-deletion-"));
        let now = Date.parse(TS);
        const store = await openEmbeddedStore({ dir: join(folder, "data"), clock: { now: () => now }, sync: "off" });
        try {
          const secrets = gone.map(secretText);
          const kept = stays.map(secretText);
          // Remaining content is before, between and after deleted content, so that they share pages.
          await fill(store, "before", kept.slice(0, 1));
          const key = await fill(store, "gone", secrets);
          await fill(store, "behind", kept.slice(1));
          for (const text of [...secrets, ...kept]) await store.search(key, text.split(" ")[0] ?? "");
          expect(windowsFound(folder, secrets)).not.toEqual([]);
          await store.deleteConversation(key);
          now += 2 * 3_600_000;
          await store.gc();
          await store.backup(join(folder, "backup"));
          expect(windowsFound(folder, secrets)).toEqual([]);
          if (kept.length > 1) expect(windowsFound(join(folder, "backup"), kept.slice(1))).not.toEqual([]);
        } finally {
          await store.close();
          rmSync(folder, { recursive: true, force: true });
        }
      },
    ),
    { numRuns: Math.ceil(costlyRuns / 25) },
  );
});

it("only the user who runs a store may read its files, its blobs and its backups", async () => {
  const folder = temporaryFolder();
  const store = await openEmbeddedStore({ dir: join(folder, "deep", "data") });
  await fill(store, "c", ["x"]);
  await store.backup(join(folder, "backup"));
  const modes = [join(folder, "deep", "data"), join(folder, "backup")].flatMap((each) =>
    [each, ...filesBelow(each)].map((path) => [path.slice(folder.length), statSync(path).mode & 0o077]),
  );
  expect(modes.length).toBeGreaterThan(6);
  expect(modes.filter(([, others]) => others !== 0)).toEqual([]);
  await store.close();
});
