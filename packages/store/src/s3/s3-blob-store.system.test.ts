import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { CreateBucketCommand, ListMultipartUploadsCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import {
  blobRefOf,
  blobStoreSuite,
  type S3Server,
  SilentLine,
  startS3Server,
  whyNoS3Server,
} from "@cairn/testkit/store";
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

  it("reports bytes as corrupt that do not match their address", async () => {
    const ref = blobRefOf(bytesFor("true"));
    const blobs = open("damaged");
    await blobs.put("t", [bytesFor("true")]);
    const hash = ref.slice("sha256:".length);
    const tenant = createHash("sha256").update("t").digest("hex").slice(0, 32);
    const Key = `damaged/${tenant}/${hash.slice(0, 2)}/${hash}`;
    await client.send(new PutObjectCommand({ Bucket: "cairn", Key, Body: "lies" }));
    await expect(Array.fromAsync(blobs.get("t", ref))).rejects.toMatchObject({ code: "corrupt" });
  });

  it("times out on a service that never answers, resumes an interrupted read, and reads everything later", {
    timeout: 120_000,
  }, async () => {
    await using line = await SilentLine.open(Number(new URL(server.endpoint).port));
    const address = `s3://cairn/silent?endpoint=${encodeURIComponent(`http://127.0.0.1:${line.port}`)}`;
    const blobs = openS3BlobStore(address, { silenceMs: 1_500 });
    opened.push(blobs);
    const large = new Uint8Array(39_000_000).map((_, at) => at * 7);
    const { ref, size } = await open("silent").put("t", [large]);

    // The connection is cut more often than a call is retried, but each time at least one byte has arrived.
    const hash = createHash("sha256");
    let read = 0;
    for await (const chunk of blobs.get("t", ref)) {
      if (Math.floor(read / 8_000_000) < Math.floor((read + chunk.length) / 8_000_000)) {
        line.cut();
        setTimeout(() => line.mend(), 50).unref();
      }
      read += chunk.length;
      hash.update(chunk);
    }
    expect([read, `sha256:${hash.digest("hex")}`]).toEqual([size, ref]);

    line.cut();
    const unheard = [blobs.stat("t", ref), blobs.put("t", [bytesFor("unheard")])];
    for (const outcome of await Promise.allSettled(unheard)) expect(outcome).toMatchObject({ reason: { code: "io" } });
    line.mend();
    expect(await blobs.stat("t", ref)).toBe(size);
    expect(await blobs.stat("t", blobRefOf(bytesFor("unheard")))).toBeNull();
  });

  it("reports a service that is down, or a bucket that does not exist, as an error and never as an absent blob", async () => {
    const blobs = open("gone");
    const { ref } = await blobs.put("t", [bytesFor("here")]);
    const nowhere = openS3BlobStore(`s3://no-such-bucket?endpoint=${encodeURIComponent(server.endpoint)}`);
    const bucket = { code: "io", message: expect.stringContaining("bucket does not exist") };
    await expect(nowhere.put("t", [bytesFor("x")])).rejects.toMatchObject(bucket);
    await expect(nowhere.stat("t", ref)).rejects.toMatchObject(bucket);
    await expect(Array.fromAsync(nowhere.get("t", ref))).rejects.toMatchObject(bucket);
    nowhere.close();
    await server.stopGateway();
    await expect(blobs.stat("t", ref)).rejects.toMatchObject({ code: "io" });
    await expect(blobs.put("t", [bytesFor("other")])).rejects.toMatchObject({ code: "io" });
    await server.startGateway();
    expect(await blobs.stat("t", ref)).toBe(4);
  });
});
