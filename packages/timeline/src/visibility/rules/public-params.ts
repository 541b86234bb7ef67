/** The parameters of a call as people see them. */
import { isJsonObject, type Json } from "../../base/json.ts";
import { quotesFile, statesChannel } from "../../tool/named-tools.ts";
import type { Visibility } from "./internal.ts";

/** Channels of `react.write` that people read. Any other is invalid, or a reference that was not checked. */
const OPEN_CHANNELS: ReadonlySet<unknown> = new Set([undefined, "timeline_text", "canvas"]);

/** `stated`: the visibility that the call states; null in journals of earlier versions. */
export function publicParams(toolId: unknown, params: Json, stated: Visibility | null): Json {
  const given = isJsonObject(params) ? params : {};
  if (statesChannel(toolId) && !OPEN_CHANNELS.has(given.channel)) return { channel: "internal" };
  if (stated === "internal") return {};
  // Only the path is shown: a patch quotes its file, and earlier versions did not say which files were internal.
  if (quotesFile(toolId) && stated === null) return isJsonObject(params) ? { path: given.path ?? null } : null;
  return params;
}
