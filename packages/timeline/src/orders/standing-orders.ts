/**
 * The standing orders of a conversation: the permanent directives, as a list that people and the model see, correct and
 * close.
 *
 * The list follows from the timeline: what the summary keeps, then what messages and notes in the window say, then what
 * people have changed since, which the next turn puts on the timeline. Directives that may be for the moment are not on
 * it.
 */
import { hashText } from "../cache/hash.ts";
import { digestOfSummary, EMPTY_DIGEST } from "../compact/digest/digest.ts";
import { pathOf } from "../compact/digest-entries.ts";
import { type Directive, type DirectiveName, isStanding, rankDirectives } from "../directive/directives.ts";
import { foldDirectives, type HeldDirectives } from "../directive/fold-directives.ts";
import { isOrderKind, kindOf } from "../directive/kind.ts";
import type { OrderKind } from "../directive/order-kinds.ts";
import type { EventBody } from "../event/event.ts";
import type { TimelineState } from "../state/state.ts";

export interface StandingOrder {
  /** Identifies the order as long as its words and its place stay the same. */
  readonly id: string;
  readonly kind: OrderKind;
  readonly text: string;
  /** Path of the message or note that contains the order; null for an order that waits for the next turn. */
  readonly path: string | null;
  /** The author: a person, or the agent in a note. */
  readonly by: "person" | "agent";
}

/** Returns the standing orders that apply, oldest first. */
export function standingOrders(state: TimelineState): StandingOrder[] {
  return heldDirectives(state).directives.filter(isStanding).map(describe);
}

/** The name under which the field `closes` refers to an order. */
export function nameOfOrder({ path, text }: StandingOrder): DirectiveName {
  return { path: path ?? "", text };
}

/** What a conversation says about standing orders: those that apply, and those that it closed. */
export function ordersOfConversation(state: TimelineState): Directive[] {
  const { directives, closed_orders } = heldDirectives(state);
  const closed = closed_orders.map(({ text, ts }) => {
    return { path: "", text: "", closes: [{ path: "", text }], ...(ts === undefined ? {} : { ts }) };
  });
  return [...directives.filter(isStanding), ...closed];
}

/**
 * The standing orders of several conversations of a user as one list, the ones to keep in view first. An order may
 * replace or close an order of another conversation if it is later.
 */
export function mergeOrders(said: Iterable<readonly Directive[]>): Directive[] {
  const inOrder = [...said].flat().sort((a, b) => compare(a.ts ?? "", b.ts ?? ""));
  return rankDirectives(foldDirectives(EMPTY_DIGEST, inOrder).directives);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The directives of the summary, with those that came after it or wait for the next turn. */
function heldDirectives(state: TimelineState): HeldDirectives {
  const [first] = state.window;
  const kept = first?.kind.role === "summary" ? digestOfSummary(first.block) : EMPTY_DIGEST;
  const said = state.window.flatMap(({ block, kind }) => kind.directives(block, pathOf(block)));
  return foldDirectives(kept, [...said, ...[...state.pendingOrders.values()].map(pendingDirective)]);
}

function pendingDirective({ text = "", kind, closes, ts }: EventBody<"order.changed">): Directive {
  return { path: "", text, marked: true, ts, closes, ...(kind === undefined ? {} : { kind }) };
}

function describe({ path, text, kind, by }: Directive): StandingOrder {
  return {
    id: hashText(`${path}\n${text}`).slice(0, 16),
    kind: isOrderKind(kind) ? kind : kindOf(text),
    text,
    path: path === "" ? null : path,
    by: by ?? "person",
  };
}
