/**
 * A scripted message of a model that calls no tools: it finds the form of a call in the system text and writes its
 * calls as text. To imitate small models, every other call has a mistake: a code fence, single quotes, or no end.
 */
import type { JsonObject } from "@cairn/timeline";
import type { MessageReply, ScriptedCall } from "./reply.ts";

/** A longer text is written as a plain parameter and not in JSON. */
const MAX_IN_JSON = 30;

export function replyInText(reply: MessageReply, system: string): MessageReply {
  const { calls = [], text, ...others } = reply;
  const code = /<call-(\w+) /.exec(system)?.[1];
  if (calls.length === 0 || code === undefined) return reply;
  const written = calls.map((call, nth) => writeCall(call, code, nth));
  return { ...others, text: [...(text === undefined ? [] : [text]), ...written].join("\n\n") };
}

function writeCall({ name, rawInput, input = {} }: ScriptedCall, code: string, nth: number): string {
  const begin = `<call-${code} ${name.replaceAll("__", ".")}>`;
  if (rawInput !== undefined) return `${begin}\n${rawInput}\n</call-${code}>`;
  const long = Object.entries(input).filter((entry): entry is [string, string] => isLong(entry[1]));
  const short = Object.fromEntries(Object.entries(input).filter(([, value]) => !isLong(value))) as JsonObject;
  const params = long.map(([param, value]) => `<param-${code} ${param}>\n${value}\n</param-${code}>\n`).join("");
  const body = `${begin}\n${JSON.stringify(short, null, nth % 2 === 0 ? 2 : 0)}\n${params}`;
  const forms = [`${body}</call-${code}>`, `\`\`\`\n${body}</call-${code}>\n\`\`\``, body.trimEnd()];
  return forms[nth % forms.length] ?? body;
}

function isLong(value: unknown): value is string {
  return typeof value === "string" && value.length > MAX_IN_JSON && !value.startsWith("ref:");
}
