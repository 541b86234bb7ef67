/**
 * Matchers for vitest. Importing this file adds them to `expect`, including their types:
 *
 * @example
 * import "@cairn/testkit/matchers";
 *
 * const first = timeline.render();
 * timeline.contribute(round);
 * expect(timeline.render()).toExtendPrefix(first);
 */
import { type Prefixed, type PrefixOptions, toExtendPrefix } from "cairn-agent/testing";
import { expect } from "vitest";

declare module "vitest" {
  interface Matchers<R extends void | Promise<void>> {
    /**
     * The request contains everything the earlier one contained, at the same position and byte for byte, so that a
     * provider's cache serves it. The tail is not compared. A difference passes if a declared reset explains it, in
     * `options` or in the request itself.
     */
    toExtendPrefix(earlier: Prefixed, options?: PrefixOptions): R;
  }
}

expect.extend({ toExtendPrefix });
