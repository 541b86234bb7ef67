/** The AI SDK's UI message stream, as server-sent events. */
import type { UIMessageChunk } from "ai";

export type UiChunk = UIMessageChunk;

export const DONE = "data: [DONE]\n\n";
