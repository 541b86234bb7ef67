/** Finds out who sends a request. */
import type { Caller } from "./caller.ts";

/**
 * Returns the caller, or throws `unauthorized`. `env`: the objects of the platform for a request, such as `incoming` on
 * Node.
 */
export type FindCaller = (request: Request, env: unknown) => Promise<Caller>;
