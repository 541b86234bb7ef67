/**
 * The settings in a sent body on which Claude's cached messages depend: if one changes, the cached messages are lost,
 * but tools and system text stay cached. The settings are read from the sent body, because different settings of a
 * request may give the same body. https://platform.claude.com/docs/en/build-with-claude/prompt-caching, "What
 * invalidates the cache" (2026-11-17). That page does not list the effort;
 * `docs/decisions/0226-the-cache-ground-is-read-from-the-body.md` says why the effort is included.
 */
import { isJsonObject, type JsonObject } from "@cairn/timeline";

export function cacheGround(body: string): string {
  const read: unknown = JSON.parse(body);
  const sent = isJsonObject(read) ? read : {};
  // Bedrock's Converse API expects the model's own fields in the object `additionalModelRequestFields`.
  const { thinking, speed, output_config } = { ...sent, ...objectIn(sent, "additionalModelRequestFields") };
  const { effort } = isJsonObject(output_config) ? output_config : {};
  const choice = sent.tool_choice ?? objectIn(sent, "toolConfig").toolChoice ?? "auto";
  return JSON.stringify([choice, { thinking, effort, speed }]);
}

function objectIn(fields: JsonObject, name: string): JsonObject {
  const { [name]: value } = fields;
  return isJsonObject(value) ? value : {};
}
