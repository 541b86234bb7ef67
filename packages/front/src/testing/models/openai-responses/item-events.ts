/** The events in which one output item of the Responses API is streamed, before they are numbered. */
import type { JsonObject } from "@cairn/timeline";

export interface ItemEvent {
  readonly type: string;
  readonly fields: JsonObject;
  readonly isPiece?: boolean;
}

type Pieces = (text: string) => readonly string[];

export function itemEvents(item: JsonObject, output_index: number, pieces: Pieces): ItemEvent[] {
  const item_id = String(item.id);
  const at = { item_id, output_index };
  const begun = { ...item, ...emptied(item), ...(item.type === "reasoning" ? {} : { status: "in_progress" }) };
  return [
    { type: "response.output_item.added", fields: { output_index, item: begun } },
    ...contentEvents(item, at, pieces),
    { type: "response.output_item.done", fields: { output_index, item } },
  ];
}

/** The fields that an item does not have yet when it is announced. */
function emptied({ type }: JsonObject): JsonObject {
  if (type === "function_call") return { arguments: "" };
  return type === "reasoning" ? { summary: [] } : { content: [] };
}

function contentEvents(item: JsonObject, at: JsonObject, pieces: Pieces): ItemEvent[] {
  if (item.type === "function_call") {
    const text = String(item.arguments);
    return textEvents("response.function_call_arguments", at, pieces(text), { arguments: text, name: item.name });
  }
  const isReasoning = item.type === "reasoning";
  const parts = (isReasoning ? item.summary : item.content) as readonly JsonObject[];
  return parts.flatMap((part, index) => {
    const place = { ...at, [isReasoning ? "summary_index" : "content_index"]: index };
    const [name, key] = NAMES[String(part.type)] ?? ["", ""];
    const text = String(part[key]);
    const frame = isReasoning ? "response.reasoning_summary_part" : "response.content_part";
    return [
      { type: `${frame}.added`, fields: { ...place, part: { ...part, [key]: "" } } },
      ...textEvents(name, place, pieces(text), { [key]: text }),
      { type: `${frame}.done`, fields: { ...place, part } },
    ];
  });
}

/** Events and the field of the text, by type of part. */
const NAMES: Readonly<Record<string, readonly [event: string, key: string]>> = {
  output_text: ["response.output_text", "text"],
  refusal: ["response.refusal", "refusal"],
  summary_text: ["response.reasoning_summary_text", "text"],
};

function textEvents(name: string, at: JsonObject, pieces: readonly string[], whole: JsonObject): ItemEvent[] {
  return [
    ...pieces.map((delta) => ({ type: `${name}.delta`, fields: { ...at, delta }, isPiece: true })),
    { type: `${name}.done`, fields: { ...at, ...whole } },
  ];
}
