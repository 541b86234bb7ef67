/**
 * Runs the same random operations on two stores and requires the same answers from both.
 *
 * An answer is the return value of a call, or the code of its error. Ids and times that a back end may choose are
 * normalised: lease tokens become their order of granting, cursors are left out, excerpts are checked by the suite.
 */

import type { ConversationKey, Lease } from "@cairn/store";
import { type BlobRef, CairnError, makeEvent, type TimelineEvent } from "@cairn/timeline";
import fc from "fast-check";
import { anyCharacter } from "../any-character.ts";
import { blobRefOf, type JournalScript, journalScripts } from "./suite/journal-script.ts";
import { bytesOf, type ManualClock, plain, type Store } from "./suite/opened-store.ts";
import { appendBlob, receiveInput, setTitle, TS } from "./suite/writer.ts";

export type Operation =
  | {
      readonly do: "create" | "delete" | "get" | "load" | "release" | "list" | "export" | "verify" | "gc" | "turns";
      readonly key: number;
    }
  | { readonly do: "branches" | "versions" | "show" | "stored" | "deleteTree"; readonly key: number }
  | { readonly do: "lease"; readonly key: number; readonly ttl: number }
  | { readonly do: "batch"; readonly key: number; readonly stale: boolean; readonly skewed: boolean }
  | { readonly do: "inputs"; readonly key: number; readonly names: readonly number[] }
  | { readonly do: "blob"; readonly key: number; readonly byte: number; readonly name: boolean }
  | { readonly do: "readBlob" | "stateAt" | "readEvents"; readonly key: number; readonly at: number }
  | { readonly do: "fork" | "import" | "branch"; readonly key: number; readonly to: number; readonly at: number }
  | { readonly do: "path" | "search" | "recent"; readonly key: number; readonly which: number }
  | { readonly do: "stream"; readonly key: number; readonly offset: number; readonly text: string }
  | { readonly do: "save"; readonly key: number; readonly which: number }
  | { readonly do: "call"; readonly key: number; readonly settle: boolean }
  | { readonly do: "tick"; readonly ms: number };

/** Five conversations: two of one scope and one each of another user, project and tenant. */
const KEYS: readonly ConversationKey[] = [
  { tenant: "t", project: "p", user: "u", conversation: "a" },
  { tenant: "t", project: "p", user: "u", conversation: "b" },
  { tenant: "t", project: "p", user: "v", conversation: "a" },
  { tenant: "t", project: "q", user: "u", conversation: "a" },
  { tenant: "s", project: "p", user: "u", conversation: "a" },
];
const PATHS = [
  "ar:turn_1.user.prompt",
  "ar:turn_1.assistant.completion",
  "fi:turn_1.files/report.md",
  "su:turn_1.conv.range.summary",
  "so:sources_pool[1-3]",
  "tc:turn_1.tc_0_0.call",
  "fi:turn_1.files/report.md@v1",
  "fi:turn_1.files/0.png",
];
const QUERIES = ["lorem", "ipsum d", "dolor sit", "a", "quis", "SIT"];
const KINDS = ["conv.timeline.v1", "conv:sources_pool", "turn.log", "conv.range.summary", "report"];

/** The conversation of an operation, mostly the first one, where most events are. */
const key = fc.oneof(
  { weight: 5, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.constant(1) },
  { weight: 2, arbitrary: fc.nat({ max: KEYS.length - 1 }) },
);
const small = fc.nat({ max: 30 });

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("batch" as const), key, stale: rarely(), skewed: rarely() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("create", "get", "load", "turns", "list", "export", "verify", "gc", "release", "delete"),
      key,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom("branches", "versions", "show", "stored", "deleteTree"), key }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("lease" as const), key, ttl: fc.constantFrom(1, 1_000, 3_600_000) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("inputs" as const),
      key,
      names: fc.array(fc.nat({ max: 5 }), { maxLength: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("blob" as const), key, byte: fc.nat({ max: 3 }), name: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom("readBlob" as const, "stateAt" as const, "readEvents" as const),
      key,
      at: small,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom("fork" as const, "import" as const, "branch" as const),
      key,
      to: key,
      at: small,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("path" as const, "search" as const, "recent" as const),
      key,
      which: small,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("stream" as const),
      key,
      offset: fc.nat({ max: 4 }),
      text: fc.string({ unit: anyCharacter, maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("save" as const), key, which: small }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("call" as const), key, settle: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("tick" as const), ms: fc.constantFrom(1, 999, 3_600_001) }) },
);

function rarely(): fc.Arbitrary<boolean> {
  return fc.nat({ max: 9 }).map((n) => n === 0);
}

/** Every sequence starts with two conversations and a writer, so that most operations have something to work on. */
const START: readonly Operation[] = [
  { do: "create", key: 0 },
  { do: "lease", key: 0, ttl: 3_600_000 },
  { do: "create", key: 1 },
];

export const operations = fc.tuple(
  fc.array(operation, { minLength: 5, maxLength: 25 }).map((list): Operation[] => [...START, ...list]),
  journalScripts(2),
);

/** Runs operations on one store and records every answer. */
export class Player {
  readonly #store: Store;
  readonly #clock: ManualClock;
  readonly #script: JournalScript;
  readonly #prefix: string;
  readonly #leases = new Map<number, Lease>();
  readonly #next = new Map<number, number>();
  readonly #tokens: number[] = [];

  /** `prefix` keeps runs that share a store apart. */
  constructor(store: Store, clock: ManualClock, script: JournalScript, prefix: string) {
    this.#store = store;
    this.#clock = clock;
    this.#script = script;
    this.#prefix = prefix;
  }

  async play(operation: Operation): Promise<unknown> {
    if (operation.do === "tick") return this.#clock.tick(operation.ms);
    this.#clock.tick();
    try {
      return await this.#perform(operation);
    } catch (error) {
      if (CairnError.is(error)) return { error: error.code };
      throw error;
    }
  }

  /** Reads everything that is in the store at the end. */
  async everything(): Promise<unknown> {
    const found: unknown[] = [];
    for (const [index] of KEYS.entries())
      for (const what of ["get", "load", "turns", "list", "verify", "branches", "versions"] as const)
        found.push(await this.play({ do: what, key: index }));
    return found;
  }

  /** Deletes everything, so that the next run starts with an empty store. */
  async clear(): Promise<void> {
    for (const each of [...KEYS, ...KEYS.map((key) => ({ ...key, conversation: "other" }))])
      await this.#store.deleteConversation(this.#keyed(each)).catch(() => null);
  }

  #keyed(given: ConversationKey): ConversationKey {
    return { ...given, project: `${this.#prefix}${given.project}` };
  }

  async #perform(operation: Exclude<Operation, { do: "tick" }>): Promise<unknown> {
    const store = this.#store;
    const key = this.#keyed(KEYS[operation.key] ?? { tenant: "", project: "", user: "", conversation: "" });
    switch (operation.do) {
      case "create":
        this.#forget(operation.key);
        return store.createConversation(key, { attributes: { n: operation.key }, events: [setTitle("made")] });
      case "delete":
        this.#forget(operation.key);
        return store.deleteConversation(key);
      case "get":
        return store.getConversation(key);
      case "load":
        return loaded(await store.load(key));
      case "stateAt":
        return loaded(await store.stateAt(key, operation.at));
      case "readEvents":
        return store.readEvents(key, { after: operation.at, limit: 5 });
      case "list":
        return (await store.listConversations(key)).items;
      case "turns":
        // Whether the agent hid a block is left out, because it is not part of the user's view.
        return JSON.parse(
          JSON.stringify((await store.turns(key)).items, (name, value) => (name === "hidden" ? undefined : value)),
        );
      case "lease": {
        const lease = await store.acquireLease(key, `h${operation.ttl}`, operation.ttl);
        this.#leases.set(operation.key, lease);
        this.#tokens.push(lease.token);
        return { ...lease, token: this.#tokens.indexOf(lease.token) };
      }
      case "release":
        return store.releaseLease(key, this.#leases.get(operation.key)?.token ?? 0);
      case "batch":
        return this.#batch(operation, key);
      case "inputs": {
        const answer = await store.append(
          key,
          operation.names.map((name) => receiveInput(`k${name}`, `message ${name}`)),
        );
        return answer;
      }
      case "call": {
        const call_id = `tc_open_${operation.key}`;
        const started = makeEvent("call.started", { turn_id: "turn_1", call_id, tool_id: "x", ts: TS });
        const settled = makeEvent("call.settled", { call_id, outcome: "ok", ts: TS });
        return this.#write(operation.key, key, [operation.settle ? settled : started]);
      }
      case "blob": {
        const put = await store.putBlob(key, [new Uint8Array([operation.byte])]);
        if (!operation.name) return put;
        const { state } = await store.load(key);
        return this.#write(operation.key, key, [appendBlob(state.nextPosition, put.ref)]);
      }
      case "readBlob": {
        const ref: BlobRef = blobRefOf(new Uint8Array([operation.at % 4]));
        return [await store.statBlob(key, ref), [...(await bytesOf(store.readBlob(key, ref)))]];
      }
      case "fork": {
        const target = KEYS[operation.to]?.conversation === key.conversation ? "fork" : "b";
        // If several errors apply, a back end may return any; the suite tests each alone.
        return store.fork(key, operation.at, target).catch(() => "refused");
      }
      case "branch": {
        const target = operation.key === 1 ? 0 : 1;
        if (operation.key > 1) return store.branch(key, operation.at, "other").catch(() => "refused");
        const { last_seq } = await store.getConversation(key);
        const at = operation.at > 20 ? last_seq : operation.at;
        await store.deleteConversation(this.#keyed(KEYS[target] ?? key)).catch(() => null);
        const made = await store.branch(key, at, KEYS[target]?.conversation ?? "").catch(() => "refused");
        // The rest of the script continues in the branch.
        if (at === last_seq) this.#next.set(target, this.#next.get(operation.key) ?? 0);
        return made;
      }
      case "branches":
        return (await store.branches(key)).items;
      case "versions":
        return store.versions(key);
      case "show":
        return store.show(key);
      case "stored":
        // Only the bytes of the user are compared, because other runs may use the same tenant.
        return (await store.storedBytes(key)).user;
      case "deleteTree":
        this.#forget(operation.key);
        return store.deleteConversation(key, { tree: true });
      case "import": {
        const target = this.#keyed(KEYS[operation.to] ?? key);
        const file = await bytesOf(store.exportConversation(key));
        const info = await store.importConversation(target, [file]);
        return info;
      }
      case "export":
        // Formats differ between back ends; only the restored bytes are compared.
        return (await bytesOf(store.exportConversation(key))).length > 0;
      case "path": {
        const found = await store.findByPath(key, PATHS[operation.which % PATHS.length] ?? "");
        if (found === null) return null;
        // Only blocks at the path are compared: digests may appear beside them, and rows of the pool are not blocks.
        const versions = found.blocks.filter(({ block }) => block.path === found.path && !found.path.startsWith("so:"));
        return [found.path, found.version, found.latestVersion, found.artifact, versions];
      }
      case "search": {
        const query = QUERIES[operation.which % QUERIES.length] ?? "";
        // A back end may show any of several repeats from the same second.
        const ranked = (await store.search(key, query, { limit: 1_000 })).items.map(({ score, repeats }) => [
          score,
          repeats,
        ]);
        const { items } = await store.search(key, query, { match: "all" });
        const hits = items.map(({ excerpt: _, ...hit }) => hit);
        const plain = await Promise.all(
          hits.map((hit) => this.#isPlain({ ...key, conversation: hit.conversation }, hit.seq)),
        );
        const listed = hits.filter((_, index) => plain[index]).map((hit) => JSON.stringify(hit));
        return [ranked, listed.sort()];
      }
      case "recent": {
        const kind = KINDS[operation.which % KINDS.length] ?? "";
        const found = await store.recent(key, { kinds: [kind], limit: 5 });
        return found.map(({ content_str, ...each }) =>
          kind === "conv:sources_pool" ? each : { ...each, content_str },
        );
      }
      case "save": {
        const { which } = operation;
        return store.saveArtifact(key, { kind: "report", payload: { which }, content_str: `s${which}`, ts: TS });
      }
      case "stream": {
        const token = this.#leases.get(operation.key)?.token ?? 0;
        await store.appendStream(key, { token, stream: "s", offset: operation.offset, text: operation.text });
        return store.openStreams(key);
      }
      case "verify":
        return store.verifyConversation(key);
      case "gc": {
        // A back end may choose when to remove bytes; `verify` checks that no referenced bytes are removed.
        await store.gc();
        return store.verifyConversation(key);
      }
      default:
        return operation satisfies never;
    }
  }

  /** The script's next batch, with the current lease, with an old one, or at a wrong position. */
  async #batch(operation: Extract<Operation, { do: "batch" }>, key: ConversationKey): Promise<unknown> {
    const next = this.#next.get(operation.key) ?? 0;
    const batch = this.#script.batches[next];
    if (batch === undefined) return "the script is over";
    if (next === 0) for (const bytes of this.#script.blobs.values()) await this.#store.putBlob(key, [bytes]);
    const { events } = batch;
    const answer =
      batch.class === "inputs"
        ? await this.#store.append(key, events)
        : await this.#write(operation.key, key, events, operation.stale ? -1 : 0, operation.skewed ? 1 : 0);
    this.#next.set(operation.key, next + 1);
    return answer;
  }

  async #write(index: number, key: ConversationKey, events: readonly TimelineEvent[], older = 0, off = 0) {
    const { last_timeline_seq } = await this.#store.getConversation(key);
    const token = (this.#leases.get(index)?.token ?? 0) + older;
    return this.#store.append(key, events, { lease: { token, expectedSeq: last_timeline_seq + off } });
  }

  /** Where words end in text of unassigned characters depends on the tables a back end was built with. */
  async #isPlain(key: ConversationKey, seq: number): Promise<boolean> {
    const [stored] = await this.#store.readEvents(key, { after: seq - 1, limit: 1 });
    return !/[^\x00-\x7f]/.test(JSON.stringify(stored?.event.body).replace(/\\u/g, "\x80"));
  }

  #forget(index: number): void {
    this.#next.delete(index);
  }
}

function loaded({ state, seq, timelineSeq }: Awaited<ReturnType<Store["load"]>>): unknown {
  return { state: plain(state), seq, timelineSeq };
}

/** Runs the operations on both stores and returns the first answer that differs; null if none does. */
export async function firstDifference(
  list: readonly Operation[],
  one: Player,
  two: Player,
): Promise<{ readonly after: Operation | "everything"; readonly one: unknown; readonly two: unknown } | null> {
  for (const each of list) {
    const answers = [await one.play(each), await two.play(each)].map(comparable);
    if (answers[0] !== answers[1]) return { after: each, one: answers[0], two: answers[1] };
  }
  const ends = [await one.everything(), await two.everything()].map(comparable);
  return ends[0] === ends[1] ? null : { after: "everything", one: ends[0], two: ends[1] };
}

function comparable(answer: unknown): string {
  return JSON.stringify(answer, (_, value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
