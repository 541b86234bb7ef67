/** Rules of Bedrock's Converse API, which checks a request before Claude's own rules apply. */
import type { JsonObject } from "@cairn/timeline";
import { type ConverseBlock, type ConverseBody, isClaude, toolsOf } from "../body/bedrock.ts";
import { firstOf, type Rule } from "./rule.ts";

type Body = ConverseBody & { readonly model: string };

const MESSAGE = "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html";
const MAX_IMAGES = 20;
const MAX_DOCUMENTS = 5;
const MAX_CACHE_POINTS = 4;

const user = (...content: JsonObject[]): JsonObject => ({ role: "user", content });
const assistant = (...content: JsonObject[]): JsonObject => ({ role: "assistant", content });
const text = (value: string): JsonObject => ({ text: value });
const use = (toolUseId: string): JsonObject => ({ toolUse: { toolUseId, name: "look", input: {} } });
const result = (toolUseId: string): JsonObject => ({ toolResult: { toolUseId, content: [text("seen")] } });
const spec = (name: string, json: JsonObject = { type: "object" }): JsonObject => ({
  toolSpec: { name, description: "Looks.", inputSchema: { json } },
});
const toolConfig = { tools: [spec("look")] };
const talk = (...messages: JsonObject[]): JsonObject => ({ toolConfig, messages });
const point: JsonObject = { cachePoint: { type: "default" } };
const pdf = (name: string): JsonObject => ({ document: { format: "pdf", name, source: { bytes: "AAAA" } } });

export const BEDROCK: readonly Rule<Body>[] = [
  {
    rule: "A conversation begins with a message of the user.",
    about: "roles",
    source: "https://github.com/NousResearch/hermes-agent/pull/63983",
    date: "2026-07-13",
    refuses: ({ messages }) =>
      messages[0]?.role === "user"
        ? null
        : "Validation error: A conversation must start with a user message. Try again with a conversation that starts with a user message.",
    example: talk(assistant(text("a")), user(text("b"))),
  },
  {
    rule: "Messages alternate between the user and the assistant.",
    about: "roles",
    source: "https://github.com/genkit-ai/aws-bedrock-js-plugin/issues/664",
    date: "2026-07-15",
    refuses: ({ messages }) =>
      messages.some(({ role }, at) => role === messages[at - 1]?.role)
        ? "Validation error: A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again."
        : null,
    example: talk(user(text("a")), user(text("b"))),
  },
  {
    rule: "Messages have content.",
    about: "text",
    source: "https://github.com/langchain-ai/langchain/issues/26968",
    date: "2024-09-28",
    refuses: ({ messages }) =>
      firstOf(messages.entries(), ([at, { content }]) =>
        content.length === 0
          ? `Validation error: The content field in the Message object at messages.${at} is empty. Add a ContentBlock object to the content field and try again.`
          : null,
      ),
    example: talk(user()),
  },
  {
    rule: "Texts are not blank.",
    about: "text",
    source: "https://github.com/continuedev/continue/issues/9767",
    date: "2026-01-21",
    refuses: ({ messages }) =>
      eachBlock(messages, (block, place) =>
        "text" in block && !/\S/.test(block.text)
          ? `Validation error: The text field in the ContentBlock object at ${place} is blank. Add text to the text field, and try again.`
          : null,
      ),
    example: talk(user(text(" "))),
  },
  {
    rule: "Names of tools have letters, digits, underscores and hyphens only.",
    about: "names",
    source: "https://github.com/openclaw/openclaw/pull/12949",
    date: "2026-02-09",
    refuses: (body) =>
      firstOf(toolsOf(body).entries(), ([at, { toolSpec }]) =>
        /^[a-zA-Z0-9_-]+$/.test(toolSpec.name)
          ? null
          : `1 validation error detected: Value '${toolSpec.name}' at 'toolConfig.tools.${at + 1}.member.toolSpec.name' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+`,
      ),
    example: { toolConfig: { tools: [spec("look.up")] }, messages: [user(text("a"))] },
  },
  {
    rule: "Names of tools have at most 64 characters.",
    about: "names",
    source: "https://github.com/headroomlabs-ai/headroom/pull/2129",
    date: "2026-07-13",
    refuses: (body) =>
      firstOf(toolsOf(body).entries(), ([at, { toolSpec }]) =>
        toolSpec.name.length <= 64
          ? null
          : `1 validation error detected: Value at 'toolConfig.tools.${at + 1}.member.toolSpec.name' failed to satisfy constraint: Member must have length less than or equal to 64`,
      ),
    example: { toolConfig: { tools: [spec("a".repeat(65))] }, messages: [user(text("a"))] },
  },
  {
    rule: "The schema of a tool is an object.",
    about: "schemas",
    source: "https://github.com/Tracer-Cloud/opensre/pull/2381",
    date: "2026-05-22",
    refuses: (body) =>
      firstOf(toolsOf(body).entries(), ([at, { toolSpec }]) =>
        toolSpec.inputSchema.json.type === "object"
          ? null
          : `Validation error: The value at toolConfig.tools.${at}.toolSpec.inputSchema.json.type must be one of the following: object.`,
      ),
    example: { toolConfig: { tools: [spec("look", { anyOf: [] })] }, messages: [user(text("a"))] },
  },
  {
    rule: "A history with calls comes with tools.",
    about: "pairs",
    source: "https://github.com/onyx-dot-app/onyx/issues/7842",
    date: "2026-01-27",
    refuses: ({ messages, toolConfig: given }) =>
      given === undefined &&
      eachBlock(messages, (block) => ("toolUse" in block || "toolResult" in block ? true : null)) === true
        ? "Validation error: The toolConfig field must be defined when using toolUse and toolResult content blocks."
        : null,
    example: { messages: [user(text("a")), assistant(use("t1")), user(result("t1"))] },
  },
  {
    rule: "All calls of a message are answered in the next one.",
    about: "pairs",
    source: "https://github.com/agno-agi/agno/issues/6698",
    date: "2026-02-24",
    refuses: ({ messages }) =>
      firstOf(messages.entries(), ([at, { content }]) => {
        const answered = new Set(resultsOf(messages[at + 1]?.content ?? []));
        const missing = callsOf(content).filter((id) => !answered.has(id));
        return missing.length === 0
          ? null
          : `Validation error: Expected toolResult blocks at messages.${at + 1}.content for the following Ids: ${missing.join(", ")}`;
      }),
    example: talk(user(text("a")), assistant(use("t1"), use("t2")), user(result("t1"))),
  },
  {
    rule: "Every result answers a call of the message before.",
    about: "pairs",
    source: "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolResultBlock.html",
    date: "2026-11-16",
    refuses: ({ messages }) =>
      firstOf(messages.entries(), ([at, { content }]) => {
        const calls = new Set(callsOf(messages[at - 1]?.content ?? []));
        return resultsOf(content).every((id) => calls.has(id))
          ? null
          : `Validation error: The number of toolResult blocks at messages.${at}.content exceeds the number of toolUse blocks of previous turn.`;
      }),
    example: talk(user(result("t9"))),
  },
  {
    rule: "A request has at most four cache points.",
    about: "counts",
    source: "https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html",
    date: "2026-11-16",
    refuses: (body) =>
      cachePoints(body) > MAX_CACHE_POINTS
        ? `Validation error: At most ${MAX_CACHE_POINTS} cache points are accepted; found ${cachePoints(body)}.`
        : null,
    example: talk(user(...["a", "b", "c", "d", "e"].flatMap((value) => [text(value), point]))),
  },
  {
    rule: "Only models with prompt caches take cache points.",
    about: "cache",
    source: "https://github.com/can1357/oh-my-pi/pull/6409",
    date: "2026-07-23",
    status: 403,
    refuses: (body) =>
      cachePoints(body) > 0 && !isClaude(body.model)
        ? "Validation error: You invoked an unsupported model or your request did not allow prompt caching."
        : null,
    example: talk(user(text("a"), point)),
  },
  {
    rule: "A message has at most 20 pictures.",
    about: "counts",
    source: MESSAGE,
    date: "2026-11-16",
    refuses: ({ messages }) =>
      messages.some(({ content }) => filesOf(content, "image").length > MAX_IMAGES)
        ? `Validation error: A message may have up to ${MAX_IMAGES} images.`
        : null,
    example: talk(
      user(
        text("a"),
        ...Array.from({ length: MAX_IMAGES + 1 }, () => ({ image: { format: "png", source: { bytes: "AAAA" } } })),
      ),
    ),
  },
  {
    rule: "A message has at most five documents.",
    about: "counts",
    source: MESSAGE,
    date: "2026-11-16",
    refuses: ({ messages }) =>
      messages.some(({ content }) => filesOf(content, "document").length > MAX_DOCUMENTS)
        ? `Validation error: A message may have up to ${MAX_DOCUMENTS} documents.`
        : null,
    example: talk(user(text("a"), ...["a", "b", "c", "d", "e", "f"].map(pdf))),
  },
  {
    rule: "A message with a document has a text too.",
    about: "text",
    source: MESSAGE,
    date: "2026-11-16",
    refuses: ({ messages }) =>
      messages.some(({ content }) => content.some((block) => "document" in block) && !content.some(hasText))
        ? "Validation error: A message with a document must also have a text."
        : null,
    example: talk(user(pdf("a"))),
  },
];

type Message = Body["messages"][number];

function eachBlock<R>(messages: readonly Message[], look: (block: ConverseBlock, place: string) => R | null): R | null {
  return firstOf(messages.entries(), ([at, { content }]) =>
    firstOf((content as readonly ConverseBlock[]).entries(), ([nth, block]) =>
      look(block, `messages.${at}.content.${nth}`),
    ),
  );
}

function hasText(block: ConverseBlock): boolean {
  return "text" in block;
}

function callsOf(content: readonly ConverseBlock[]): string[] {
  return content.flatMap((block) => ("toolUse" in block ? [block.toolUse.toolUseId] : []));
}

function resultsOf(content: readonly ConverseBlock[]): string[] {
  return content.flatMap((block) => ("toolResult" in block ? [block.toolResult.toolUseId] : []));
}

function filesOf(content: readonly ConverseBlock[], kind: "image" | "document"): object[] {
  const all = content.flatMap((block): object[] => ("toolResult" in block ? block.toolResult.content : [block]));
  return all.filter((block) => kind in block);
}

function cachePoints({ messages, system = [], toolConfig: given }: Body): number {
  const all: object[] = [...(given?.tools ?? []), ...system, ...messages.flatMap(({ content }) => content as object[])];
  return all.filter((block) => "cachePoint" in block).length;
}
