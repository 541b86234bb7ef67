/**
 * Measures which part of a conversation stays in view after compaction. Each conversation is played into a window of
 * 32,000 tokens, without a model that writes prose, with maintenance before each request. A message counts as in view
 * if the last request shows all of its words, or an order that was given in it. A message is within two reads if a path
 * in view leads to it, or leads to a text that contains its path.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedStore } from "@cairn/store";
import {
  finishMaintenance,
  loadTokenizer,
  maintain,
  standingOrders,
  Timeline,
  type TimelineEvent,
} from "@cairn/timeline";
import { answerable, type RecallConversation, type RecallMessage, type RecallSet } from "./recall-set.ts";

export interface InViewResult {
  readonly set: string;
  /** The subject of the questions, if the set names it. */
  readonly about: string;
  readonly questions: number;
  /** The share of a question's evidence that is in view, averaged over all questions; from 0 to 1. */
  readonly in_view: number;
  readonly within_two_reads: number;
}

const KEY = { tenant: "bench", project: "recall", user: "reader", conversation: "c" };
const BUDGET = { maxTokens: 32_000, systemTokens: 1_500, toolsTokens: 3_000, maxOutputTokens: 2_000 };
const countTokens = await loadTokenizer();
const START = Date.UTC(2026, 0, 1);

export async function measureInView({ name, conversations }: RecallSet): Promise<InViewResult[]> {
  const tallies = new Map<string, { questions: number; inView: number; withinTwo: number }>();
  for (const conversation of conversations) {
    const left = await play(conversation);
    for (const { about = "all", evidence } of answerable(conversation)) {
      const tally = tallies.get(about) ?? { questions: 0, inView: 0, withinTwo: 0 };
      tally.questions++;
      tally.inView += evidence.filter(left.isInView).length / evidence.length;
      tally.withinTwo += evidence.filter(left.isWithinTwoReads).length / evidence.length;
      tallies.set(about, tally);
    }
  }
  return [...tallies].map(([about, { questions, inView, withinTwo }]) => ({
    set: name,
    about,
    questions,
    in_view: inView / questions,
    within_two_reads: withinTwo / questions,
  }));
}

async function play({ messages }: RecallConversation) {
  const events: TimelineEvent[] = [];
  const timeline = Timeline.create({ clock: { now: () => START }, countTokens });
  const paths = new Map<string, string>();
  let turn = "";
  for (const [nth, message] of messages.entries()) {
    const begins = turn === "" || message.role === "user";
    if (begins) turn = `turn_${START + nth}_recall`;
    const block = blockOf(message, turn, nth);
    paths.set(message.id, block.path);
    timeline.contribute(begins ? [{ type: "turn.header", turn_id: turn, ts: block.ts }, block] : [block]);
    finishMaintenance(timeline, maintain(timeline, { budget: BUDGET }));
    events.push(...timeline.takeEvents());
  }
  const view = textOf(timeline.render().messages());
  const texts = new Map(messages.map(({ id, text }) => [id, text.trim()]));
  const orders = Map.groupBy(standingOrders(timeline.state), ({ path }) => path ?? "");
  const readable = await readAll(
    events,
    [...view.matchAll(/\bsu:[\w.@-]+/g)].map(([path]) => path),
  );
  const isInView = (id: string): boolean =>
    view.includes(texts.get(id) ?? "") ||
    (orders.get(paths.get(id) ?? "") ?? []).some(({ text }) => view.includes(text));
  const isWithinTwoReads = (id: string): boolean => {
    const path = paths.get(id) ?? "";
    return isInView(id) || view.includes(path) || readable.some((text) => text.includes(path));
  };
  return { isInView, isWithinTwoReads };
}

/** Reads like `react.read`: from the store, which also has what compaction dropped. */
async function readAll(events: readonly TimelineEvent[], paths: readonly string[]): Promise<string[]> {
  const dir = mkdtempSync(join(process.env.CAIRN_BENCH_DIR ?? tmpdir(), "cairn-bench-recall-"));
  const store = await openEmbeddedStore({ dir, sync: "off" });
  try {
    await store.createConversation(KEY, { events });
    return await Promise.all(paths.map(async (path) => (await store.findByPath(KEY, path))?.artifact.text ?? ""));
  } finally {
    await store.close();
    rmSync(dir, { recursive: true });
  }
}

function blockOf({ role, text }: RecallMessage, turn_id: string, nth: number) {
  const type = role === "user" ? "user.prompt" : "assistant.completion";
  const author = role === "user" ? "user" : "assistant";
  const ts = new Date(START + nth * 60_000).toISOString();
  return {
    type,
    author,
    turn_id,
    path: `ar:${turn_id}.${type}${role === "user" ? "" : `.${nth}`}`,
    mime: "text/markdown",
    text,
    ts,
  };
}

function textOf(view: ReturnType<ReturnType<Timeline["render"]>["messages"]>): string {
  return view.map((message) => (message.type === "text" ? message.text : "")).join("\n");
}
