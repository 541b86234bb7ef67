/** Conversations in PostgreSQL. Needs `pg` beside this package. */

export { closeConnection } from "./close-connection.ts";
export { type ConnectionLost, makeClient, type OpenedPool, openPool, warnOfLoss } from "./connections.ts";
export { openPostgresStore, type PostgresStore, type PostgresStoreOptions } from "./postgres-store.ts";
