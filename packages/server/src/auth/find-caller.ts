/** Finds out who sends a request. */
import type { Caller } from "./caller.ts";

/**
 * Returns the caller, or throws `unauthorized`. `env` is what the platform passes along with a request: on Node, its
 * `incoming` message.
 */
export type FindCaller = (request: Request, env: unknown) => Promise<Caller>;
