/**
 * Tools that the engine knows by name. This is the only file of the engine that names tools.
 *
 * The traits in this file apply to calls that record none, because an older version or another program wrote them.
 * These traits describe the tools as they were then: a tool that changes declares its traits itself.
 */
import { isJsonObject, type JsonObject } from "../base/json.ts";
import {
  checkTraits,
  NO_TRAITS,
  type RoundIcon,
  type RoundLabel,
  recordedTraits,
  type ToolTraits,
} from "./tool-traits.ts";

/** The tool that a replacement or a note names to read content back. */
export const READ_TOOL = "react.read";

type Shows = NonNullable<RoundLabel["shows"]>;

function label(icon: RoundIcon, done: string, doing: string, as?: Shows["as"], ...params: string[]): RoundLabel {
  return as === undefined ? { icon, done, doing } : { icon, done, doing, shows: { params, as } };
}

const NAMED: ReadonlyMap<string, ToolTraits> = new Map<string, ToolTraits>([
  [
    READ_TOOL,
    {
      showsAgain: true,
      refers: true,
      report: "paths",
      label: label("read", "Read", "Read", "file", "paths", "path"),
    },
  ],
  ["react.write", { refers: true, files: "written", label: label("write", "Wrote", "Write", "file", "path") }],
  ["react.patch", { files: "patched", label: label("write", "Edited", "Edit", "file", "path") }],
  ["react.hide", { refers: true, label: label("hide", "Set aside", "Set aside", "file", "paths", "path") }],
  ["react.memory_hide", { refers: true }],
  ["react.plan", { refers: true, label: label("plan", "Made a plan", "Make a plan") }],
  ["react.note", { label: label("write", "Noted", "Note", "text", "text") }],
  [
    "react.memsearch",
    { bulky: true, label: label("search", "Looked back for", "Look back for", "quote", "query", "queries") },
  ],
  [
    "react.search_files",
    { label: label("search", "Looked through files for", "Look through files for", "quote", "text", "name") },
  ],
  [
    "web_tools.web_search",
    { bulky: true, rows: true, label: label("web", "Searched for", "Search for", "quote", "queries", "query") },
  ],
  ["web_tools.web_fetch", { bulky: true, report: "pages", label: label("web", "Read", "Read", "host", "urls", "url") }],
  ["exec_tools.execute_code_python", program("Python", "python")],
  ["exec_tools.execute_code_js", program("JavaScript", "javascript")],
  ...["pdf", "png", "docx", "pptx"].map((format): [string, ToolTraits] => [
    `rendering_tools.write_${format}`,
    { label: label("document", "Made", "Make", "file", "path") },
  ]),
]);

function program(name: string, language: string): ToolTraits {
  const said = label("run", `Ran ${name}`, `Run ${name}`, "text", "prog_name");
  return { files: "output", report: "program", language, label: said };
}

/** The tool for programs in any other language than Python. */
const OTHER_PROGRAM: ToolTraits = { files: "output", report: "program" };

function traitsOfName(toolId: string): ToolTraits {
  return NAMED.get(toolId) ?? (toolId.startsWith("exec_tools.") ? OTHER_PROGRAM : NO_TRAITS);
}

/** The traits of a call: as its block records them, else those of its tool's name. */
export function traitsOf(meta: JsonObject | undefined, toolId: unknown): ToolTraits {
  return recordedTraits(meta) ?? (typeof toolId === "string" ? traitsOfName(toolId) : NO_TRAITS);
}

/** The traits as `traitsOf` gives them, checked, and with the labels of old tools that depended on parameters. */
export function traitsOfRound(meta: JsonObject | undefined, toolId: string, params: unknown): ToolTraits {
  const recorded = recordedTraits(meta);
  if (recorded !== null) return checkTraits(recorded);
  const traits = traitsOfName(toolId);
  if (!isJsonObject(params)) return traits;
  if (toolId === "react.write" && params.channel === "internal")
    return { ...traits, label: label("write", "Noted something for later", "Note something for later") };
  if (toolId === "react.note" && (params.text ?? "") === "") {
    const said = "that something no longer holds";
    return { ...traits, label: label("write", `Noted ${said}`, `Note ${said}`) };
  }
  if (toolId !== "react.plan") return traits;
  if (params.mode === "close") return { ...traits, label: label("plan", "Closed the plan", "Close the plan") };
  if (params.mode === "update") return { ...traits, label: label("plan", "Changed the plan", "Change the plan") };
  return traits;
}

/** Tools whose parameters say who may see them: by name, not by what a call records, to protect internal content. */
export const statesChannel = (toolId: unknown): boolean => toolId === "react.write";

/** Tools whose parameters quote the file that they change. Calls of old journals do not say whether it was internal. */
export const quotesFile = (toolId: unknown): boolean => toolId === "react.patch";

/** A result, read again, of a call in an old journal that wrote, patched or searched: a part of it may be internal. */
export const MAY_QUOTE_INTERNAL = /"react\.(?:patch|write)"|^@@ -\d|\{"path":.*"ok":true\}\s*$|^\{"(?:hits|files)":/m;
