/** Whether messages sent by the rules of another version look different by the rules of this version. */
import type { Entry } from "../state/entry.ts";
import type { TimelineState } from "../state/state.ts";
import { viewEntry } from "./block-view.ts";
import { isKnownRenderer, RENDERER_VERSION } from "./version.ts";

/**
 * `sent`: number of stable messages in the last request. If the other version's rules are unknown, every message may
 * have changed.
 */
export function isRenderedAnew(state: TimelineState, version: number, sent: number): boolean {
  if (version === RENDERER_VERSION) return false;
  if (!isKnownRenderer(version)) return true;
  const start = state.window.findLastIndex(({ kind }) => kind.role === "summary");
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
