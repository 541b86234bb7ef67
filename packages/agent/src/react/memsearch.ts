/**
 * `react.memsearch`: looks back. By words, over this conversation or all of the user's; by a turn's number; by time;
 * or by words within a time. What it finds is listed with paths to read it by.
 */
import { CairnError } from "@cairn/timeline";
import { z } from "zod";
import { defineTool, type PastTurn, type ToolContext } from "../tool/tool.ts";

const time = z
  .string()
  .refine(
    (text) => !Number.isNaN(Date.parse(text)),
    "Invalid input: expected a date or time such as 2026-02-09 or 2026-02-09T12:00:00Z",
  );

const params = z.object({
  query: z.string().max(1_000).optional().describe('Words that must all occur; or a turn, as "turn 3" or "last turn".'),
  scope: z
    .enum(["conversation", "user"])
    .default("conversation")
    .describe("conversation: this one. user: everything the user has ever talked about with you."),
  turn: z.number().int().optional().describe("A turn by its number: 1 is the first, -1 the one before the current."),
  since: time.optional().describe("Only what was said at this time or later."),
  until: time.optional().describe("Only what was said before this time; a date alone means to its end."),
  limit: z.number().int().min(1).max(50).default(10),
});

type SearchParams = z.output<typeof params>;

/** More hits than asked for, since a time may rule some out. */
const OVERSAMPLING = 4;

export const memsearchTool = defineTool({
  id: "react.memsearch",
  description:
    "Find what was said or written earlier, by words, by the number of a turn or by time. " +
    "Gives excerpts with logical paths; read them with react.read.",
  params,
  builtin: true,
  idempotent: true,
  run: async (given, context) => {
    const turns = await context.turns();
    const ordinal = given.turn ?? ordinalIn(given.query);
    if (ordinal !== null) return { ok: true, ret: { hits: [describeTurn(pickTurn(turns, ordinal, context), turns)] } };
    const words = given.query?.trim() ?? "";
    if (words === "" && given.since === undefined && given.until === undefined)
      throw new CairnError("bad_query", "Say what to look for: `query`, `turn`, `since` or `until`.");
    const hits = words === "" ? turnsWithin(turns, given) : await search(words, turns, given, context);
    return { ok: true, ret: { hits } };
  },
});

/** `turn 3`, `turn #3`, `last turn`. */
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

function turnsWithin(turns: readonly PastTurn[], given: SearchParams) {
  const found = turns.filter((turn) => isWithin(timeOf(turn.turn_id, turns), given));
  return found.slice(-given.limit).map((turn) => describeTurn(turn, turns));
}

async function search(words: string, turns: readonly PastTurn[], given: SearchParams, context: ToolContext) {
  const found = await context.search(words, { scope: given.scope, limit: Math.min(given.limit * OVERSAMPLING, 200) });
  return found
    .filter(({ turn_id }) => isWithin(turn_id === null ? null : timeOf(turn_id, turns), given))
    .slice(0, given.limit)
    .map(({ conversation, turn_id, path, type, excerpt }) => ({
      path,
      type,
      turn: ordinalOf(turn_id, turns),
      turn_id,
      ts: turn_id === null ? null : isoTime(timeOf(turn_id, turns)),
      excerpt,
      ...(given.scope === "user" ? { conversation } : {}),
    }));
}

function describeTurn(turn: PastTurn, turns: readonly PastTurn[]) {
  const { turn_id, opened_at, prompt, completion } = turn;
  const paths = { prompt_path: `ar:${turn_id}.user.prompt`, completion_path: `ar:${turn_id}.assistant.completion` };
  return { turn: ordinalOf(turn_id, turns), turn_id, ts: opened_at, prompt, completion, ...paths };
}

function ordinalOf(turnId: string | null, turns: readonly PastTurn[]): number | null {
  const at = turns.findIndex(({ turn_id }) => turn_id === turnId);
  return at === -1 ? null : at + 1;
}

/** When a turn began, in epoch milliseconds: as its conversation says, or as its id does. */
function timeOf(turnId: string, turns: readonly PastTurn[]): number | null {
  const opened = turns.find(({ turn_id }) => turn_id === turnId)?.opened_at;
  const parsed = opened === undefined || opened === null ? Number.NaN : Date.parse(opened);
  if (!Number.isNaN(parsed)) return parsed;
  const inId = /^turn_(\d{12,14})_/.exec(turnId)?.[1];
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

function isoTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
