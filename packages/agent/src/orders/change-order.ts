/**
 * Standing orders as people see and change them. A change is stored as an input. Lists of orders show the change at
 * once, and the next turn writes it to the timeline.
 */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import {
  CairnError,
  makeEvent,
  nameOfOrder,
  type OrderKind,
  type StandingOrder,
  standingOrders,
} from "@cairn/timeline";

export interface OrderChange {
  /** The order to correct or close; absent to add one. */
  readonly id?: string;
  /** The new text of the order; absent to close the order. */
  readonly text?: string;
  readonly kind?: OrderKind;
}

export async function listOrders(store: ConversationStore, key: ConversationKey): Promise<readonly StandingOrder[]> {
  return standingOrders((await store.load(key)).state);
}

const MAX_CHARS = 600;

/** Returns the new list. Throws `not_found` when there is no such order. */
export async function changeOrder(
  store: ConversationStore,
  key: ConversationKey,
  { id, text, kind }: OrderChange,
  input: { readonly key: string; readonly ts: string },
): Promise<readonly StandingOrder[]> {
  if (text !== undefined && (text.trim() === "" || text.length > MAX_CHARS))
    throw new CairnError("bad_argument", `An order must have 1 to ${MAX_CHARS} characters.`);
  const order = id === undefined ? undefined : (await listOrders(store, key)).find((each) => each.id === id);
  if (id !== undefined && order === undefined)
    throw new CairnError(
      "not_found",
      "There is no standing order with this id. It may have been changed; list the orders again.",
      { id },
    );
  const kept = text === undefined ? {} : { text: text.trim(), ...keptKind(kind, order) };
  const closes = order === undefined ? [] : [nameOfOrder(order)];
  await store.append(key, [makeEvent("order.changed", { ...input, ...kept, closes })]);
  return listOrders(store, key);
}

/** A corrected order keeps its kind, unless a kind is given. */
function keptKind(kind: OrderKind | undefined, order: StandingOrder | undefined): { readonly kind?: OrderKind } {
  const known = kind ?? order?.kind;
  return known === undefined ? {} : { kind: known };
}
