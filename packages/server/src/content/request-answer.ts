/**
 * The answer to a model request, from the journal. The blocks of a decision follow the receipt of its request. Several
 * requests can make one summary, whose block follows the receipt of the last of them.
 */
import type { RecordedRequest } from "@cairn/agent";
import type { AnswerPart } from "@cairn/api";
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { type Block, kindOf, parseJsonObject, previewText, type TimelineEvent } from "@cairn/timeline";
import { blockOfEvent } from "./journal-blocks.ts";

const PAGE = 100;
/** If a turn ends in one of these ways, its last text is from the runtime and not from the model. */
const FAILED: ReadonlySet<string> = new Set(["error", "quarantined"]);

export async function readAnswer(
  store: ConversationStore,
  key: ConversationKey,
  request: RecordedRequest,
): Promise<readonly AnswerPart[]> {
  const parts: AnswerPart[] = [];
  for (let after = request.seq; ; ) {
    const events = await store.readEvents(key, { after, limit: PAGE });
    for (const { seq, event } of events) {
      after = seq;
      if (isNextRequest(event, request)) return parts;
      if (hasFailed(event, request)) return parts.map(asFailure);
      const found = blockOfEvent(event, seq);
      const kind = found === null ? null : kindOfPart(found.block, request);
      if (found !== null && kind !== null) {
        const { block, position, tokens } = found;
        parts.push({ kind, position, tokens, ...contentOf(block, kind) });
      }
    }
    if (events.length < PAGE) return parts;
  }
}

function isNextRequest(event: TimelineEvent, { record }: RecordedRequest): boolean {
  if ("unknown" in event || event.kind !== "model.receipt") return false;
  return record.purpose !== "summary" || event.body.purpose !== "summary";
}

function hasFailed(event: TimelineEvent, { turnId }: RecordedRequest): boolean {
  if ("unknown" in event || event.kind !== "turn.closed") return false;
  return event.body.turn_id === turnId && FAILED.has(event.body.exit);
}

function asFailure(part: AnswerPart): AnswerPart {
  return part.kind === "answer" ? { ...part, kind: "failure" } : part;
}

/** The kind of answer part that a block holds. Null for a block that the model did not write in this turn. */
function kindOfPart(block: Block, { turnId, record }: RecordedRequest): AnswerPart["kind"] | null {
  const { role } = kindOf(block.type);
  if (record.purpose === "summary") return role === "summary" ? role : null;
  if (block.turn_id !== turnId) return null;
  switch (role) {
    case "thinking":
    case "notes":
    case "call":
    case "answer":
      return role;
    case "raw_decision":
      return "unread";
    default:
      return null;
  }
}

function contentOf(block: Block, kind: AnswerPart["kind"]): Pick<AnswerPart, "tool_id" | "text"> {
  const call = kind === "call" ? parseJsonObject(block.text) : null;
  if (call === null) return { tool_id: null, text: previewText(block.text ?? "") };
  const tool_id = typeof call.tool_id === "string" ? call.tool_id : null;
  return { tool_id, text: previewText(JSON.stringify(call.params ?? null)) };
}
