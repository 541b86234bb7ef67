/**
 * How a rendered view became a request. Receipts record it, so that a request is rebuilt as it was sent although newer
 * requests are lowered in another way.
 *
 * `flat` sends all history as parts of user messages. In version 1 each group of message blocks is a user message where
 * the wire form wants one per group. In version 2 consecutive user messages are one message, and consecutive texts in
 * it one text: the chat templates of Mistral and Gemma refuse two user messages in a row, and some servers take a
 * message only as a plain string.
 *
 * `native` sends history in the provider's own roles: what the model produced as the assistant's, calls and their
 * results in pairs, everything else as the user's (`compose-native.ts`).
 */
export type Lowering =
  | { readonly name: "flat"; readonly version: 1 | 2 }
  | { readonly name: "native"; readonly version: 1 };

/** Also used for receipts that record no lowering. */
export const FLAT_1: Lowering = { name: "flat", version: 1 };
export const FLAT_2: Lowering = { name: "flat", version: 2 };
export const NATIVE_1: Lowering = { name: "native", version: 1 };

/** Whether consecutive user messages of a flat request are sent as one. */
export function joinsMessages({ name, version }: Lowering): boolean {
  return name === "flat" && version >= 2;
}
