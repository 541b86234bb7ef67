/** Rules of the Responses API that a schema cannot say. */
import type { JsonObject } from "@cairn/timeline";
import { refuse } from "../openai/errors.ts";
import { checkChoice, checkFunctions } from "../openai/fields.ts";
import { checkCacheFields } from "../openai/model-family.ts";
import { type InputItem, inputItem, type ResolvedItem, type ResponsesBody } from "./schema.ts";

export function checkResponses(body: ResponsesBody, items: readonly ResolvedItem[]): void {
  const { tools = [], tool_choice: choice, stream, stream_options } = body;
  checkFunctions(tools, (at) => `tools[${at}].parameters`);
  checkChoice(
    typeof choice === "object" && choice.type === "function" ? choice.name : undefined,
    tools,
    choice !== undefined && choice !== "none" && choice !== "auto",
  );
  if (stream_options != null && stream !== true)
    throw refuse("The 'stream_options' parameter is only allowed when 'stream' is enabled.", null, "stream_options");
  checkPairs(items);
  checkReasoning(items);
  checkCacheFields(body, firstMarked(items));
}

/** The items a request consists of, references to earlier answers replaced by what they stand for. */
export function resolveItems(
  { input }: ResponsesBody,
  storedItem: (id: string) => JsonObject | undefined,
): ResolvedItem[] {
  const items: readonly InputItem[] = typeof input === "string" ? [{ role: "user", content: input }] : input;
  if (items.length === 0)
    throw refuse(
      'One of "input" or "previous_response_id" or "prompt" or "conversation" must be provided.',
      "missing_required_parameter",
      "input",
    );
  return items.map((item) => {
    if (item.type !== "item_reference") return item;
    const found = inputItem.safeParse(storedItem(item.id));
    if (!found.success || found.data.type === "item_reference")
      throw refuse(
        `Item with id '${item.id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
        null,
        "input",
      );
    return found.data;
  });
}

function checkPairs(items: readonly ResolvedItem[]): void {
  const calls = new Set<string>();
  const answered = new Set<string>();
  for (const item of items) {
    if (item.type === "function_call") calls.add(item.call_id);
    if (item.type !== "function_call_output") continue;
    if (!calls.has(item.call_id))
      throw refuse(`No tool call found for function call output with call_id ${item.call_id}.`, null, "input");
    answered.add(item.call_id);
  }
  for (const id of calls)
    if (!answered.has(id)) throw refuse(`No tool output found for function call ${id}.`, null, "input");
}

/** Thinking is only taken together with what it led to. */
function checkReasoning(items: readonly ResolvedItem[]): void {
  for (const [at, item] of items.entries()) {
    if (item.type !== "reasoning") continue;
    const next = items[at + 1];
    const isFollowed =
      next !== undefined &&
      (next.type === "function_call" || next.type === "reasoning" || ("role" in next && next.role === "assistant"));
    if (!isFollowed)
      throw refuse(
        `Item '${item.id ?? ""}' of type 'reasoning' was provided without its required following item.`,
        null,
        "input",
      );
  }
}

function firstMarked(items: readonly ResolvedItem[]): string | null {
  for (const [at, item] of items.entries()) {
    const [name, parts] =
      item.type === "function_call_output" ? ["output", item.output] : ["content", "role" in item ? item.content : ""];
    if (!Array.isArray(parts)) continue;
    const nth = parts.findIndex((part) => "prompt_cache_breakpoint" in part);
    if (nth >= 0) return `input[${at}].${name}[${nth}].prompt_cache_breakpoint`;
  }
  return null;
}
