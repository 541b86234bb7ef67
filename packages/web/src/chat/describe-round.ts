/**
 * A round in a few plain words, for people who do not know about tools: `Read menu.pdf`, `Searched for “tides”`. The
 * call records the words (`traits.label`); a round without any is named after its tool.
 */
import {
  isJsonObject,
  type JsonObject,
  type OutcomeView,
  type RoundIcon,
  type RoundLabel,
  type RoundView,
} from "@cairn/timeline";

export interface RoundWords {
  readonly icon: RoundIcon;
  readonly words: string;
}

export function describeRound(
  round: Pick<RoundView, "tool_id" | "traits" | "params" | "status" | "outcome">,
): RoundWords {
  const { label } = round.traits;
  if (label === undefined)
    return { icon: "tool", words: round.tool_id === "" ? "Used a tool" : toolName(round.tool_id) };
  const isDone = round.status === "ok" && round.outcome?.kind !== "failed";
  const what = isJsonObject(round.params) ? shownParam(label, round.params) : "";
  return { icon: label.icon, words: `${isDone ? label.done : label.doing}${what === "" ? "" : ` ${what}`}` };
}

const SPELLED: Readonly<Record<NonNullable<RoundLabel["shows"]>["as"], (text: string) => string>> = {
  text: (text) => text,
  quote: quoted,
  file: fileName,
  host: hostOf,
};

function shownParam({ shows }: RoundLabel, params: JsonObject): string {
  if (shows === undefined) return "";
  const value = shows.params.map((name) => params[name]).find((given) => given !== undefined && given !== null);
  return listOf(value, SPELLED[shows.as]);
}

export type Trouble = Exclude<OutcomeView["kind"], "ok"> | "stopped";

/** Describes the failure of a call; null if it did not fail. A call that the user stopped is not a failure. */
export function troubleOf({ outcome, error }: Pick<RoundView, "outcome" | "error">): Trouble | null {
  if (outcome === null || outcome.kind === "ok") return null;
  return error?.code === "tool_cancelled" ? "stopped" : outcome.kind;
}

/** The number of failed calls of a turn, in words; empty when there are none. Stopped calls do not count. */
export function describeFailures(rounds: readonly RoundView[]): string {
  const count = (trouble: Trouble) => rounds.filter((round) => troubleOf(round) === trouble).length;
  const counted = [
    [count("failed"), "failed"],
    [count("partly_failed"), "partly failed"],
    [count("refused"), "refused"],
  ] as const;
  return counted.flatMap(([number, words]) => (number === 0 ? [] : [`${number} ${words}`])).join(", ");
}

/** A summary of a turn's rounds: `Read 2 files, made a plan, wrote report.md`. */
export function describeWork(rounds: readonly RoundView[]): string {
  const counted = new Map<string, number>();
  for (const round of rounds) {
    const { words } = describeRound(round);
    counted.set(words, (counted.get(words) ?? 0) + 1);
  }
  const parts = [...counted].map(([words, times]) => (times > 1 ? `${words} (${times}×)` : words));
  const shown = parts.slice(0, 3).map((part, index) => (index === 0 ? part : lowerFirst(part)));
  const more = parts.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? `, and ${more} more ${more === 1 ? "step" : "steps"}` : ""}`;
}

/** A readable tool name: `mcp.github.list_issues` becomes `github: list issues`; `shop.find` becomes `shop: find`. */
function toolName(id: string): string {
  const parts = id.replace(/^mcp\./, "").split(".");
  return parts.map((part) => part.replaceAll("_", " ")).join(": ");
}

function listOf(value: unknown, name: (text: string) => string): string {
  const items = (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === "string");
  const [first, ...rest] = items.map(name);
  if (first === undefined) return "";
  return rest.length === 0 ? first : `${first} and ${rest.length} more`;
}

function fileName(path: string): string {
  if (path.startsWith("so:")) return "sources";
  return path.split("/").at(-1) ?? path;
}

/** A page of a corpus has no host, so its name is shown. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host || decoded(fileName(url)) : url;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // A name may contain a literal percent sign.
  }
}

function quoted(text: string): string {
  return text === "" ? "" : `“${text.length > 60 ? `${text.slice(0, 59)}…` : text}”`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
