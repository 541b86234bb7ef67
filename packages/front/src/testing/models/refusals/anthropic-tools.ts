/** Rules of Anthropic's Messages API for tools, settings and cache markers. */
import { isJsonObject, type Json, type JsonObject } from "@cairn/timeline";
import { blocksOf, type CacheControl, type MessagesBody, systemBlocks } from "../body/anthropic.ts";
import { checkToolSchema, hasAtRoot, schemasIn } from "../body/tool-schema.ts";
import { firstOf, type Rule } from "./rule.ts";

const MAX_MARKERS = 4;
const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/;
const API = "https://platform.claude.com/docs/en/api/messages";

const hello = { role: "user", content: "hi" };
const base = { model: "claude-sonnet-5", max_tokens: 10, messages: [hello] };
const look = { name: "look", description: "Looks.", input_schema: { type: "object", properties: {} } };
const withTool = (input_schema: Json): JsonObject => ({ ...base, tools: [{ ...look, input_schema }] });
const marked = (text: string, ttl: "5m" | "1h"): JsonObject => ({
  type: "text",
  text,
  cache_control: { type: "ephemeral", ttl },
});

export const ANTHROPIC_TOOLS: readonly Rule<MessagesBody>[] = [
  {
    rule: "The schema of an answer closes its objects.",
    about: "schemas",
    source: "https://github.com/ax-llm/ax/issues/458",
    date: "2025-11-28",
    refuses: ({ output_config }) =>
      firstOf(schemasIn(output_config?.format?.schema), ({ schema }) =>
        schema.type === "object" && schema.additionalProperties !== false
          ? "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false"
          : null,
      ),
    example: { ...base, output_config: { format: { type: "json_schema", schema: { type: "object" } } } },
  },
  {
    rule: "The name of a tool has 1 to 128 letters, digits, underscores and hyphens.",
    about: "names",
    source: "https://github.com/BerriAI/litellm/pull/26788",
    date: "2026-05-05",
    refuses: ({ tools = [] }) =>
      firstOf(tools.entries(), ([at, { name }]) =>
        NAME.test(name) ? null : `tools.${at}.custom.name: String should match pattern '${NAME.source}'`,
      ),
    example: { ...base, tools: [{ ...look, name: "react.read" }] },
  },
  {
    rule: "Names of tools are unique.",
    about: "names",
    source: "https://github.com/anthropics/claude-code/issues/10687",
    date: "2025-10-31",
    refuses: ({ tools = [] }) =>
      new Set(tools.map(({ name }) => name)).size < tools.length ? "tools: Tool names must be unique." : null,
    example: { ...base, tools: [look, look] },
  },
  {
    rule: "A tool's schema has no union at its root.",
    about: "schemas",
    source: "https://github.com/anthropics/claude-code/issues/5319",
    date: "2025-08-07",
    refuses: ({ tools = [] }) =>
      firstOf(tools.entries(), ([at, { input_schema }]) =>
        hasAtRoot(input_schema, ["oneOf", "allOf", "anyOf"])
          ? `tools.${at}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`
          : null,
      ),
    example: withTool({ type: "object", anyOf: [{ required: ["a"] }] }),
  },
  {
    rule: "A tool's schema is a JSON schema of an object.",
    about: "schemas",
    source: "https://github.com/anthropics/claude-code/issues/63673",
    date: "2026-05-29",
    refuses: ({ tools = [] }) =>
      firstOf(tools.entries(), ([at, { input_schema }]) => {
        const problem = checkToolSchema(input_schema);
        if (problem === null) return null;
        const place = ["tools", at, "custom", "input_schema", ...problem.path].join(".");
        return problem.path[0] === "type"
          ? `${place}: Input should be 'object'`
          : `${place}: JSON schema is invalid: ${problem.message}`;
      }),
    example: withTool({ type: "object", properties: { a: { type: "text" } } }),
  },
  {
    rule: "Names of a tool's properties have 1 to 64 letters, digits, underscores, dots and hyphens.",
    about: "schemas",
    source: "https://github.com/anthropics/claude-code/issues/79418",
    date: "2026-07-20",
    refuses: ({ tools = [] }) =>
      firstOf(
        tools.entries(),
        ([
          at,
          {
            input_schema: { properties },
          },
        ]) =>
          isJsonObject(properties) && Object.keys(properties).some((name) => !PROPERTY.test(name))
            ? `tools.${at}.custom.input_schema.properties: Property keys should match pattern '${PROPERTY.source}'`
            : null,
      ),
    example: withTool({ type: "object", properties: { "filter[id]": { type: "string" } } }),
  },
  {
    rule: "A choice of tools comes with tools.",
    about: "settings",
    source: API,
    date: "2026-11-15",
    refuses: ({ tools = [], tool_choice: choice }) =>
      choice !== undefined && tools.length === 0
        ? "tool_choice: tool_choice may only be specified while providing tools."
        : null,
    example: { ...base, tool_choice: { type: "auto" } },
  },
  {
    rule: "The tool that is chosen is among the tools.",
    about: "settings",
    source: API,
    date: "2026-11-15",
    refuses: ({ tools = [], tool_choice: choice }) =>
      choice?.type === "tool" && !tools.some(({ name }) => name === choice.name)
        ? `tool_choice: Tool '${choice.name}' not found in provided tools`
        : null,
    example: { ...base, tools: [look], tool_choice: { type: "tool", name: "jump" } },
  },
  {
    rule: "The thinking budget is smaller than `max_tokens`.",
    about: "settings",
    source: "https://platform.claude.com/docs/en/build-with-claude/extended-thinking",
    date: "2026-11-15",
    refuses: ({ thinking, max_tokens }) =>
      thinking?.type === "enabled" && thinking.budget_tokens >= max_tokens
        ? "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation."
        : null,
    example: { ...base, thinking: { type: "enabled", budget_tokens: 2_000 } },
  },
  {
    rule: "A model that thinks is not forced to call a tool.",
    about: "settings",
    source: "https://platform.claude.com/docs/en/build-with-claude/extended-thinking",
    date: "2026-11-15",
    refuses: ({ thinking, tool_choice: choice }) =>
      thinking?.type === "enabled" && (choice?.type === "any" || choice?.type === "tool")
        ? "Thinking may not be enabled when tool_choice forces tool use."
        : null,
    example: {
      ...base,
      max_tokens: 4_000,
      tools: [look],
      thinking: { type: "enabled", budget_tokens: 2_000 },
      tool_choice: { type: "any" },
    },
  },
  {
    rule: "A streamed request asks for at least one token.",
    about: "settings",
    source: API,
    date: "2026-11-15",
    refuses: ({ max_tokens, stream }) =>
      max_tokens === 0 && stream === true ? "max_tokens: must be at least 1 for a streamed request" : null,
    example: { ...base, max_tokens: 0, stream: true },
  },
  {
    rule: "The marker of the whole request has the lifetime of the last block's own marker.",
    about: "cache",
    source: "https://platform.claude.com/docs/en/build-with-claude/prompt-caching",
    date: "2026-11-15",
    refuses: (body) => {
      const own = lastMarker(body);
      return body.cache_control != null && own !== null && lifeOf(own) !== lifeOf(body.cache_control)
        ? "cache_control: the last block has a cache_control with another ttl"
        : null;
    },
    example: {
      ...base,
      cache_control: { type: "ephemeral", ttl: "1h" },
      messages: [{ role: "user", content: [marked("a", "5m")] }],
    },
  },
  {
    rule: "At most four blocks have a cache marker.",
    about: "cache",
    source: "https://github.com/griffinmartin/opencode-claude-auth/issues/121",
    date: "2026-04-03",
    refuses: (body) => {
      const { length } = placedMarkers(body);
      return length > MAX_MARKERS
        ? `A maximum of ${MAX_MARKERS} blocks with cache_control may be provided. Found ${length}.`
        : null;
    },
    example: {
      ...base,
      messages: [{ role: "user", content: ["a", "b", "c", "d", "e"].map((text) => marked(text, "5m")) }],
    },
  },
  {
    rule: "Markers of one hour come before markers of five minutes, in the order tools, system, messages.",
    about: "cache",
    source: "https://github.com/headroomlabs-ai/headroom/issues/2939",
    date: "2026-08-12",
    refuses: (body) => {
      let shorter = false;
      return firstOf(placedMarkers(body), ({ place, marker }) => {
        if (lifeOf(marker) === "1h" && shorter)
          return `${place}.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: \`tools\`, \`system\`, \`messages\`.`;
        shorter ||= lifeOf(marker) === "5m";
        return null;
      });
    },
    example: { ...base, system: [marked("s", "5m")], messages: [{ role: "user", content: [marked("a", "1h")] }] },
  },
];

interface PlacedMarker {
  readonly place: string;
  readonly marker: CacheControl;
}

/** All cache markers in the order of the prefix. A marker of the whole request is on the last block. */
function placedMarkers(body: MessagesBody): PlacedMarker[] {
  const found: PlacedMarker[] = [];
  const look = (block: object, place: string) => {
    const marker = "cache_control" in block ? (block.cache_control as CacheControl | null | undefined) : null;
    if (marker != null) found.push({ place: `${place}.cache_control`, marker });
  };
  for (const [at, tool] of (body.tools ?? []).entries()) look(tool, `tools.${at}`);
  for (const [at, block] of systemBlocks(body).entries()) look(block, `system.${at}`);
  for (const [at, message] of body.messages.entries())
    for (const [nth, block] of blocksOf(message).entries()) {
      if (block.type === "tool_result" && Array.isArray(block.content))
        for (const [inner, part] of block.content.entries())
          look(part, `messages.${at}.content.${nth}.content.${inner}`);
      look(block, `messages.${at}.content.${nth}`);
    }
  if (body.cache_control != null && lastMarker(body) === null)
    found.push({ place: "cache_control", marker: body.cache_control });
  return found;
}

function lastMarker({ messages }: MessagesBody): CacheControl | null {
  const last = messages.at(-1);
  const block = last === undefined ? undefined : blocksOf(last).at(-1);
  return block !== undefined && "cache_control" in block ? (block.cache_control ?? null) : null;
}

export function lifeOf({ ttl }: CacheControl): "5m" | "1h" {
  return ttl ?? "5m";
}
