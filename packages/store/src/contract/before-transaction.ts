/**
 * Lets the caller of a store on SQLite decide when each transaction of a call begins. A call may take several
 * transactions: a long read continues in a new one, and an upload stores its reference after it has waited for the
 * disk.
 *
 * `beforeTransaction.run(turn, call)`: every transaction of the call first waits for `turn`.
 */
import { AsyncLocalStorage } from "node:async_hooks";

export const beforeTransaction = new AsyncLocalStorage<() => Promise<void>>();
