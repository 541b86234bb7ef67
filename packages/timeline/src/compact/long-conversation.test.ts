/**
 * A conversation of 300 turns in a window of 60,000 tokens, with facts in every kind of content. From any later request
 * alone, at most two reads of visible paths lead to each fact, whether the summariser works, fails half the time or
 * does not exist.
 */
import { make } from "@cairn/testkit/conversation";
import { bySize } from "@cairn/testkit/runs";
import { describe, expect, it } from "vitest";
import { resolveArtifact } from "../artifact/artifact.ts";
import { CairnError } from "../base/error.ts";
import type { Block } from "../block/block.ts";
import type { TimelineEvent } from "../event/event.ts";
import { finishMaintenance, maintain } from "../maintain.ts";
import { canonicalPath } from "../path/resolve.ts";
import { splitVersion } from "../path/version.ts";
import { TimelineState } from "../state/state.ts";
import { Timeline } from "../timeline.ts";

const TURNS = bySize({ quick: 160, usual: 300, long: 300 });
const ROUNDS = 3;
const FACTS = 100;
const WINDOW = 60_000;
const BUDGET = { maxTokens: WINDOW, systemTokens: 6_000, toolsTokens: 4_000, maxOutputTokens: 2_000 };

const countTokens = (text: string) => Math.ceil(text.length / 4);
const filler = (chars: number, seed: number) => `${"lorem ipsum dolor sit amet ".repeat(chars / 27)}${seed}`;

type Place = "prompt" | "result" | "file" | "answer" | "attachment";
const PLACES: readonly Place[] = ["prompt", "result", "file", "answer", "attachment"];

interface Planted {
  readonly fact: string;
  readonly turn: number;
  readonly place: Place;
}

const planted: readonly Planted[] = Array.from({ length: FACTS }, (_, i) => ({
  fact: `fact-${i}-${(i * 7919).toString(36)}`,
  turn: 1 + Math.floor((i * (TURNS - 10)) / FACTS),
  place: PLACES[i % PLACES.length] ?? "prompt",
}));

const DIRECTIVES = new Map([
  [2, "Always answer in short sentences."],
  [40, "Never use the word synergy."],
  [150, "From now on, quote prices in euros."],
]);

function factAt(turn: number, place: Place): string {
  return planted
    .filter((each) => each.turn === turn && each.place === place)
    .map((each) => each.fact)
    .join(" ");
}

/** Everything that was ever appended, by canonical path, as a store's index returns it. */
class Journal {
  readonly #blocks = new Map<string, { block: Block; version: number }[]>();

  take(events: readonly TimelineEvent[]): void {
    for (const event of events) {
      if (event.kind !== "block.appended" && event.kind !== "compaction.committed") continue;
      const body = event.body as { block?: Block; summary?: Block; version: number };
      const block = body.block ?? body.summary;
      if (block?.path === undefined) continue;
      const key = canonicalPath(block.path) ?? block.path;
      this.#blocks.set(key, [...(this.#blocks.get(key) ?? []), { block, version: body.version }]);
    }
  }

  /** What `react.read` returns: the description of an attachment, and its content. */
  read(path: string): string {
    const { path: base, version } = splitVersion(path);
    const state = new TimelineState();
    const blocks = (this.#blocks.get(base) ?? []).filter((each) => version === null || each.version === version);
    for (const each of blocks) state.append(each.block, each.version, 0);
    const described = blocks
      .filter(({ block }) => block.type === "user.attachment.meta")
      .map(({ block }) => block.text);
    try {
      return [...described, resolveArtifact(state, path)?.text ?? ""].join("\n");
    } catch (error) {
      if (CairnError.is(error)) return "";
      throw error;
    }
  }
}

function pathsIn(text: string): Set<string> {
  const found = text.match(/\b(?:ar|fi|tc|so|su):[^\s,|()]+/g) ?? [];
  return new Set(
    found.map((path) => path.replace(/[:\].]+$/, (end) => (path.startsWith("so:") ? "]" : end.replace(/[:\].]/g, "")))),
  );
}

/** The text a reader of one request can reach with at most two reads of paths it sees. */
function reachable(request: string, journal: Journal): string {
  const once = [...pathsIn(request)].map((path) => journal.read(path)).join("\n");
  const twice = [...pathsIn(once)].map((path) => journal.read(path)).join("\n");
  return `${request}\n${once}\n${twice}`;
}

function playTurn(timeline: Timeline, nth: number, request: () => void): void {
  const turn = `turn_${nth}`;
  timeline.contribute([
    make.header(turn),
    make.prompt(
      turn,
      [`Question ${nth}.`, DIRECTIVES.get(nth) ?? "", factAt(nth, "prompt"), filler(300, nth)].join(" "),
    ),
  ]);
  const attached = factAt(nth, "attachment");
  if (attached !== "")
    timeline.contribute(make.attachment(turn, { name: `data-${nth}.csv`, mime: "text/csv", summary: attached }));
  for (let round = 0; round < ROUNDS; round++) {
    request();
    const at = { turn, call: `c${nth}x${round}`, iteration: round };
    const isFile = round === 1;
    const text = `${filler(1_200, nth)} ${round === 0 ? factAt(nth, "result") : ""}`;
    const written = make.file(at, {
      name: `note-${nth}.md`,
      mime: "text/markdown",
      text: `${filler(600, nth)} ${factAt(nth, "file")}`,
    });
    timeline.contribute([
      make.notes(at, `Looking at ${nth}`),
      ...(isFile
        ? [make.call(at, "react.write", { path: `note-${nth}.md` }), ...written]
        : [make.call(at, "mcp.shop.lookup", { id: nth }), make.result(at, text, "text/plain")]),
    ]);
  }
  request();
  timeline.contribute([make.completion(turn, `${factAt(nth, "answer")} ${filler(400, nth)}`)]);
}

type Summariser = readonly [what: string, prose: (n: number) => string | null];
const WORKS: Summariser = ["works", (n) => `Goal: help. Progress: summary ${n}.`];
const FAILS: Summariser = ["fails half the time", (n) => (n % 2 === 0 ? null : `Goal: help ${n}.`)];
const MISSING: Summariser = ["does not exist", () => null];
const ALL = [WORKS, FAILS, MISSING];

describe.each(bySize({ quick: [FAILS], usual: ALL, long: ALL }))(
  `${TURNS} turns in 60,000 tokens when the summariser %s`,
  (_, prose) => {
    it("stay within the window, keep directives in view and every planted fact within two reads", () => {
      const timeline = Timeline.create({ clock: { now: () => 0 }, countTokens });
      const journal = new Journal();
      let compactions = 0;
      let now = 0;
      const request = () => {
        now += 400;
        const maintenance = maintain(timeline, { prune: { now, policy: "economic" }, budget: BUDGET });
        const text = prose(compactions);
        const { compaction } = finishMaintenance(timeline, maintenance, { summary: text, prefix: text });
        if (compaction !== null) compactions++;
        const fixed = BUDGET.systemTokens + BUDGET.toolsTokens + BUDGET.maxOutputTokens;
        const sent = timeline.render({ includeSources: true }).messages();
        const tokens = sent.reduce(
          (sum, message) => sum + (message.type === "text" ? countTokens(message.text) : 0),
          0,
        );
        expect(tokens + fixed).toBeLessThanOrEqual(WINDOW);
        journal.take(timeline.takeEvents());
      };
      for (let nth = 1; nth <= TURNS; nth++) {
        playTurn(timeline, nth, request);
        if (nth % 20 !== 0) continue;
        request();
        const shown = timeline
          .render()
          .messages()
          .flatMap((message) => (message.type === "text" ? [message.text] : []));
        const text = shown.join("");
        for (const [turn, directive] of DIRECTIVES) if (turn <= nth) expect(text).toContain(directive);
        const all = reachable(text, journal);
        const lost = planted.filter((each) => each.turn <= nth && !all.includes(each.fact));
        expect(lost).toEqual([]);
      }
      expect(compactions).toBeGreaterThan(5);
    });
  },
);
