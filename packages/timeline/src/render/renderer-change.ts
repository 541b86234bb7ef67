/** Whether what was sent by the rules of another version looks different by those of this one. */
import type { Entry } from "../state/entry.ts";
import type { TimelineState } from "../state/state.ts";
import { viewEntry } from "./block-view.ts";
import { isKnownRenderer, RENDERER_VERSION } from "./version.ts";

/** `sent`: how many stable messages the last request had. Rules that nobody knows any more may have changed anything. */
export function isRenderedAnew(state: TimelineState, version: number, sent: number): boolean {
  if (version === RENDERER_VERSION) return false;
  if (!isKnownRenderer(version)) return true;
  const start = state.window.findLastIndex(({ type }) => type === "conv.range.summary");
  let messages = 0;
  for (const entry of state.window.slice(Math.max(0, start))) {
    if (messages >= sent) return false;
    if (textOf(entry, version) !== textOf(entry, RENDERER_VERSION)) return true;
    messages += viewEntry(entry).length;
  }
  return false;
}

function textOf(entry: Entry, version: number): string {
  return viewEntry(entry, version)
    .map((message) => (message.type === "text" ? message.text : message.type))
    .join("");
}
