/**
 * Matchers for vitest. Importing this file adds them to `expect`, their types included:
 *
 * @example
 * import "@cairn/testkit/matchers";
 *
 * const first = timeline.render();
 * timeline.contribute(round);
 * expect(timeline.render()).toExtendPrefix(first);
 */
import { expect } from "vitest";
import { type Prefixed, type PrefixOptions, toExtendPrefix } from "./extend-prefix.ts";

export { type Prefixed, type PrefixOptions, toExtendPrefix };

declare module "vitest" {
  interface Matchers<R extends void | Promise<void>> {
    /**
     * The request holds everything the earlier one held, in the same place and byte for byte, so that a provider's
     * cache serves it; the tail aside. A difference passes when a reset that accounts for it is declared, in `options`
     * or by the request itself.
     */
    toExtendPrefix(earlier: Prefixed, options?: PrefixOptions): R;
  }
}

expect.extend({ toExtendPrefix });
