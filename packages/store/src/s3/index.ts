/** Blobs in an S3 service. Needs `@aws-sdk/client-s3` and `@aws-sdk/lib-storage` beside this package. */
export { openS3BlobStore, S3BlobStore } from "./s3-blob-store.ts";
