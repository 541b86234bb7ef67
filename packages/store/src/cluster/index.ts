/** Conversations on many machines, with PostgreSQL, and S3 or a shared folder. Needs `pg`, and for S3 the AWS SDK. */
export { type ClusterStoreOptions, openClusterStore } from "./open-cluster-store.ts";
