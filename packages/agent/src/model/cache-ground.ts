/**
 * The settings of a sent body on which Claude's cached messages depend: a change loses the messages and keeps tools and
 * system text. They are read from the body, because different settings of ours may be sent alike.
 *
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching, "What invalidates the cache" (2026-11-17). The
 * effort is in no row there; `docs/decisions/0226-the-cache-ground-is-read-from-the-body.md` says why it is here.
 */
import { isJsonObject, type JsonObject } from "@cairn/timeline";

export function cacheGround(body: string): string {
  const read: unknown = JSON.parse(body);
  const sent = isJsonObject(read) ? read : {};
  // Converse has the fields of the model in an object of their own.
  const { thinking, speed, output_config } = { ...sent, ...objectIn(sent, "additionalModelRequestFields") };
  const { effort } = isJsonObject(output_config) ? output_config : {};
  const choice = sent.tool_choice ?? objectIn(sent, "toolConfig").toolChoice ?? "auto";
  return JSON.stringify([choice, { thinking, effort, speed }]);
}

function objectIn(fields: JsonObject, name: string): JsonObject {
  const { [name]: value } = fields;
  return isJsonObject(value) ? value : {};
}
