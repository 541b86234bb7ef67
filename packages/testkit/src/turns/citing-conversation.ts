/**
 * Conversations whose texts cite random numbers, right and wrong ones, while parallel searches find new sources: many
 * calls of one decision finish in any order, processes crash and others continue, and forks find other pages under the
 * same numbers. When a request is made, the sources it shows are recorded as those the text may cite.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTick } from "node:timers/promises";
import {
  type AnyTool,
  defineTool,
  type Model,
  openStoreWorkspace,
  reactTools,
  runTurn,
  type TurnSignal,
} from "@cairn/agent";
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { type JsonObject, makeEvent, type RenderedView } from "@cairn/timeline";
import fc from "fast-check";
import { z } from "zod";
import type { ManualClock } from "../store/index.ts";
import { Life } from "./life.ts";

export interface CitingPlan {
  readonly turns: readonly CitingTurn[];
  /** Duration of calls, in turns of the event loop. */
  readonly waits: readonly number[];
}

interface CitingTurn {
  /** The conversation of this step: an index among the conversations that exist at that time. */
  readonly on: number;
  readonly decisions: readonly CitingDecision[];
  /** The numbers that the answer of the turn cites. */
  readonly answer: readonly number[];
  /** The steps at which each attempt at the turn crashes. */
  readonly deaths: readonly number[];
  readonly forksAfter: boolean;
}

type CitingCall =
  | { readonly find: number }
  | { readonly write: string; readonly by: "react.write" | "react.patch"; readonly sids: readonly number[] };

interface CitingDecision {
  /** The numbers that the notes of the decision cite; no notes if empty. */
  readonly notes: readonly number[];
  readonly calls: readonly CitingCall[];
}

const sids = fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 4 });
const call = fc.oneof(
  fc.record({ find: fc.integer({ min: 1, max: 2 }) }),
  fc.record({
    write: fc.constantFrom("a.md", "b.md", "c.html"),
    // A patch that is not a diff replaces the file, if it exists.
    by: fc.constantFrom("react.write" as const, "react.patch" as const),
    sids,
  }),
);

export const citingPlan: fc.Arbitrary<CitingPlan> = fc.record({
  turns: fc.array(
    fc.record({
      on: fc.nat(2),
      decisions: fc.array(fc.record({ notes: sids, calls: fc.array(call, { minLength: 1, maxLength: 4 }) }), {
        maxLength: 3,
      }),
      answer: sids,
      deaths: fc.array(fc.nat(40), { maxLength: 2 }),
      forksAfter: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  waits: fc.array(fc.nat(6), { maxLength: 12 }),
});

/** A text as it was written: the numbers it cites, and the titles its request showed under them. */
export interface CitingText {
  readonly sids: readonly number[];
  readonly shown: ReadonlyMap<number, string>;
}

export interface CitingPlayed {
  readonly conversations: readonly ConversationKey[];
  /** Texts by the tag with which each begins. */
  readonly texts: ReadonlyMap<string, CitingText>;
  /** The streamed part of each text, citations replaced. */
  readonly streamed: readonly string[];
}

/** The id of this text; null for one that a model did not write. */
export function tagOf(text: string): string | null {
  return /^(?:<p>)?(t\d+):/.exec(text)?.[1] ?? null;
}

export async function playCiting(
  plan: CitingPlan,
  { store, clock, folder, name }: { store: ConversationStore; clock: ManualClock; folder: string; name: string },
): Promise<CitingPlayed> {
  const player = new Player(plan, store, clock, join(folder, name), name);
  await player.play();
  return player;
}

const USAGE = { input: 10, output: 2, cacheRead: 0, cacheWrite: 0 };

class Player implements CitingPlayed {
  readonly conversations: ConversationKey[] = [];
  readonly texts = new Map<string, CitingText>();
  readonly streamed: string[] = [];
  readonly #plan: CitingPlan;
  readonly #store: ConversationStore;
  readonly #clock: ManualClock;
  readonly #folder: string;
  readonly #name: string;
  readonly #waits: number[];
  readonly #streams = new Map<string, number>();
  #decisions: CitingDecision[] = [];
  #answer: readonly number[] = [];
  #pages = 0;
  #ids = 0;
  #now = Date.parse("2026-02-09T10:00:00Z");

  constructor(plan: CitingPlan, store: ConversationStore, clock: ManualClock, folder: string, name: string) {
    this.#plan = plan;
    this.#store = store;
    this.#clock = clock;
    this.#folder = folder;
    this.#name = name;
    this.#waits = [...plan.waits];
  }

  async play(): Promise<void> {
    const first = { tenant: "t", project: "p", user: "u", conversation: this.#name };
    await this.#store.createConversation(first);
    this.conversations.push(first);
    for (const [nth, turn] of this.#plan.turns.entries()) {
      const key = this.conversations[turn.on % this.conversations.length] ?? first;
      this.#decisions = [...turn.decisions];
      this.#answer = turn.answer;
      const ts = new Date(this.#now).toISOString();
      const input = { key: `i${nth}`, mode: "turn" as const, message: `Go ${nth}`, attachments: [], ts };
      await this.#store.append(key, [makeEvent("input.received", input)]);
      for (const death of [...turn.deaths, null]) if (await this.#live(key, death)) break;
      if (!turn.forksAfter) continue;
      const fork = { ...key, conversation: `${this.#name}-${nth}` };
      await this.#store.fork(key, (await this.#store.load(key)).seq, fork.conversation);
      this.conversations.push(fork);
    }
  }

  /** One attempt of a process; false when it crashed. */
  async #live(key: ConversationKey, death: number | null): Promise<boolean> {
    const life = new Life(death);
    const folder = join(this.#folder, key.conversation);
    await mkdir(folder, { recursive: true });
    try {
      const store = life.store(this.#store);
      const workspace = await openStoreWorkspace(store, key, folder);
      const { status } = await runTurn({
        agent: { name: "citing", instructions: "You cite.", model: life.model(this.#model()), tools: this.#tools() },
        store,
        key,
        workspace,
        signal: life.signal,
        ids: { turn: () => `turn_${++this.#ids}`, call: () => `tc_${(++this.#ids).toString(16).padStart(12, "0")}` },
        countTokens: (text) => Math.ceil(text.length / 4),
        now: () => (this.#now += 10),
        sleep: async () => undefined,
        random: () => 0.5,
        holder: `life-${++this.#ids}`,
        listener: (signal) => this.#listen(signal),
      });
      return status === "ended" || status === "idle";
    } catch (error) {
      if (error !== life.death) throw error;
      // Time passes, so that the lease of the crashed process expires.
      this.#clock.tick(120_000);
      return false;
    }
  }

  #listen(signal: TurnSignal): void {
    if (signal.type !== "delta" || signal.kind !== "say") return;
    const at = this.#streams.get(signal.stream) ?? this.streamed.push("") - 1;
    this.#streams.set(signal.stream, at);
    this.streamed[at] = (this.streamed[at] ?? "") + signal.text;
  }

  /** A text that cites these numbers, recorded with the sources its writer sees. */
  #write(named: readonly number[], view: RenderedView): string {
    const tag = `t${this.texts.size + 1}`;
    this.texts.set(tag, { sids: [...new Set(named)], shown: shownSources(view) });
    return `${tag}: ${named.map((sid) => `so [[S:${sid}]]`).join(", ")}.`;
  }

  #model(): Model {
    const player = this;
    return {
      id: "citing",
      provider: "anthropic",
      contextTokens: 200_000,
      maxOutputTokens: 4_000,
      stream: async function* ({ view }) {
        const decision = player.#decisions.shift();
        if (decision === undefined) {
          yield { type: "text", text: player.#write(player.#answer, view) };
          yield { type: "finish", reason: "stop", usage: USAGE };
          return;
        }
        if (decision.notes.length > 0) yield { type: "text", text: player.#write(decision.notes, view) };
        for (const [index, each] of decision.calls.entries()) {
          yield { type: "call", index, name: "find" in each ? "site.find" : each.by };
          yield { type: "params", index, text: JSON.stringify(player.#params(each, view)) };
        }
        yield { type: "finish", reason: "calls", usage: USAGE };
      },
    };
  }

  #params(each: CitingCall, view: RenderedView): JsonObject {
    if ("find" in each) return { pages: each.find };
    const text = this.#write(each.sids, view);
    const content = each.write.endsWith(".html") ? `<p>${text}</p>` : text;
    return { path: each.write, [each.by === "react.write" ? "content" : "patch"]: content };
  }

  #tools(): AnyTool[] {
    const find = defineTool({
      id: "site.find",
      description: "Finds pages that nobody has found before.",
      params: z.object({ pages: z.number() }),
      run: async ({ pages }) => {
        await this.#wait();
        const rows = Array.from({ length: pages }, () => {
          const page = ++this.#pages;
          return { source_type: "web", url: `https://e.com/${page}`, title: `Page ${page}`, text: "Found." };
        });
        return (scribe) => {
          scribe.mergeSources(rows);
          scribe.result("found", "text/plain");
        };
      },
    });
    const slow = reactTools().map((tool): AnyTool => {
      if (tool.id !== "react.write" && tool.id !== "react.patch") return tool;
      const run: AnyTool["run"] = async (params, context) => {
        await this.#wait();
        return tool.run(params, context);
      };
      return { ...tool, run };
    });
    return [find, ...slow];
  }

  async #wait(): Promise<void> {
    for (let left = this.#waits.shift() ?? 0; left > 0; left--) await nextTick();
  }
}

/** The titles under the numbers that a request lists. */
function shownSources(view: RenderedView): ReadonlyMap<number, string> {
  const texts = [...view.messages()].flatMap((message) => (message.type === "text" ? [message.text] : []));
  const pool = texts.findLast((text) => text.startsWith("SOURCES POOL")) ?? "";
  const rows = pool.matchAll(/^\[S:(\d+)\].*?"([^"]+)"/gm);
  return new Map([...rows].map(([, sid, title]) => [Number(sid), title ?? ""]));
}
