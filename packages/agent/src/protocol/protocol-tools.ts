/**
 * The tools of the protocol itself, which run nothing: `ask_user` ends the turn with a question, and `suggest_followups`
 * accompanies a final answer. In a conversation with structured output there is a third one, `give_output`, which ends
 * the turn with a value.
 */
import type { JsonObject } from "@cairn/timeline";
import type { ToolSpec } from "../model/model.ts";

const object = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

export const ASK_USER: ToolSpec = {
  name: "ask_user",
  description: "Ask the user a question you cannot go on without. Ends the turn. Call nothing else with it.",
  schema: object({ question: { type: "string" } }, ["question"]),
};

export const SUGGEST_FOLLOWUPS: ToolSpec = {
  name: "suggest_followups",
  description: "Beside a final answer: up to four things the user may want to ask next, in the user's words.",
  schema: object({ items: { type: "array", items: { type: "string" } } }, ["items"]),
};

/** The tool for structured output. It contains no schema, so that all messages have the same tools. */
export const GIVE_OUTPUT: ToolSpec = {
  name: "give_output",
  description:
    "End the turn with structured output, when the user's message asks for it. `output` is the value; it must match the JSON Schema that came with the message. Call nothing else with it.",
  schema: object({ output: { type: "object", additionalProperties: true } }, ["output"]),
};

export interface ProtocolOffers {
  /** `ask_user`, with which the model ends a turn with a question; default true. */
  readonly askUser?: boolean;
  /** `suggest_followups`, with which it adds suggestions to its answer; default true. */
  readonly followups?: boolean;
}

/** The tools that a decision may call, in a fixed order. `hasOutput`: including the one for structured output. */
export function decisionTools(
  tools: readonly ToolSpec[],
  hasOutput = false,
  { askUser = true, followups = true }: ProtocolOffers = {},
): readonly ToolSpec[] {
  const own = [
    ...(askUser ? [ASK_USER] : []),
    ...(followups ? [SUGGEST_FOLLOWUPS] : []),
    ...(hasOutput ? [GIVE_OUTPUT] : []),
  ];
  return [...tools, ...own].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Whether a list of tools includes the one for structured output. */
export function offersOutput(specs: readonly ToolSpec[]): boolean {
  return specs.some(({ name }) => name === GIVE_OUTPUT.name);
}
