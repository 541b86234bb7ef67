/**
 * `react.memsearch`: searches earlier turns by words or a question in several phrasings, by the number of a turn, by
 * time, or by words within a turn or a time. It searches this conversation, or all of the user's. It returns excerpts
 * around the matches, grouped by turn, with paths to read more, within a token budget. Hits in other conversations
 * contain more text, because their paths cannot be read here.
 */
import { CairnError, kindOf } from "@cairn/timeline";
import { z } from "zod";
import { defineTool, type PastTurn, type ToolContext } from "../tool/tool.ts";

const time = z
  .string()
  .refine(
    (text) => !Number.isNaN(Date.parse(text)),
    "Invalid input: expected a date or time such as 2026-02-09 or 2026-02-09T12:00:00Z",
  );

const params = z.object({
  query: z
    .string()
    .max(1_000)
    .optional()
    .describe('A question, or words; what has most of them comes first. Or a turn, as "turn 3" or "last turn".'),
  queries: z
    .array(z.string().max(1_000))
    .max(5)
    .optional()
    .describe("The same question in other words, such as synonyms or another language: what any of them finds counts."),
  scope: z
    .enum(["conversation", "user"])
    .default("conversation")
    .describe("conversation: this one. user: everything the user has ever talked about with you."),
  turn: z
    .number()
    .int()
    .optional()
    .describe(
      "A turn of this conversation by its number: 1 is the first, -1 the one before the current. With a query: only in it.",
    ),
  since: time.optional().describe("Only what was said at this time or later."),
  until: time.optional().describe("Only what was said before this time; a date alone means to its end."),
  limit: z.number().int().min(1).max(50).default(10),
  max_tokens: z.number().int().min(100).max(20_000).default(3_000).describe("What the excerpts may take together."),
});

type SearchParams = z.output<typeof params>;

export const memsearchTool = defineTool({
  id: "react.memsearch",
  description:
    "Find what was said or written earlier, by a question or words, by the number of a turn or by time. " +
    "Gives excerpts, the best first, with logical paths to read with react.read; of other conversations, the text around.",
  params,
  builtin: true,
  traits: {
    bulky: true,
    label: {
      icon: "search",
      done: "Looked back for",
      doing: "Look back for",
      shows: { params: ["query", "queries"], as: "quote" },
    },
  },
  idempotent: true,
  visibility: async () => "mixed",
  run: async (given, context) => {
    const turns = await context.turns();
    const asked = ordinalIn(given.query);
    const queries = [...(asked === null ? [given.query ?? ""] : []), ...(given.queries ?? [])]
      .map((query) => query.trim())
      .filter((query) => query !== "");
    const ordinal = given.turn ?? asked;
    const turn = ordinal === null ? null : pickTurn(turns, ordinal, context);
    if (queries.length > 0) return { ok: true, ret: await search(queries, turn, turns, given, context) };
    if (turn !== null) return { ok: true, ret: { hits: [describeTurn(turn, turns)] } };
    if (given.since === undefined && given.until === undefined)
      throw new CairnError("bad_query", "Say what to look for: `query`, `turn`, `since` or `until`.");
    return { ok: true, ret: { hits: await turnsWithin(turns, given, context) } };
  },
});

/** The turn that a query names, such as `turn 3`, `turn #3` or `last turn`. */
function ordinalIn(query: string | undefined): number | null {
  const match = /^\s*(?:turn\s*#?\s*(\d{1,9})|(?:the\s+)?(?:last|previous)\s+turn)\s*$/i.exec(query ?? "");
  if (match === null) return null;
  return match[1] === undefined ? -1 : Number(match[1]);
}

function pickTurn(turns: readonly PastTurn[], ordinal: number, { turnId }: ToolContext): PastTurn {
  const past = turns.filter(({ turn_id }) => turn_id !== turnId);
  const turn = ordinal > 0 ? turns[ordinal - 1] : past.at(ordinal);
  if (turn === undefined || ordinal === 0)
    throw new CairnError(
      "not_found",
      `There is no turn ${ordinal}. This conversation has ${turns.length}, the current one included.`,
    );
  return turn;
}

async function turnsWithin(turns: readonly PastTurn[], given: SearchParams, context: ToolContext) {
  const since = given.since === undefined ? 0 : Date.parse(given.since);
  const elsewhere = given.scope === "user" ? await context.turnsElsewhere(since) : [];
  const found = [...turns, ...elsewhere]
    .map((turn) => ({ turn, at: openedAt(turn) }))
    .filter(({ at }) => isWithin(at, given))
    .sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
  return found.slice(-given.limit).map(({ turn }) => describeTurn(turn, turns));
}

async function search(
  queries: readonly string[],
  turn: PastTurn | null,
  turns: readonly PastTurn[],
  given: SearchParams,
  context: ToolContext,
) {
  const { scope, limit, since, until } = given;
  const found = await context.search(queries, {
    scope,
    limit,
    ...(turn === null ? {} : { turn: turn.turn_id }),
    ...(since === undefined ? {} : { since: Date.parse(since) }),
    ...(until === undefined ? {} : { until: endOf(until) }),
    // The message of the current turn matches itself, so it is left out.
    accepts: ({ turn_id, type }) => !(kindOf(type).role === "prompt" && turn_id === context.turnId),
  });
  const hits = found.map(({ conversation, turn_id, path, type, ts, repeats, excerpt, internal }) => ({
    path,
    type,
    turn: ordinalOf(turn_id, turns),
    turn_id,
    ts,
    excerpt,
    ...(repeats > 0 ? { repeats } : {}),
    ...(scope === "user" ? { conversation } : {}),
    ...(internal ? { visibility: "internal" } : {}),
  }));
  const kept = withinBudget(hits, given.max_tokens, context);
  const left_out = hits.length - kept.length;
  return { hits: byTurn(kept), ...(left_out > 0 ? { left_out } : {}) };
}

/** Takes hits until the token budget is used. The first hit is always included, with as much of its excerpt as fits. */
function withinBudget<T extends { readonly excerpt: string }>(
  hits: readonly T[],
  maxTokens: number,
  { countTokens }: ToolContext,
): T[] {
  const costOf = (hit: T) => countTokens(JSON.stringify(hit));
  const [first, ...others] = hits;
  if (first === undefined) return [];
  const kept = [clipExcerpt(first, (hit) => costOf(hit) <= maxTokens)].filter((hit) => hit !== null);
  let left = maxTokens - kept.reduce((sum, hit) => sum + costOf(hit), 0);
  for (const hit of others) {
    left -= costOf(hit);
    if (left < 0) break;
    kept.push(hit);
  }
  return kept;
}

/** The hit with the longest beginning of its excerpt that fits into the budget; null if no excerpt fits. */
function clipExcerpt<T extends { readonly excerpt: string }>(hit: T, fits: (hit: T) => boolean): T | null {
  if (fits(hit)) return hit;
  const clipped = (chars: number): T => ({ ...hit, excerpt: `${[...hit.excerpt].slice(0, chars).join("")}…` });
  if (!fits(clipped(0))) return null;
  let [low, high] = [0, hit.excerpt.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(clipped(middle))) low = middle;
    else high = middle - 1;
  }
  return clipped(low);
}

/** Turns in the order of their best hit. */
function byTurn<T extends { readonly turn_id: string | null; readonly conversation?: string }>(
  hits: readonly T[],
): T[] {
  return [...Map.groupBy(hits, ({ conversation, turn_id }) => JSON.stringify([conversation, turn_id])).values()].flat();
}

function describeTurn(turn: PastTurn, turns: readonly PastTurn[]) {
  const { conversation, turn_id, opened_at, prompt, completion } = turn;
  if (conversation !== undefined) return { conversation, turn: null, turn_id, ts: opened_at, prompt, completion };
  const paths = { prompt_path: `ar:${turn_id}.user.prompt`, completion_path: `ar:${turn_id}.assistant.completion` };
  return { turn: ordinalOf(turn_id, turns), turn_id, ts: opened_at, prompt, completion, ...paths };
}

function ordinalOf(turnId: string | null, turns: readonly PastTurn[]): number | null {
  const at = turns.findIndex(({ turn_id }) => turn_id === turnId);
  return at === -1 ? null : at + 1;
}

/** Start of a turn in epoch milliseconds, from its conversation or from its id. */
function openedAt({ turn_id, opened_at }: Pick<PastTurn, "turn_id" | "opened_at">): number | null {
  const parsed = opened_at === null ? Number.NaN : Date.parse(opened_at);
  if (!Number.isNaN(parsed)) return parsed;
  const inId = /^turn_(\d{12,14})_/.exec(turn_id)?.[1];
  return inId === undefined ? null : Number(inId);
}

function isWithin(at: number | null, { since, until }: SearchParams): boolean {
  if (since === undefined && until === undefined) return true;
  if (at === null) return false;
  return (since === undefined || at >= Date.parse(since)) && (until === undefined || at < endOf(until));
}

const DAY = 86_400_000;

function endOf(until: string): number {
  return Date.parse(until) + (/^\d{4}-\d{2}-\d{2}$/.test(until) ? DAY : 0);
}
