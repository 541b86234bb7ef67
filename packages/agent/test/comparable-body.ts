import type { Json, JsonObject } from "@cairn/timeline";

/** Bodies in one form: text alone or as the only part is the same, and so is a field that is absent or empty. */
export function comparableBody(body: JsonObject): Record<string, Json> {
  const { tools: sent, ...rest } = JSON.parse(JSON.stringify(body)) as Record<string, Json>;
  const listed = (Array.isArray(sent) ? sent : []) as Record<string, Json>[];
  const messages = (list: Json | undefined, type = "text") =>
    (Array.isArray(list) ? (list as Record<string, Json>[]) : []).map((message) => ({
      ...message,
      role: message.role === "developer" ? "system" : message.role,
      content: typeof message.content === "string" ? [{ type, text: message.content }] : message.content,
    }));
  return {
    ...(rest as Record<string, Json>),
    tools: listed as Json,
    ...(rest.messages === undefined ? {} : { messages: messages(rest.messages) as Json }),
    ...(rest.input === undefined ? {} : { input: messages(rest.input, "input_text") as Json }),
  };
}
