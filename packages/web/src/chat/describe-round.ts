/** A round in a few plain words, for people who do not know about tools: `Read menu.pdf`, `Searched for “tides”`. */
import { isJsonObject, type JsonObject, type OutcomeView, type RoundView } from "@cairn/timeline";

export type RoundIcon = "read" | "write" | "plan" | "search" | "web" | "run" | "hide" | "document" | "tool";

export interface RoundWords {
  readonly icon: RoundIcon;
  readonly words: string;
}

export function describeRound(round: Pick<RoundView, "tool_id" | "params" | "status" | "outcome">): RoundWords {
  const params = isJsonObject(round.params) ? round.params : {};
  const isDone = round.status === "ok" && round.outcome?.kind !== "failed";
  const say = (icon: RoundIcon, done: string, doing: string, what: string): RoundWords => ({
    icon,
    words: `${isDone ? done : doing}${what === "" ? "" : ` ${what}`}`,
  });
  const path = fileName(textOf(params.path));
  switch (round.tool_id) {
    case "react.read":
      return say("read", "Read", "Read", listOf(params.paths ?? params.path, fileName));
    case "react.write":
      return params.channel === "internal"
        ? say("write", "Noted", "Note", "something for later")
        : say("write", "Wrote", "Write", path);
    case "react.patch":
      return say("write", "Edited", "Edit", path);
    case "react.hide":
      return say("hide", "Set aside", "Set aside", listOf(params.paths ?? params.path, fileName));
    case "react.plan":
      return planWords(params, say);
    case "react.note":
      return say("write", "Noted", "Note", textOf(params.text) || "that something no longer holds");
    case "react.memsearch":
      return say("search", "Looked back for", "Look back for", listOf(params.query ?? params.queries, quoted));
    case "react.search_files":
      return say(
        "search",
        "Looked through files for",
        "Look through files for",
        quoted(textOf(params.pattern) || textOf(params.query)),
      );
    case "web_tools.web_search":
      return say("web", "Searched for", "Search for", listOf(params.queries ?? params.query, quoted));
    case "web_tools.web_fetch":
      return say("web", "Read", "Read", listOf(params.urls ?? params.url, hostOf));
    case "exec_tools.execute_code_python":
      return say("run", "Ran Python", "Run Python", textOf(params.prog_name));
    case "exec_tools.execute_code_js":
      return say("run", "Ran JavaScript", "Run JavaScript", textOf(params.prog_name));
    default:
      if (round.tool_id.startsWith("rendering_tools.write_")) return say("document", "Made", "Make", path);
      return { icon: "tool", words: round.tool_id === "" ? "Used a tool" : toolName(round.tool_id) };
  }
}

type Say = (icon: RoundIcon, done: string, doing: string, what: string) => RoundWords;

function planWords(params: JsonObject, say: Say): RoundWords {
  if (params.mode === "close") return say("plan", "Closed the plan", "Close the plan", "");
  if (params.mode === "update") return say("plan", "Changed the plan", "Change the plan", "");
  return say("plan", "Made a plan", "Make a plan", "");
}

/** The number of failed calls of a turn, in words; empty when there are none. */
export function describeFailures(rounds: readonly RoundView[]): string {
  const count = (kind: OutcomeView["kind"]) => rounds.filter(({ outcome }) => outcome?.kind === kind).length;
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
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** `mcp.github.list_issues` is `github: list issues`; `shop.find` is `shop: find`. */
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

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
