import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { CreateBucketCommand, ListMultipartUploadsCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { blobRefOf, blobStoreSuite, type S3Server, startS3Server, whyNoS3Server } from "@cairn/testkit/store";
import { CairnError } from "@cairn/timeline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openS3BlobStore, type S3BlobStore } from "./s3-blob-store.ts";

const missing = whyNoS3Server();
const bytesFor = (text: string) => new TextEncoder().encode(text);

describe.skipIf(missing !== null)(`S3${missing === null ? "" : ` (${missing})`}`, () => {
  let server: S3Server;
  let client: S3Client;
  const opened: S3BlobStore[] = [];
  const open = (prefix: string) => {
    const blobs = openS3BlobStore(`s3://cairn/${prefix}?endpoint=${encodeURIComponent(server.endpoint)}`);
    opened.push(blobs);
    return blobs;
  };

  beforeAll(async () => {
    server = await startS3Server();
    Object.assign(process.env, server.env);
    client = new S3Client({ region: "us-east-1", endpoint: server.endpoint, forcePathStyle: true });
    await client.send(new CreateBucketCommand({ Bucket: "cairn" }));
  });
  afterAll(async () => {
    for (const blobs of opened) blobs.close();
    client?.destroy();
    await server?.close();
  });

  blobStoreSuite("an S3 service", async () => ({ blobs: open("suite"), dispose: async () => {} }));

  it("keeps two prefixes of one bucket apart", async () => {
    const { ref } = await open("one").put("t", [bytesFor("mine")]);
    expect(await open("two").stat("t", ref)).toBeNull();
    expect(await open("one").stat("t", ref)).toBe(4);
  });

  it("leaves no half of an upload behind when a long one is aborted", { retry: 2 }, async () => {
    const abort = new AbortController();
    const long = function* () {
      for (let n = 0; n < 1_500; n++) yield new Uint8Array(65_536).fill(n);
    };
    const uploads = async () => (await client.send(new ListMultipartUploadsCommand({ Bucket: "cairn" }))).Uploads ?? [];
    const put = open("aborted").put("t", long(), { signal: abort.signal });
    const outcome = put.then(
      () => "done",
      (error: Error) => error.message,
    );
    while ((await uploads()).length === 0) await sleep(5);
    abort.abort(new Error("enough"));
    expect(await outcome).toBe("enough");
    expect(await uploads()).toEqual([]);
  });

  it("says that bytes are corrupt which are not those of their address", async () => {
    const ref = blobRefOf(bytesFor("true"));
    const blobs = open("damaged");
    await blobs.put("t", [bytesFor("true")]);
    const hash = ref.slice("sha256:".length);
    const tenant = createHash("sha256").update("t").digest("hex").slice(0, 32);
    const Key = `damaged/${tenant}/${hash.slice(0, 2)}/${hash}`;
    await client.send(new PutObjectCommand({ Bucket: "cairn", Key, Body: "lies" }));
    await expect(Array.fromAsync(blobs.get("t", ref))).rejects.toMatchObject({ code: "corrupt" });
  });

  it("reports a service that is gone, or a bucket that never was, as an error and never as an absent blob", async () => {
    const blobs = open("gone");
    const { ref } = await blobs.put("t", [bytesFor("here")]);
    const nowhere = openS3BlobStore(`s3://no-such-bucket?endpoint=${encodeURIComponent(server.endpoint)}`);
    await expect(nowhere.put("t", [bytesFor("x")])).rejects.toSatisfy(CairnError.is);
    nowhere.close();
    await server.stopGateway();
    await expect(blobs.stat("t", ref)).rejects.toMatchObject({ code: "io" });
    await expect(blobs.put("t", [bytesFor("other")])).rejects.toMatchObject({ code: "io" });
    await server.startGateway();
    expect(await blobs.stat("t", ref)).toBe(4);
  });
});
