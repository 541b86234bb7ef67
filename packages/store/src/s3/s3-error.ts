/** Maps errors of an S3 service to the store's codes. */
import { CairnError } from "@cairn/timeline";
import { storeError } from "../contract/errors.ts";

/** Whether the service reported that the object does not exist. */
export function isNoObject(error: unknown): boolean {
  return error instanceof Error && (error.name === "NoSuchKey" || error.name === "NotFound");
}

export function noBucket(what: string, service: string) {
  return storeError("io", `${what} failed: the bucket does not exist. Create it, or correct the address.`, { service });
}

export function toS3Error(error: unknown, what: string): unknown {
  if (!(error instanceof Error) || CairnError.is(error) || error.name === "AbortError") return error;
  const status = statusOf(error);
  const details = { service: error.name, ...(status === undefined ? {} : { status }) };
  if (error.name === "NoSuchBucket") return noBucket(what, error.name);
  if (status === 401 || status === 403)
    return storeError(
      "io",
      `${what} failed: the service rejected the access keys. Check them and the bucket's policy.`,
      details,
    );
  if (status === 503 || status === 429)
    return storeError("busy", `${what} failed: the service is throttling requests. Try again later.`, details);
  return storeError("io", `${what} failed: ${error.message || error.name}`, details);
}

function statusOf(error: Error): number | undefined {
  if (!("$metadata" in error) || typeof error.$metadata !== "object" || error.$metadata === null) return undefined;
  const { httpStatusCode } = error.$metadata as { readonly httpStatusCode?: unknown };
  return typeof httpStatusCode === "number" ? httpStatusCode : undefined;
}
