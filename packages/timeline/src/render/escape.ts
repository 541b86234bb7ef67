/**
 * Escaping, so that no content can forge a header.
 *
 * The model tells user text, tool output and the runtime's own lines apart by headers at the start of a line. Any line
 * of content that would read as a header is prefixed with a backslash. The renderer's version defines which lines read
 * as a header.
 */
import type { EscapeRules } from "../message/escape-rules.ts";
import { cutLines, escapeLaterLines, escapeLines } from "./header/escape-headers.ts";
import { cutLinesV2, escapeLaterLinesV2, escapeLinesV2 } from "./header/escape-headers-v2.ts";
import { RENDERER_VERSION } from "./version.ts";

const CURRENT: EscapeRules = { payload: escapeLines, continuation: escapeLaterLines, cut: cutLines };
const BEFORE_3: EscapeRules = { payload: escapeLinesV2, continuation: escapeLaterLinesV2, cut: cutLinesV2 };

export function escapeRules(version = RENDERER_VERSION): EscapeRules {
  return version >= 3 ? CURRENT : BEFORE_3;
}
