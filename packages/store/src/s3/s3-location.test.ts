import { describe, expect, it } from "vitest";
import { parseS3Location } from "./s3-location.ts";

describe("the address of blobs", () => {
  it("names a bucket, and may name a prefix, an endpoint and a region", () => {
    expect(parseS3Location("s3://cairn")).toEqual({ bucket: "cairn", prefix: "", endpoint: null, region: "us-east-1" });
    expect(parseS3Location("s3://cairn/a/b/?endpoint=http://127.0.0.1:9000&region=eu-1")).toEqual({
      bucket: "cairn",
      prefix: "a/b",
      endpoint: "http://127.0.0.1:9000",
      region: "eu-1",
    });
  });

  it.each([
    ["", "must look like s3://"],
    ["https://cairn", "must look like s3://"],
    ["s3:///prefix", "must look like s3://"],
    ["s3://key:secret@cairn/x", "AWS_ACCESS_KEY_ID"],
    ["s3://cairn?endpint=http://x", '"endpint" is unknown'],
    ["s3://cairn?endpoint=127.0.0.1:9000", "must begin with http"],
  ])("%j is rejected with what to do", (address, message) => {
    const error = expect.objectContaining({ code: "bad_argument", message: expect.stringContaining(message) });
    expect(() => parseS3Location(address)).toThrow(error);
  });

  it("never repeats a secret in a message", () => {
    expect(() => parseS3Location("s3://key:secret@cairn/x")).toThrow(expect.not.stringContaining("secret@"));
  });
});
