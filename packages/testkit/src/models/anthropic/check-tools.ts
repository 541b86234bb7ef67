/** Rules about tools, settings and cache markers that a schema cannot say. */
import { checkRoot, checkToolSchema, ROOT_RULES } from "../tool-schema.ts";
import { refuse } from "./errors.ts";
import { blocksOf, type CacheControl, type MessagesBody, systemBlocks } from "./schema.ts";

const MAX_MARKERS = 4;

export function checkTools({ tools = [], tool_choice: choice, thinking, max_tokens, stream }: MessagesBody): void {
  const names = new Set<string>();
  for (const [at, { name, input_schema }] of tools.entries()) {
    if (names.has(name)) throw refuse("tools: Tool names must be unique.");
    names.add(name);
    const atRoot = checkRoot(input_schema, ROOT_RULES.anthropic);
    if (atRoot !== null) throw refuse(`tools.${at}.custom.input_schema: ${atRoot}`);
    const problem = checkToolSchema(input_schema);
    if (problem !== null) {
      const place = ["tools", at, "custom", "input_schema", ...problem.path].join(".");
      throw refuse(
        problem.path[0] === "type"
          ? `${place}: Input should be 'object'`
          : `${place}: JSON schema is invalid: ${problem.message}`,
      );
    }
  }
  if (choice !== undefined && tools.length === 0)
    throw refuse("tool_choice: tool_choice may only be specified while providing tools.");
  if (choice?.type === "tool" && !names.has(choice.name))
    throw refuse(`tool_choice: Tool '${choice.name}' not found in provided tools`);
  if (thinking?.type === "enabled" && thinking.budget_tokens >= max_tokens)
    throw refuse("`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation.");
  if (thinking?.type === "enabled" && (choice?.type === "any" || choice?.type === "tool"))
    throw refuse("Thinking may not be enabled when tool_choice forces tool use.");
  if (max_tokens === 0 && stream === true) throw refuse("max_tokens: must be at least 1 for a streamed request");
}

/** In the order of the prefix: tools, system, messages; the one of the whole request stands on the last block. */
export function checkMarkers(body: MessagesBody): void {
  const markers = placedMarkers(body);
  const last = body.messages.at(-1);
  if (body.cache_control != null && last !== undefined) {
    const own = blocksOf(last).at(-1);
    const place = "cache_control";
    if (own !== undefined && "cache_control" in own && own.cache_control != null) {
      if (lifeOf(own.cache_control) !== lifeOf(body.cache_control))
        throw refuse("cache_control: the last block has a cache_control with another ttl");
    } else markers.push({ place, marker: body.cache_control });
  }
  if (markers.length > MAX_MARKERS)
    throw refuse(`A maximum of ${MAX_MARKERS} blocks with cache_control may be provided. Found ${markers.length}.`);
  let shorter = false;
  for (const { place, marker } of markers) {
    if (lifeOf(marker) === "1h" && shorter)
      throw refuse(
        `${place}.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: \`tools\`, \`system\`, \`messages\`.`,
      );
    shorter ||= lifeOf(marker) === "5m";
  }
}

interface PlacedMarker {
  readonly place: string;
  readonly marker: CacheControl;
}

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
  return found;
}

export function lifeOf({ ttl }: CacheControl): "5m" | "1h" {
  return ttl ?? "5m";
}
