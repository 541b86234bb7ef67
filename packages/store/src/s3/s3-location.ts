/**
 * Where blobs live in an S3 service, as one address: `s3://bucket/prefix?endpoint=http://127.0.0.1:9000&region=eu-1`.
 * The AWS SDK finds the access keys itself (environment, profile, instance). The keys are never part of the address.
 */
import { storeError } from "../contract/errors.ts";

export interface S3Location {
  readonly bucket: string;
  /** Prefix of all object keys, without slashes at its ends; empty if there is no prefix. */
  readonly prefix: string;
  /** The address of a service other than AWS; buckets are then part of the path, as most services require. */
  readonly endpoint: string | null;
  readonly region: string;
}

const PARAMETERS = ["endpoint", "region"];

export function parseS3Location(address: string): S3Location {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || url.protocol !== "s3:" || url.hostname === "")
    throw badAddress(address, "it must look like s3://bucket/prefix?endpoint=…&region=…");
  if (url.username !== "" || url.password !== "")
    throw badAddress(address, "it must not contain keys; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead");
  for (const name of url.searchParams.keys())
    if (!PARAMETERS.includes(name))
      throw badAddress(address, `the parameter "${name}" is unknown; use ${PARAMETERS.join(", ")}`);
  const endpoint = url.searchParams.get("endpoint");
  if (endpoint !== null && !/^https?:\/\/[^/]/.test(endpoint))
    throw badAddress(address, "`endpoint` must begin with http:// or https://");
  return {
    bucket: url.hostname,
    prefix: decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, ""),
    endpoint,
    region: url.searchParams.get("region") ?? "us-east-1",
  };
}

function badAddress(address: string, problem: string) {
  const shown = address.replace(/\/\/[^@/]*@/, "//…@");
  return storeError("bad_argument", `The blob address ${JSON.stringify(shown)} is wrong: ${problem}.`);
}
