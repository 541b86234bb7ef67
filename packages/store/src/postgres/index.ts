/** Conversations in PostgreSQL. Needs `pg` beside this package. */
export { type ConnectionLost, makeClient, type OpenedPool, openPool, warnOfLoss } from "./connections.ts";
export { letGo } from "./let-go.ts";
export { openPostgresStore, type PostgresStore, type PostgresStoreOptions } from "./postgres-store.ts";
