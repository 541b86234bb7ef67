/**
 * How a rendered view became a request. Receipts record it, so that a request is rebuilt as it was sent although newer
 * requests are lowered in another way.
 *
 * `flat` sends all history as parts of user messages. `native` sends history in the provider's own roles: what the
 * model produced has the assistant's role, calls and results are paired, and everything else has the user's role.
 * `lowerings.ts` lists the versions.
 */
export interface Lowering {
  readonly name: "flat" | "native";
  readonly version: number;
}

/** The lowering of the first versions: requests whose receipt records no lowering were sent with it. */
export const FLAT_1: Lowering = { name: "flat", version: 1 };
export const FLAT_2: Lowering = { name: "flat", version: 2 };
export const NATIVE_1: Lowering = { name: "native", version: 1 };
export const NATIVE_2: Lowering = { name: "native", version: 2 };
