import type { Json, JsonObject } from "@cairn/timeline";

/** Converts bodies to one form: a text and a list of only this text become equal, as do absent and empty fields. */
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
