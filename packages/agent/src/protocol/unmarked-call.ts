/**
 * Recognises an answer that ends with a call in another form than the protocol's: the tags or JSON that a model was
 * trained on, or the form in which a view shows earlier calls. Such a call is not made, because a model may also have
 * copied it from a page. The model is told how to write calls.
 */
import type { ToolSpec } from "../model/model.ts";

/** Only this many characters at the end of an answer are examined. */
const LOOK = 4_000;
const FORMS: readonly ((name: string) => RegExp)[] = [
  (name) =>
    new RegExp(`["'](?:name|tool|tool_name|function|recipient_name)["']\\s*:\\s*["'](?:functions\\.)?${name}["']`),
  (name) => new RegExp(`<[\\w:|-]+[\\s=:_-][^<>\\n]{0,80}?\\b${name}["']?[^<>\\n]{0,40}>`),
  (name) => new RegExp(`<${name}\\s*/?>`),
  (name) => new RegExp(`\\[TOOL CALL[^\\n]{0,80}\\]\\.call ${name}\\b`),
];

/** The tool that an answer seems to call; null if none. */
export function findUnmarkedCall(text: string, specs: readonly ToolSpec[]): string | null {
  const end = text.slice(-LOOK).replace(/[\s`]+$/, "");
  if (!/[}>\])]$/.test(end)) return null;
  for (const { name } of specs) {
    const escaped = name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll("\\.", "(?:\\.|_{1,2})");
    if (FORMS.some((form) => form(escaped).test(end))) return name;
  }
  return null;
}
