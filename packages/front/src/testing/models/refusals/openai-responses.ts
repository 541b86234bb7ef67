/** Rules of OpenAI's Responses API. */
import type { JsonObject } from "@cairn/timeline";
import type { ResolvedItem, ResponsesBody } from "../body/openai-responses.ts";
import { checkStrictSchema } from "../body/tool-schema.ts";
import { isSealed } from "../script/seal.ts";
import { cacheRules } from "./openai-cache.ts";
import { countRule } from "./openai-files.ts";
import { functionRules } from "./openai-functions.ts";
import { streamOptionsRule } from "./openai-stream.ts";
import { firstOf, type Rule } from "./rule.ts";

/** A body with its references to earlier answers replaced by their content. */
export type ResolvedBody = ResponsesBody & { readonly items: readonly ResolvedItem[] };

const hi = { role: "user", content: "hi" };
const base = { model: "gpt-5.6", input: [hi] };
const items = (...input: JsonObject[]): JsonObject => ({ ...base, input });
const picture = { type: "input_image", image_url: "data:image/png;base64,AAAA" };

export const OPENAI_RESPONSES: readonly Rule<ResolvedBody>[] = [
  ...functionRules<ResolvedBody>({
    toolsOf: ({ tools = [] }) => tools,
    chosenOf: ({ tool_choice: choice }) =>
      typeof choice === "object" && choice.type === "function" ? choice.name : undefined,
    isChoiceGiven: ({ tool_choice: choice }) => choice !== undefined && choice !== "none" && choice !== "auto",
    placeAt: (at) => `tools[${at}]`,
    bodyWith: (tools, fields) => ({
      ...base,
      ...fields,
      ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: "function", ...tool })) }),
    }),
    chooses: (name) => ({ type: "function", name }),
  }),
  streamOptionsRule("https://platform.openai.com/docs/api-reference/responses/create", { ...base, stream_options: {} }),
  {
    rule: "The strict schema of an answer closes its objects and requires all their fields.",
    about: "schemas",
    source: "https://github.com/moeru-ai/xsai/issues/202",
    date: "2025-07-31",
    refuses: ({ text }) => {
      if (text?.format?.type !== "json_schema" || text.format.strict !== true) return null;
      const problem = checkStrictSchema(text.format.schema);
      if (problem === null) return null;
      const context = problem.path.map((key) => `'${key}'`).join(", ");
      const message = `Invalid schema for response_format '${text.format.name}': In context=(${context}), ${problem.message}`;
      return { message, param: "text.format.schema" };
    },
    example: {
      ...base,
      text: { format: { type: "json_schema", name: "output", strict: true, schema: { type: "object" } } },
    },
  },
  {
    rule: "A result answers a call that stands before it.",
    about: "pairs",
    source: "https://github.com/microsoft/vscode/issues/320060",
    date: "2026-06-05",
    refuses: (body) => {
      const calls = new Set<string>();
      return firstOf(body.items, (item) => {
        if (item.type === "function_call") calls.add(item.call_id);
        return item.type === "function_call_output" && !calls.has(item.call_id)
          ? { message: `No tool call found for function call output with call_id ${item.call_id}.`, param: "input" }
          : null;
      });
    },
    example: items(hi, { type: "function_call_output", call_id: "a", output: "seen" }),
  },
  {
    rule: "Every call has a result.",
    about: "pairs",
    source: "https://github.com/router-for-me/CLIProxyAPI/issues/2368",
    date: "2026-03-27",
    refuses: (body) => {
      const answered = new Set(
        body.items.flatMap((item) => (item.type === "function_call_output" ? [item.call_id] : [])),
      );
      return firstOf(body.items, (item) =>
        item.type === "function_call" && !answered.has(item.call_id)
          ? { message: `No tool output found for function call ${item.call_id}.`, param: "input" }
          : null,
      );
    },
    example: items(hi, { type: "function_call", call_id: "a", name: "look", arguments: "{}" }),
  },
  {
    rule: "Encrypted reasoning is sent back as it was.",
    about: "text",
    source: "https://github.com/anomalyco/opencode/issues/5104",
    date: "2025-12-05",
    refuses: (body) =>
      firstOf(body.items, (item) =>
        item.type === "reasoning" && item.encrypted_content != null && !isSealed(item.encrypted_content)
          ? {
              message: `The encrypted content for item ${item.id ?? ""} could not be verified.`,
              code: "invalid_encrypted_content",
              param: null,
            }
          : null,
      ),
    example: items(
      hi,
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "altered" },
      { role: "assistant", content: "seen" },
      hi,
    ),
  },
  {
    rule: "A reasoning item is followed by the item that it led to.",
    about: "pairs",
    source: "https://github.com/openai/openai-node/issues/1567",
    date: "2025-07-01",
    refuses: (body) =>
      firstOf(body.items.entries(), ([at, item]) =>
        item.type === "reasoning" && !isOutcome(body.items[at + 1])
          ? {
              message: `Item '${item.id ?? ""}' of type 'reasoning' was provided without its required following item.`,
              param: "input",
            }
          : null,
      ),
    example: items(hi, { type: "reasoning", id: "rs_1", summary: [] }),
  },
  countRule<ResolvedBody>(
    (body) => body.items.flatMap(partsOf).filter(({ type }) => type === "input_image").length,
    (count) => items({ role: "user", content: Array.from({ length: count }, () => picture) }),
  ),
  ...cacheRules<ResolvedBody>(
    (body) => firstMarked(body.items),
    (fields, marked) => ({
      ...items({ role: "user", content: [{ type: "input_text", text: "a", ...marked }] }),
      ...fields,
    }),
  ),
];

function isOutcome(item: ResolvedItem | undefined): boolean {
  if (item === undefined) return false;
  return item.type === "function_call" || item.type === "reasoning" || ("role" in item && item.role === "assistant");
}

function partsOf(item: ResolvedItem): readonly { readonly type: string }[] {
  const parts = item.type === "function_call_output" ? item.output : "role" in item ? item.content : "";
  return Array.isArray(parts) ? parts : [];
}

function firstMarked(all: readonly ResolvedItem[]): string | null {
  return firstOf(all.entries(), ([at, item]) => {
    const nth = partsOf(item).findIndex((part) => "prompt_cache_breakpoint" in part);
    const name = item.type === "function_call_output" ? "output" : "content";
    return nth >= 0 ? `input[${at}].${name}[${nth}].prompt_cache_breakpoint` : null;
  });
}
