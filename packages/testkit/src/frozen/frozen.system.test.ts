/**
 * Tests that this version reads the data of earlier versions: every frozen journal loads completely on both back ends,
 * rebuilds its requests byte for byte, and continues until its turns have ended (`packages/testkit/frozen/README.md`).
 */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { type RecordedRequest, rebuildRecorded, recordedRequests } from "@cairn/agent";
import { type JsonObject, type Receipt, Timeline } from "@cairn/timeline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { patience } from "../patience.ts";
import { scratch } from "../scratch.ts";
import { FrozenSet, frozenSets } from "./frozen-set.ts";
import { backEnds, type OpenedFrozen } from "./frozen-store.ts";
import { type JournalFacts, readFacts, readPaths, readRequests } from "./journal-facts.ts";
import {
  isLoweredForAll,
  LOWERINGS,
  lowerPast,
  nameOfLowered,
  nameOfUnsent,
  rebuildBody,
  rebuildReceipt,
  UNSENT_MODEL,
} from "./rebuild.ts";
import { ANSWER, Resumer } from "./resume.ts";
import { triedPaths, triesRequest, triesResume, triesVerify } from "./sample.ts";

/** A time later than any in a set, so that the leases of ended processes have expired. */
const LATER = Date.UTC(2030, 0, 1);
const sets = frozenSets().map((name) => new FrozenSet(name));
const cases = sets.flatMap((set, at) => {
  const known = new Set(sets.slice(0, at).flatMap((earlier) => earlier.journalsOf("sqlite").map(nameOf)));
  return backEnds.map((backEnd) => ({ set, known, ...backEnd }));
});
const countTokens = (text: string) => text.length;

describe.each(cases)(
  "the journals of $set.name on $name",
  { timeout: patience },
  ({ set, known, id, missing, open }) => {
    const clock = { time: LATER, now: () => clock.time };
    const journals = set.journalsOf(id);
    const isKnown = (frozen: JournalFacts) => known.has(nameOf(frozen));
    let opened: OpenedFrozen;
    beforeAll(async () => {
      if (missing === null) opened = await open(set, mkdtempSync(join(scratch, "cairn-frozen-")), clock);
    }, patience);
    afterAll(() => opened?.close());
    const rule = it.skipIf(missing !== null);

    rule("load without a defect, with every event, path, stream, payload and receipt that was readable", async () => {
      expect(journals.length).toBeGreaterThan(0);
      for (const frozen of journals) {
        const paths = triedPaths(frozen, id, isKnown(frozen));
        const read = await readFacts(opened.store, frozen.key, paths);
        expectKept(frozen, read, { ...frozen, paths: pick(frozen.paths, paths) });
        if (triesVerify(frozen, isKnown(frozen)))
          expect(await opened.store.verifyConversation(frozen.key), nameOf(frozen)).toEqual([]);
      }
    });

    rule("rebuild receipts and request bodies byte for byte", async () => {
      const { store } = opened;
      for (const frozen of journals) {
        const { key } = frozen;
        let last: RecordedRequest | null = null;
        for await (const request of recordedRequests(store, key)) {
          const fact = frozen.requests[request.n - 1];
          if (fact !== undefined && triesRequest(frozen, request.n, id, isKnown(frozen))) {
            const place = `request ${request.n} of ${nameOf(frozen)}`;
            const past = await rebuildRecorded(store, key, request, countTokens);
            const sent = fact.body === null ? null : set.request(fact.body);
            expect(firstDifference(await rebuildBody(store, key, past), sent), place).toBeNull();
            expect(ownFields(rebuildReceipt(past, last?.chain ?? null)), place).toEqual(ownFields(fact.receipt));
          }
          last = request;
        }
        expect(last?.n ?? 0, nameOf(frozen)).toBe(frozen.requests.length);
      }
    });

    // Some rules are tested on SQLite only, because they do not depend on where a conversation is stored.
    const once = id === "sqlite" ? rule : () => undefined;
    once("are lowered and spelled for providers that no simulator speaks for", async () => {
      const { store } = opened;
      for (const { key } of journals.filter(({ key }) => isLoweredForAll(key)))
        for await (const request of recordedRequests(store, key)) {
          const past = await rebuildRecorded(store, key, request, countTokens);
          for (const each of LOWERINGS) {
            const name = nameOfLowered(key, past.n, each);
            expect(firstDifference(await lowerPast(store, key, past, each), set.request(name)), name).toBeNull();
          }
          const name = nameOfUnsent(key, past.n);
          expect(
            firstDifference(await rebuildBody(store, key, past, UNSENT_MODEL), set.request(name)),
            name,
          ).toBeNull();
        }
    });

    rule("are imported from the files they were exported to", async () => {
      const exported = set.journalsOf("sqlite");
      expect(set.exports.size).toBeGreaterThan(0);
      for (const [conversation, file] of set.exports) {
        const key = { tenant: "local", project: "default", user: "me", conversation };
        const frozen = exported.find((each) => nameOf(each) === nameOf({ key })) ?? expect.unreachable();
        const target = { ...key, tenant: "later" };
        await opened.store.importConversation(target, [file]);
        const { events, paths, requests } = await readFacts(opened.store, target);
        expectKept(
          frozen,
          // The events that close what the file left open come after the events of the file.
          { events: events.slice(0, frozen.events.length), paths, requests },
          { events: frozen.events, paths: frozen.paths, requests: frozen.requests },
        );
      }
    });

    rule("go on to an end and take another turn, and lose nothing on the way", async () => {
      const { store } = opened;
      await using resumer = await Resumer.open(store, clock);
      for (const frozen of journals.filter((each) => triesResume(each, id, isKnown(each)))) {
        const { key, events, requests } = frozen;
        await resumer.resume(key, "And now?");
        const { state } = await store.load(key);
        const left = { turn: state.openTurn, calls: state.unsettled.size, inputs: state.pendingInputs.size };
        expect(left, nameOf(frozen)).toEqual({ turn: null, calls: 0, inputs: 0 });
        const blocks = state.window.map(({ block }) => block);
        expect(blocks.findLast(({ type }) => type === "user.prompt")?.text, nameOf(frozen)).toBe("And now?");
        expect(blocks.findLast(({ type }) => type === "assistant.completion")?.text, nameOf(frozen)).toBe(ANSWER);
        expectKept(frozen, (await store.readEvents(key, { limit: 10_000 })).slice(0, events.length), events);
        const paths = triedPaths(frozen, id, isKnown(frozen));
        expectKept(frozen, await readPaths(store, key, paths), pick(frozen.paths, paths));
        expectKept(frozen, (await readRequests(store, key)).slice(0, requests.length), requests);
      }
    });
  },
);

describe.each(sets)("the payloads of $name", (set) => {
  it("load as timelines that hold the same blocks", () => {
    for (const frozen of set.journalsOf("sqlite")) {
      const { "conv.timeline.v1": payload, "conv:sources_pool": pool } = frozen.payloads;
      const { sources_pool: rows } = pool as { readonly sources_pool: readonly JsonObject[] };
      const timeline = Timeline.fromPayload(payload, rows, { clock: { now: () => LATER }, countTokens });
      const { blocks, turn_ids } = payload as JsonObject;
      expectKept(frozen, timeline.payload(), { blocks, turn_ids });
      timeline.render();
    }
  });
});

/**
 * Everything in the frozen facts is still there, unchanged. A later version may add fields, and reads the error of a
 * call together with its value.
 */
function expectKept(of: JournalFacts, actual: unknown, frozen: unknown): void {
  if (JSON.stringify(actual) === JSON.stringify(frozen)) return;
  const expected = JSON.parse(JSON.stringify(frozen), (_, value) => (isResult(value) ? orWithError(value) : value));
  expect(JSON.parse(JSON.stringify(actual)), nameOf(of)).toMatchObject(expected);
}

interface Result {
  readonly path: string;
  readonly text: string;
  readonly version: number;
}

/** The artifact at the path of a call's result. Blocks have no version themselves. */
function isResult(value: unknown): value is Result {
  const { path, text, version } = (value ?? {}) as Partial<Record<keyof Result, unknown>>;
  return /^tc:.*\.result$/.test(String(path)) && typeof text === "string" && typeof version === "number";
}

function orWithError(result: Result): object {
  const isSame = (text: string) => {
    if (text === result.text) return true;
    const [error = "", ...value] = text.split("\n");
    return value.join("\n") === result.text && Object.hasOwn(JSON.parse(error), "error");
  };
  return { ...result, text: expect.toSatisfy(isSame) };
}

const RECEIPT_FIELDS = [
  ...["n", "previous", "keep", "added", "stable", "checkpoints", "tools", "tool_hashes", "system", "tail"],
  ...["tokens", "usage", "cost", "resets", "renderer_version", "started_at"],
];

/** The fields that the engine makes, without the fields that the agent adds. */
function ownFields(receipt: Receipt): unknown {
  return pick(receipt, RECEIPT_FIELDS);
}

function pick(object: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
}

/** Returns null when both are equal; otherwise the first difference. */
function firstDifference(rebuilt: string | null, sent: string | null): string | null {
  if (rebuilt === sent) return null;
  if (rebuilt === null || sent === null) return `${rebuilt === null ? "nothing" : "a body"} was rebuilt`;
  let at = 0;
  while (rebuilt[at] === sent[at]) at++;
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 100));
  return `at character ${at}: rebuilt ${around(rebuilt)}, sent ${around(sent)}`;
}

function nameOf({ key }: Pick<JournalFacts, "key">): string {
  return `${key.tenant}/${key.conversation}`;
}
