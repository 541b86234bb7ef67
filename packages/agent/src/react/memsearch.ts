/**
 * `react.memsearch`: looks back. By words, over this conversation or all of the user's; by a turn's number; by time;
 * or by words within a time. What it finds is listed with paths to read it by; what was said in another conversation
 * comes as text, since its paths mean nothing here.
 */
import { CairnError } from "@cairn/timeline";
import { z } from "zod";
import { defineTool, type PastTurn, type SearchFound, type ToolContext } from "../tool/tool.ts";

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
  turn: z
    .number()
    .int()
    .optional()
    .describe("A turn of this conversation by its number: 1 is the first, -1 the one before the current."),
  since: time.optional().describe("Only what was said at this time or later."),
  until: time.optional().describe("Only what was said before this time; a date alone means to its end."),
  limit: z.number().int().min(1).max(50).default(10),
});

type SearchParams = z.output<typeof params>;

export const memsearchTool = defineTool({
  id: "react.memsearch",
  description:
    "Find what was said or written earlier, by words, by the number of a turn or by time. " +
    "Gives excerpts with logical paths to read with react.read; of other conversations, the text around.",
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
    const hits = words === "" ? await turnsWithin(turns, given, context) : await search(words, turns, given, context);
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

async function turnsWithin(turns: readonly PastTurn[], given: SearchParams, context: ToolContext) {
  const since = given.since === undefined ? 0 : Date.parse(given.since);
  const elsewhere = given.scope === "user" ? await context.turnsElsewhere(since) : [];
  const found = [...turns, ...elsewhere]
    .map((turn) => ({ turn, at: openedAt(turn) }))
    .filter(({ at }) => isWithin(at, given))
    .sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
  return found.slice(-given.limit).map(({ turn }) => describeTurn(turn, turns));
}

async function search(words: string, turns: readonly PastTurn[], given: SearchParams, context: ToolContext) {
  const { scope, limit } = given;
  const accepts = ({ turn_id, type }: SearchFound) =>
    // The question that made the agent look is no answer to it.
    !(type === "user.prompt" && turn_id === context.turnId) &&
    isWithin(turn_id === null ? null : timeOf(turn_id, turns), given);
  const found = await context.search(words, { scope, limit, accepts });
  return found.map(({ conversation, turn_id, path, type, excerpt }) => ({
    path,
    type,
    turn: ordinalOf(turn_id, turns),
    turn_id,
    ts: turn_id === null ? null : isoTime(timeOf(turn_id, turns)),
    excerpt,
    ...(scope === "user" ? { conversation } : {}),
  }));
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

/** When a turn began, in epoch milliseconds: as its conversation says, or as its id does. */
function timeOf(turnId: string, turns: readonly PastTurn[]): number | null {
  return openedAt(turns.find(({ turn_id }) => turn_id === turnId) ?? { turn_id: turnId, opened_at: null });
}

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

function isoTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
