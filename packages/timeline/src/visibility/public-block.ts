/**
 * A block as people may see it: users of the app, an API client or a terminal. A block without anything internal is
 * given back as it is. Otherwise the result is a block of the same type and call, which shows that something was
 * withheld.
 *
 * This function alone decides what people see. All content for people passes through this function; `public-event.ts`
 * does the same for events.
 */
import type { JsonObject } from "../base/json.ts";
import type { Block } from "../block/block.ts";
import { withoutReasoning } from "../block/reasoning.ts";
import { kindOf } from "../kind/kinds.ts";

export function publicBlock(block: Block): Block {
  return withoutReasoning(shownPart(block));
}

function shownPart(block: Block): Block {
  const kind = kindOf(block.type);
  return kind.isInternal(block) ? withheld(block, kind.withheldText(block)) : kind.publicPart(block);
}

/** Whether people may see all of a block, apart from sealed reasoning. */
export function isPublic(block: Block): boolean {
  return shownPart(block) === block;
}

/** The meta fields that a withheld block keeps: its place, and the turns that a summary covers. */
const KEPT_META = ["tool_call_id", "iteration", "covered_turn_ids", "split_turn_id"];

/** A withheld block: only its place is kept. A path with names is not, because a name may reveal as much as a text. */
function withheld(block: Block, text: string | null): Block {
  const { author, call_id, path, ts, turn_id, type } = block;
  const kept = KEPT_META.flatMap((field) => (block.meta?.[field] === undefined ? [] : [[field, block.meta[field]]]));
  const meta: JsonObject = { ...Object.fromEntries(kept), visibility: "internal" };
  return {
    type,
    ...(author === undefined ? {} : { author }),
    ...(turn_id === undefined ? {} : { turn_id }),
    ...(ts === undefined ? {} : { ts }),
    ...(call_id === undefined ? {} : { call_id }),
    ...(path === undefined || path.startsWith("fi:") ? {} : { path }),
    ...(text === null ? {} : { mime: "application/json", text }),
    meta,
  };
}
