/** Conversations in PostgreSQL. Needs `pg` beside this package. */
export { openPostgresStore, type PostgresStore, type PostgresStoreOptions } from "./postgres-store.ts";
