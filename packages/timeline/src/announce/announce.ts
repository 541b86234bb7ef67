/**
 * The announcement: information the agent needs for this request only. The announcement is the last message of a
 * request and is never stored in the timeline. The announcement is the only place where content that changes with the
 * clock may appear.
 */
import { CairnError } from "../base/error.ts";
import type { Block } from "../block/block.ts";
import type { EscapeRules } from "../message/escape-rules.ts";
import { inline } from "../message/inline.ts";
import { type PlanSnapshot, renderPlan } from "../plan/plan.ts";

const ANNOUNCE_HEADER = "[ANNOUNCE]";

export interface Announcement {
  /** Number of the decision about to be made, counted from 1, and the maximum number of decisions. */
  readonly iteration?: { readonly current: number; readonly limit: number };
  /** The remaining budget, in words. */
  readonly budget?: string;
  readonly elapsedMs?: number;
  /** Milliseconds since the epoch. */
  readonly now?: number;
  /** The user's time zone, an IANA name. */
  readonly timeZone?: string;
  readonly activePlan?: PlanSnapshot | null;
  /** Notices that are shown in one request only. */
  readonly notices?: readonly string[];
}

export function composeAnnouncement(announcement: Announcement): Block {
  const { iteration, budget, elapsedMs, now, timeZone, activePlan, notices = [] } = announcement;
  const lines: string[] = [];
  if (iteration !== undefined) lines.push(`iteration: ${iteration.current}/${iteration.limit}`);
  if (budget !== undefined) lines.push(`budget: ${inline(budget)}`);
  if (elapsedMs !== undefined) lines.push(`elapsed: ${formatElapsed(elapsedMs)}`);
  if (now !== undefined) lines.push(...formatTimes(now, timeZone));
  if (activePlan) lines.push(`react.plan.active:\n${renderPlan(activePlan)}`);
  for (const notice of notices) lines.push(`notice: ${notice}`);
  return { type: "react.announce", text: lines.join("\n") };
}

/** The text of the tail message; empty when there is nothing to announce. */
export function renderAnnounce(blocks: readonly Block[], rules: EscapeRules): string {
  const texts = blocks.map((block) => rules.payload(withoutHeader(block.text ?? ""))).filter((text) => text !== "");
  return texts.length === 0 ? "" : `${ANNOUNCE_HEADER}\n${texts.join("\n")}`;
}

/** Removes the header from a notice that already begins with it, so that the header appears once. */
function withoutHeader(text: string): string {
  return text.startsWith(ANNOUNCE_HEADER) ? text.slice(ANNOUNCE_HEADER.length).replace(/^[ \t]*\r?\n?/, "") : text;
}

function formatElapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, "0")}s`;
}

function formatTimes(now: number, timeZone: string | undefined): string[] {
  const utc = `time_utc: ${new Date(now).toISOString()}`;
  if (timeZone === undefined) return [utc];
  return [utc, `time_user: ${zoneFormat(timeZone).format(now)} ${timeZone}`];
}

/** Formatters that were made: creating one costs far more than using it, and every request needs one. */
const formats = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATS = 64;

function zoneFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  if (formats.size >= MAX_FORMATS) formats.clear();
  const made = makeFormat(timeZone);
  formats.set(timeZone, made);
  return made;
}

function makeFormat(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  } catch {
    throw new CairnError(
      "bad_time_zone",
      `There is no time zone ${JSON.stringify(timeZone)}. Use an IANA name such as Europe/Berlin.`,
    );
  }
}
