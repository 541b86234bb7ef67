/** Folds the chunks of a turn into a UI message, as the AI SDK's client does when it receives them. */
import type { HistoryMessage } from "@cairn/api";
import type { UiChunk } from "./ui-chunk.ts";

type Part = Record<string, unknown> & { readonly type: string };

/** Returns null if the chunks contain nothing to show yet. */
export function foldMessage(id: string, chunks: readonly UiChunk[]): HistoryMessage | null {
  const parts: Part[] = [];
  const texts = new Map<string, Part>();
  let metadata: object | undefined;
  const call = (toolCallId: string) => parts.findLast((part) => part.toolCallId === toolCallId);
  const change = (part: Part | undefined, fields: object) => {
    if (part !== undefined) Object.assign(part, fields);
  };
  for (const chunk of chunks) {
    if ("messageMetadata" in chunk) metadata = { ...metadata, ...(chunk.messageMetadata as object) };
    if ("transient" in chunk && chunk.transient === true) continue;
    switch (chunk.type) {
      case "text-start":
      case "reasoning-start": {
        const kind = chunk.type === "text-start" ? { type: "text" } : { type: "reasoning", id: chunk.id };
        const part = { ...kind, text: "", state: "streaming" };
        texts.set(chunk.id, part);
        parts.push(part);
        break;
      }
      case "text-delta":
      case "reasoning-delta":
        change(texts.get(chunk.id), { text: `${texts.get(chunk.id)?.text ?? ""}${chunk.delta}` });
        break;
      case "text-end":
      case "reasoning-end":
        change(texts.get(chunk.id), { state: "done" });
        break;
      case "tool-input-available": {
        const { toolCallId, toolName, input, providerExecuted } = chunk;
        const part = { type: `tool-${toolName}`, toolCallId, state: "input-available", input, providerExecuted };
        const known = call(toolCallId);
        if (known === undefined) parts.push(part);
        else change(known, part);
        break;
      }
      case "tool-approval-request":
        change(call(chunk.toolCallId), { state: "approval-requested", approval: { id: chunk.approvalId } });
        break;
      case "tool-output-available": {
        const { output, toolMetadata } = chunk;
        const more = toolMetadata === undefined ? {} : { toolMetadata };
        change(call(chunk.toolCallId), { state: "output-available", output, ...more });
        break;
      }
      case "tool-output-error":
        change(call(chunk.toolCallId), { state: "output-error", errorText: chunk.errorText });
        break;
      case "tool-output-denied":
        change(call(chunk.toolCallId), { state: "output-denied" });
        break;
      case "start-step":
        parts.push({ type: "step-start" });
        break;
      case "file":
      case "source-url":
      case "source-document":
      case "steering-message":
        parts.push({ ...chunk });
        break;
      default:
        if (chunk.type.startsWith("data-")) foldData(parts, chunk as Part);
    }
  }
  if (parts.length === 0) return null;
  return { id, role: "assistant", ...(metadata === undefined ? {} : { metadata: { ...metadata } }), parts };
}

/** A data part with an id replaces the earlier part with the same id. */
function foldData(parts: Part[], chunk: Part): void {
  const known =
    chunk.id === undefined ? undefined : parts.find(({ type, id }) => type === chunk.type && id === chunk.id);
  if (known === undefined) parts.push({ ...chunk });
  else known.data = chunk.data;
}
