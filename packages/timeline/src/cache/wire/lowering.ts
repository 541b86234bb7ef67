/**
 * How a rendered view became a request. Receipts record it, so that a request is rebuilt as it was sent although newer
 * requests are lowered in another way.
 *
 * `flat` sends all history as parts of user messages. In version 1 each group of message blocks is a user message where
 * the wire form wants one per group. In version 2 consecutive user messages are one message, and consecutive texts in
 * it one text: the chat templates of Mistral and Gemma refuse two user messages in a row, and some servers take a
 * message only as a plain string.
 */
export interface Lowering {
  readonly name: "flat";
  readonly version: 1 | 2;
}

/** Also used for receipts that record no lowering. */
export const FLAT_1: Lowering = { name: "flat", version: 1 };
export const FLAT_2: Lowering = { name: "flat", version: 2 };

/** Whether consecutive user messages are sent as one. */
export function joinsMessages({ version }: Lowering): boolean {
  return version >= 2;
}
