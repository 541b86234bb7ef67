/**
 * The text protocol, for models that call no tools: the system text describes the tools and how to call them, and the
 * calls are found in the text of the answer. From there on a decision is the same as with native calls.
 *
 * The tags contain a code of the conversation. Pages and files cannot know the code, so text that a model repeats from
 * them never counts as a call.
 */
import { hashText } from "@cairn/timeline";
import type { ModelPart, ToolSpec, ToolsInText } from "../model/model.ts";
import { ModelError } from "../model/model-error.ts";
import { CallScanner } from "./call-scanner.ts";
import { MAX_ANSWER_LENGTH, type RawDecision } from "./decision.ts";
import type { DecisionProtocol } from "./decision-protocol.ts";
import { findUnmarkedCall } from "./unmarked-call.ts";

const CODE_LENGTH = 6;
const VERSION = 1;

export const textProtocol = {
  name: "text",
  offer: (specs, conversation) => {
    const code = hashText(`text protocol\n${conversation}`).slice(0, CODE_LENGTH);
    return { tools: specs, inText: toolsInText(specs, { version: VERSION, code }) };
  },
  parts: (parts, { tools, inText }) => readParts(parts, tools, inText?.code ?? null),
  read: (raw, read, { tools, inText }) => {
    const decision = read(withoutThinking(raw));
    if (decision.kind !== "answer" || inText === undefined) return decision;
    const name = findUnmarkedCall(decision.text, tools);
    if (name === null) return decision;
    return {
      kind: "violation",
      code: "protocol_violation.call_without_code",
      message: `This looks like a call of ${name} and was not made. Write a call as: ${example(name, inText.code)}`,
      orAnswer: decision,
    };
  },
} satisfies DecisionProtocol;

/** The text that describes the tools. A published version never changes, because past requests are rebuilt with it. */
export function toolsInText(
  specs: readonly ToolSpec[],
  { version, code }: { readonly version: 1; readonly code: string },
): ToolsInText {
  // The code comes last, so that all conversations of an agent share the text before it in a provider's cache.
  return { version, code, text: `${describeTools(specs)}\n\n${describeCalls(code)}` };
}

function describeTools(specs: readonly ToolSpec[]): string {
  const described = specs.map(
    ({ name, description, schema }) =>
      `## ${name}\n${description}\nParameters, as JSON Schema: ${JSON.stringify(schema)}`,
  );
  return ["# Tools", "You have these tools.", ...described].join("\n\n");
}

function describeCalls(code: string): string {
  return `# How to call a tool

To call a tool, write the call in your answer, exactly in this form:

${example("TOOL", code)}

TOOL is the name of the tool. Between the two tags is one JSON object with the parameters. You can give a long text, such as the content of a file or a program, as it is instead of in the JSON:

<call-${code} TOOL>
{"NAME": "value"}
<param-${code} OTHER>
any lines, without escapes
</param-${code}>
</call-${code}>

- Write the code ${code} in every tag. Text without it calls nothing.
- Write the calls last. What you write before them is a short note to the user.
- You can make several calls in one answer. They run at the same time.
- Stop after the calls. The results come in the next message. Never write a result yourself.
- The history shows earlier calls and their results in another form. Do not write in that form.
- Without a call, your text is the final answer to the user.`;
}

function example(name: string, code: string): string {
  return `<call-${code} ${name}>\n{"NAME": "value"}\n</call-${code}>`;
}

/** Reads calls from the text. Calls that the provider reports by itself are passed on. */
async function* readParts(
  parts: AsyncIterable<ModelPart>,
  specs: readonly ToolSpec[],
  code: string | null,
): AsyncGenerator<ModelPart> {
  let calls = 0;
  let left = MAX_ANSWER_LENGTH;
  const native = new Map<unknown, number>();
  const scanner = new CallScanner(code, specs, () => calls++);
  for await (const part of parts as AsyncIterable<ModelPart | null>) {
    if (part?.type === "text" && typeof part.text === "string") {
      left -= part.text.length;
      if (left < 0) throw new ModelError("fatal", "The model's answer did not come to an end.");
      yield* scanner.push(part.text);
    } else if (part?.type === "call" || part?.type === "params") {
      const index = native.get(part.index) ?? calls++;
      native.set(part.index, index);
      yield { ...part, index };
    } else if (part?.type === "finish") {
      yield* scanner.end(part.reason === "length" || part.reason === "pause");
      yield part;
    } else if (part !== null) yield part;
  }
  yield* scanner.end(false);
}

/**
 * Finds the end tag of thinking alone on a line. Some servers put the start tag into the prompt, so the answer has only
 * the end tag. Takes linear time, because a model may write any number of blanks and line breaks.
 */
function withoutThinking(raw: RawDecision): RawDecision {
  const { text } = raw;
  for (const { index, 0: tag } of text.matchAll(/<\/think(?:ing)?>/g)) {
    let start = index;
    let end = index + tag.length;
    while (isBlank(text.charAt(start - 1))) start--;
    while (isBlank(text.charAt(end))) end++;
    if (isLineEnd(text.charAt(start - 1)) && isLineEnd(text.charAt(end))) return { ...raw, text: text.slice(end) };
  }
  return raw;
}

function isBlank(char: string): boolean {
  return char === " " || char === "\t";
}

/** A line break, or the empty string, which stands for the beginning or the end of a text. */
function isLineEnd(char: string): boolean {
  return /^[\n\r\u2028\u2029]?$/.test(char);
}
