/**
 * Explains why a request could not be read from the cache: its first difference from the request before, and the
 * declared reset that explains it. `undeclared` means a bug: code changed the prefix without declaring it.
 *
 * The parts are compared in the order of a provider's cache (tools, system text, message blocks): a difference in one
 * part costs all that follows. A declared cause explains only the part that it concerns.
 */
import type { ResetCause } from "../cache/reset.ts";
import type { MessageBlock } from "../message/message.ts";
import { CLIP_MARK } from "../render/clip-note.ts";
import type { Difference, PrefixPlace } from "./difference.ts";
import { differenceOfBlocks } from "./explain-blocks.ts";
import { differenceOfTools } from "./explain-tools.ts";
import type { SentRequest } from "./sent-request.ts";
import { describeChange } from "./text-change.ts";

export interface CacheMiss extends Difference {
  readonly cause: ResetCause | "undeclared";
}

export interface ExplainedMiss extends CacheMiss {
  /** Every other cause of a difference: further resets that were declared for a part, and differences in later parts. */
  readonly also: readonly Pick<CacheMiss, "cause" | "detail">[];
}

/** `a` and `b` are successive requests; `b` contains the resets declared between them. Null when `b` extends `a`. */
export function explainCacheMiss(a: SentRequest, b: SentRequest): ExplainedMiss | null {
  const [first, ...later] = cacheMisses(a, b);
  if (first === undefined) return null;
  const inLaterParts = later.flatMap((miss) => [{ cause: miss.cause, detail: miss.detail }, ...furtherCauses(miss, b)]);
  return { ...first, also: [...furtherCauses(first, b), ...inLaterParts] };
}

/** The first difference in each part: the one that `explainCacheMiss` names, and later ones that it would hide. */
export function* cacheMisses(a: SentRequest, b: SentRequest): Generator<CacheMiss> {
  for (const find of [differenceInTools, differenceInSystem, differenceOfBlocks]) {
    const difference = find(a, b);
    if (difference !== null) yield { ...difference, cause: causeOf(difference.at, b) };
  }
}

function differenceInTools(a: SentRequest, b: SentRequest): Difference | null {
  return differenceOfTools(a.tools, b.tools);
}

function differenceInSystem(a: SentRequest, b: SentRequest): Difference | null {
  if (a.system === b.system) return null;
  const at = { part: "system" as const, index: 0 };
  if (a.systemText === undefined || b.systemText === undefined) return { at, detail: "The system text was edited." };
  const { how, before, after } = describeChange(a.systemText, b.systemText);
  return { at, detail: `The system text was edited: ${how}.`, before, after };
}

/**
 * The part that each cause explains. If several causes are possible, the one that reaches furthest back comes first. No
 * change of the lowering, of the model or of the form of the answer explains a difference between message blocks,
 * because the message blocks stay the same.
 */
const PART_OF: Readonly<
  Record<
    Exclude<ResetCause, "lowering_changed" | "reasoning_dropped" | "model_changed" | "output_changed">,
    PrefixPlace["part"]
  >
> = {
  tools_changed: "tools",
  system_changed: "system",
  compaction: "block",
  ttl_prune: "block",
  turn_prune: "block",
  hide: "block",
  clip: "block",
  renderer_changed: "block",
};

function causeOf({ part, index }: PrefixPlace, request: SentRequest): ResetCause | "undeclared" {
  const possible = declaredFor(part, request);
  const visible = part === "block" ? visibleCause(request.messageAt?.(index)) : null;
  return possible.find((cause) => cause === visible) ?? possible[0] ?? "undeclared";
}

function furtherCauses({ at, cause }: CacheMiss, request: SentRequest): Pick<CacheMiss, "cause" | "detail">[] {
  return declaredFor(at.part, request)
    .filter((each) => each !== cause)
    .map((each) => ({ cause: each, detail: "The request declares this cause for the same part." }));
}

function declaredFor(part: PrefixPlace["part"], { resets }: SentRequest): (keyof typeof PART_OF)[] {
  const declared = new Set(resets.map(({ cause }) => cause));
  return causes().filter((cause) => PART_OF[cause] === part && declared.has(cause));
}

function causes(): (keyof typeof PART_OF)[] {
  return Object.keys(PART_OF) as (keyof typeof PART_OF)[];
}

/** The cause of a cache miss that the first new message block indicates by itself. */
function visibleCause(message: MessageBlock | undefined): ResetCause | null {
  if (message?.type !== "text") return null;
  if (message.text.startsWith("[CONVERSATION SUMMARY]")) return "compaction";
  if (message.text.startsWith("HIDDEN — ")) return "hide";
  return message.text.slice(message.text.lastIndexOf("\n", message.text.length - 3) + 1).startsWith(CLIP_MARK)
    ? "clip"
    : null;
}
