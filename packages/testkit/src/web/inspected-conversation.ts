/**
 * A conversation with everything that the inspector explains: sources and citations, a file in three versions, a pause
 * in which the cache expires and old turns are pruned, results the agent hides, a compaction, a system text that
 * changes, and a receipt that does not match the sent request. Real turns over a simulated provider.
 */
import { defineTool, reactTools } from "@cairn/agent";
import { makeEvent, type SourceInput } from "@cairn/timeline";
import { z } from "zod";
import type { MessageReply } from "../models/index.ts";
import { ReplayedTrace } from "../turns/replayed-trace.ts";

const PLACES = ["Hollin Gate", "the wall", "the Saddle", "the tree line", "Carrick Law", "the ford", "the sheepfold"];
const STATES = ["stands well", "leans towards the path", "has lost its cap stone", "was built up again in October"];

/** Sentences of a survey. The same number always gives the same sentence. */
function surveyText(from: number, count: number): string {
  return Array.from({ length: count }, (_, nth) => {
    const number = from + nth;
    const place = PLACES[number % PLACES.length];
    const state = STATES[(number * 5) % STATES.length];
    return `Cairn ${number} near ${place} ${state}; ${(number * 7) % 13} stones lie beside it.`;
  }).join("\n");
}

const search = defineTool({
  id: "survey.search",
  description: "Searches the reports of the ridge survey and gives what they say.",
  params: z.object({ query: z.string(), from: z.number(), count: z.number() }),
  run:
    async ({ query, from, count }) =>
    (scribe) => {
      const source: SourceInput = {
        source_type: "web",
        url: `https://survey.example/reports/${from}`,
        title: `Ridge survey, part ${from}: ${query}`,
        text: surveyText(from, Math.min(count, 6)),
      };
      scribe.mergeSources([source]);
      const first = Math.ceil(count / 2);
      scribe.result(surveyText(from, first), "text/plain");
      scribe.result(surveyText(from + first, count - first), "text/plain");
    },
});

const searches = (query: string, from: number, count: number, text?: string): MessageReply => ({
  ...(text === undefined ? {} : { text }),
  calls: [{ name: "survey__search", input: { query, from, count } }],
});
const writes = (content: string): MessageReply => ({
  calls: [{ name: "react__write", input: { path: "files/repairs.md", channel: "canvas", kind: "file", content } }],
});
const says = (text: string): MessageReply => ({ text });

/** Hides the last visible result. */
const hides = ({ texts }: { readonly texts: readonly string[] }): MessageReply => {
  const path =
    texts
      .join("\n")
      .match(/tc:\S+\.result/g)
      ?.at(-1) ?? "";
  const replacement_text = "Part 60 of the survey: no cairn near the ford needs work.";
  return { calls: [{ name: "react__hide", input: { path, replacement_text } }] };
};

const INSTRUCTIONS = [
  "You look after the cairns of the North Ridge path.",
  "Answer from the survey, and cite what you say.",
  "Say what is missing rather than guess.",
].join("\n");

const SHORT = { instructions: `${INSTRUCTIONS}\nKeep it short.` };

export async function playInspectedConversation(): Promise<ReplayedTrace> {
  const trace = await ReplayedTrace.open(
    { system_tokens: 0, tools_tokens: 0, turns: [] },
    {
      model: "anthropic:claude-sonnet-5",
      // The cost of a request, and therefore the time of its compaction, depends on the lowering.
      lowering: "flat",
      contextTokens: 13_000,
      agent: {
        instructions: INSTRUCTIONS,
        tools: [...reactTools(), search],
        memory: {
          // Prunes by age only: the blocks that are pruned when the cache expires must still be visible then.
          prune: "seed",
          session: { keep_recent_turns: 2, keep_recent_intact_turns: 1, cache_truncation_max_text_chars: 500 },
        },
      },
    },
  );
  await trace.turn("Which cairns need repair before the winter?", [
    searches("repairs before the winter", 1, 60, "I look at the first part of the survey."),
    searches("fallen cairns", 20, 60),
    searches("cap stones", 40, 30),
    says("Nine cairns have lost their cap stone [[S:1]], and three lean towards the path [[S:2,3]]."),
  ]);
  await trace.turn("Write that down as a list of repairs.", [
    writes("# Repairs\n\n- Cairn 3: cap stone\n- Cairn 8: leans\n"),
    writes("# Repairs\n\n- Cairn 3: cap stone\n- Cairn 8: leans towards the path\n- Cairn 12: rebuild\n"),
    writes("# Repairs\n\n- Cairn 3: cap stone\n- Cairn 12: rebuild, twelve stones\n"),
    says("The list of repairs is in repairs.md."),
  ]);
  // The cache expires, and old turns are pruned.
  trace.pass(400);
  await trace.turn("Does anything near the ford need work?", [
    searches("the ford", 60, 50),
    hides,
    says("Nothing near the ford needs work [[S:4]]."),
  ]);
  trace.pass(60);
  await trace.turn("And above the tree line?", [
    searches("above the tree line", 100, 120),
    searches("the Saddle", 220, 120),
    searches("Carrick Law", 340, 120),
    searches("the sheepfold", 460, 120),
    says("Above the tree line four cairns lean [[S:5-8]]."),
  ]);
  trace.pass(30);
  await trace.turn("Thank you. In one sentence?", [says("Cap stones first, then the four that lean.")], {
    agent: SHORT,
  });
  await trace.turn("And what first?", [searches("cap stones", 40, 12), says("Cairn 3 [[S:3]].")], { agent: SHORT });
  await forgeReceipt(trace);
  return trace;
}

/** A receipt with two different messages in the middle, as an undeclared change would produce. */
async function forgeReceipt({ store, key }: ReplayedTrace): Promise<void> {
  const events = await store.readEvents(key, { limit: 10_000 });
  const last = events.findLast(({ event }) => !("unknown" in event) && event.kind === "model.receipt")?.event;
  if (last === undefined || "unknown" in last || last.kind !== "model.receipt") throw new Error("There is no receipt.");
  const { n = 0, stable = 0, usage } = last.body;
  const keep = Math.max(0, stable - 4);
  const added = Array.from({ length: 4 }, (_, nth) => String(nth).repeat(64));
  const read = Math.round((usage?.cache_read_tokens ?? 0) / 3);
  const body = {
    ...last.body,
    n: n + 1,
    previous: n,
    keep,
    added,
    resets: [],
    ...(usage === undefined ? {} : { usage: { ...usage, cache_read_tokens: read, cache_write_tokens: read * 2 } }),
  };
  const { token, last_timeline_seq } = await store.acquireLease(key, "a renderer with a fault", 60_000);
  await store.append(key, [makeEvent("model.receipt", body)], { lease: { token, expectedSeq: last_timeline_seq } });
  await store.releaseLease(key, token);
}
