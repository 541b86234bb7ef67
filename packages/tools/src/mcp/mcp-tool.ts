/**
 * A server's tool as a tool of the agent: `mcp.<server>.<tool>`, with the server's own JSON Schema for the model.
 *
 * Parameters are checked as far as the schema is supported, so that the model can correct mistakes; the model's
 * parameters are sent unchanged, and the server decides.
 */
import { type AnyTool, Asking, defineTool, schemaCheck, uncheckedPatterns } from "@cairn/agent";
import { escapeRules, type JsonObject } from "@cairn/timeline";
import type { Tool as McpTool } from "@modelcontextprotocol/client";
import { z } from "zod";
import { CONTROLS } from "./control-characters.ts";
import type { McpConnection } from "./mcp-connection.ts";
import { settleResult } from "./mcp-result.ts";

const MAX_DESCRIPTION_LENGTH = 4_000;
const PROGRESS_FACTOR = 10;
const GRACE_MS = 5_000;

export function mcpTool(id: string, listed: McpTool, connection: McpConnection): AnyTool {
  const { name, annotations } = listed;
  const { approval, timeout_ms } = connection.config;
  const idempotent = annotations?.readOnlyHint === true || annotations?.idempotentHint === true;
  return defineTool({
    id,
    description: describe(listed, connection.name),
    params: paramsOf(listed.inputSchema),
    schema: withoutLineBreaks(listed.inputSchema as JsonObject),
    idempotent,
    ...labelled(listed),
    approval: approval === "unless_read_only" ? (annotations?.readOnlyHint === true ? "never" : "always") : approval,
    withdraw: (state) => connection.withdraw(state),
    // This timeout is longer than that of the connection, whose error has a better message.
    timeout: timeout_ms * PROGRESS_FACTOR + connection.config.connect_timeout_ms + GRACE_MS,
    run: async (params, context) => {
      const result = await connection.call({
        name,
        params,
        repeatable: idempotent,
        signal: context.signal,
        onProgress: context.progress,
        answered: context.answered,
      });
      return result instanceof Asking ? result : await settleResult(result, context, connection.name);
    },
  });
}

const MAX_TITLE_LENGTH = 80;

/** The server's title for people, if there is one, without characters that control a terminal or the direction of text. */
function labelled({ annotations, title = annotations?.title }: McpTool): Pick<AnyTool, "traits"> {
  const words = (title ?? "")
    .replace(CONTROLS, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, MAX_TITLE_LENGTH)
    .toWellFormed();
  return words === "" ? {} : { traits: { label: { icon: "tool", done: words, doing: words } } };
}

/**
 * A model may read a schema as text, so no line of it may look like a header of the runtime. JSON escapes all line
 * breaks except the three that this function replaces.
 */
function withoutLineBreaks(schema: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(schema).replace(/[\x85\u2028\u2029]/g, " ")) as JsonObject;
}

function describe({ name, title, description, inputSchema }: McpTool, server: string): string {
  const text = (description ?? title ?? "").replace(CONTROLS, "").trim();
  const own = (text === "" ? `The tool ${name} of the server ${server}.` : text).slice(0, MAX_DESCRIPTION_LENGTH);
  const unchecked = uncheckedPatterns(inputSchema as JsonObject);
  return escapeRules()
    .payload(unchecked.length === 0 ? own : `${own}\n\n${notChecked(unchecked)}`)
    .toWellFormed();
}

/** A note for the model about patterns that the linear-time engine cannot check before the call. */
function notChecked(patterns: readonly string[]): string {
  const listed = patterns.map((pattern) => `\`${pattern.slice(0, 200)}\``).join(", ");
  return `Not checked before the call, so take care to match: ${listed.slice(0, 1_000)}`;
}

/**
 * Parameters that are nested too deeply to be checked are left to the server, and so are all parameters of a schema that
 * is too costly. Parameters with too many items to be checked are refused.
 */
function paramsOf(schema: McpTool["inputSchema"]): z.ZodType<Record<string, unknown>> {
  const any = z.record(z.string(), z.unknown());
  const check = schemaCheck(schema as JsonObject);
  if (check === null) return any;
  return any.superRefine((given, context) => {
    const params = withoutNulls(schema as JsonObject, given);
    for (const { message, path } of check(params) ?? []) context.addIssue({ code: "custom", message, path: [...path] });
  });
}

/** Removes null parameters that are optional, because models write null for a parameter that they leave out. */
function withoutNulls({ required }: JsonObject, params: Record<string, unknown>): Record<string, unknown> {
  const names = new Set(Array.isArray(required) ? required : []);
  return Object.fromEntries(Object.entries(params).filter(([name, value]) => value !== null || names.has(name)));
}
