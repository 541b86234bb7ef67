/** Conversations in PostgreSQL. Needs `pg` beside this package. */
export { endOf, letGo } from "./let-go.ts";
export { openPostgresStore, type PostgresStore, type PostgresStoreOptions } from "./postgres-store.ts";
