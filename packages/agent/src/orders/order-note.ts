/** The block that adds, corrects or closes a standing order on the timeline. */
import type { Block, JsonObject } from "@cairn/timeline";

export interface OrderNote {
  readonly path: string;
  readonly kind: string | undefined;
  /** The text of the order; absent when the note only closes orders. */
  readonly text: string | undefined;
  readonly closed: readonly { readonly path: string; readonly text: string }[];
}

/** `meta.order` has the words of the order. The text also names the orders that it replaces. */
export function orderNote({ path, kind, text = "", closed }: OrderNote): Block {
  const meta: JsonObject = {
    directive: true,
    order: text,
    ...(kind === undefined ? {} : { kind }),
    ...(closed.length === 0 ? {} : { closes: closed.map(({ path: at, text: words }) => ({ path: at, text: words })) }),
  };
  const ended = closed.map((order) => `${text === "" ? "No longer holds" : "In place of"}: ${order.text}`);
  const lines = text === "" ? ended : [text, ...ended];
  return { type: "react.note", path, mime: "text/markdown", text: lines.join("\n"), meta };
}
