/** An event as people may see it (`public-block.ts`). The body of an unknown kind is left out. */
import type { Json } from "../base/json.ts";
import { type EventBody, isKnown, type KnownEvent, type TimelineEvent } from "../event/event.ts";
import { publicBlock } from "./public-block.ts";
import { statedVisibility } from "./rules/internal.ts";
import { publicParams } from "./rules/public-params.ts";

export function publicEvent(event: TimelineEvent): TimelineEvent {
  return isKnown(event) ? publicKnown(event) : { ...event, body: {} };
}

function publicKnown(event: KnownEvent): KnownEvent {
  switch (event.kind) {
    case "block.appended": {
      const block = publicBlock(event.body.block);
      return block === event.body.block ? event : { ...event, body: { ...event.body, block } };
    }
    // The context is left out, because it is the application's data for its tools.
    case "input.received":
      return event.body.context === undefined ? event : { ...event, body: withoutContext(event.body) };
    case "turn.opened":
      return event.body.context === undefined ? event : { ...event, body: withoutContext(event.body) };
    case "compaction.committed":
      return { ...event, body: { ...event.body, summary: publicBlock(event.body.summary) } };
    case "call.started":
      return { ...event, body: publicStart(event.body) };
    case "approval.requested":
      return { ...event, body: publicRequest(event.body) };
    case "model.receipt":
      return { ...event, body: publicReceipt(event.body) };
    case "blocks.hidden":
      return { ...event, body: { ...event.body, groups: event.body.groups.map(withoutReplacement) } };
    case "blocks.pruned":
      return { ...event, body: { ...event.body, groups: event.body.groups.map(withoutReplacement) } };
    default:
      return event;
  }
}

function withoutContext<B extends { readonly context?: unknown }>(body: B): B {
  const { context: _, ...rest } = body;
  return rest as B;
}

/** Shows the call's own references, because parameters with replaced references may contain internal content. */
function publicStart(body: EventBody<"call.started">): EventBody<"call.started"> {
  if (body.bound !== true) return withPublicParams(body);
  const { params: _, ...rest } = body;
  return rest;
}

/**
 * An approval request binds nothing internal (such a call is refused), so all of it can be shown, except what a tool
 * needs to continue after its question.
 */
export function publicRequest(body: EventBody<"approval.requested">): EventBody<"approval.requested"> {
  const { resume: _, ...shown } = body;
  return withPublicParams(shown);
}

function withPublicParams<B extends Readonly<Record<string, unknown>>>(body: B): B {
  const params = (body.params ?? null) as Json;
  const shown = publicParams(body.tool_id, params, statedVisibility(body as Readonly<Record<string, Json>>));
  return shown === params ? body : { ...body, params: shown };
}

/** Keeps only numbers and names. The hash of a short text would reveal the text to anyone who tries all texts. */
const RECEIPT_FIELDS = [
  ...["n", "previous", "keep", "stable", "checkpoints", "tokens", "usage", "cost", "resets", "started_at"],
  ...["renderer_version", "turn_id", "model", "purpose"],
];

function publicReceipt(body: EventBody<"model.receipt">): EventBody<"model.receipt"> {
  const shown = RECEIPT_FIELDS.flatMap((field) => (body[field] === undefined ? [] : [[field, body[field]]]));
  return { ...Object.fromEntries(shown), started_at: body.started_at };
}

/** Leaves out the replacement text of hidden blocks, which may contain words of internal blocks. */
function withoutReplacement<G extends { readonly replacement: string }>(group: G): G {
  return { ...group, replacement: "" };
}
