/** Tests the files of the web app as a browser gets them. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ServerBench } from "../../test/server-bench.ts";

const SCRIPT = "console.log('the same words again and again');\n".repeat(2_000);
const PICTURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]);
const HASHED = "public, max-age=31536000, immutable";

let folder: string;
let bench: ServerBench;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-web-"));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), "<!doctype html><p>The app</p>");
  await writeFile(join(folder, "assets/app-1a2b.js"), SCRIPT);
  await writeFile(join(folder, "assets/picture.png"), PICTURE);
  await writeFile(join(folder, "assets/packed-3c4d.js.br"), brotliCompressSync(SCRIPT));
  await mkdir(join(folder, "diagram"));
  await writeFile(join(folder, "diagram/mermaid.js"), SCRIPT);
  bench = await ServerBench.open({ webFolder: folder });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Requests a path without normalising it. */
function get(path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; bytes: Buffer }>((resolve, reject) => {
    request(`${bench.address}${path}`, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
      );
    })
      .on("error", reject)
      .end();
  });
}

describe("a file of the app", () => {
  it.each([
    ["gzip, deflate, br, zstd", "br", (bytes: Buffer) => brotliDecompressSync(bytes)],
    ["br;q=0, gzip;q=0.5", "gzip", (bytes: Buffer) => gunzipSync(bytes)],
  ])("is compressed for a client that accepts %j", async (accepted, encoding, unpack) => {
    for (let n = 0; n < 2; n++) {
      const { status, headers, bytes } = await get("/assets/app-1a2b.js", { "accept-encoding": accepted });
      expect([status, headers["content-encoding"], headers.vary]).toEqual([200, encoding, "accept-encoding"]);
      expect(headers["cache-control"]).toBe(HASHED);
      expect(bytes.length).toBeLessThan(SCRIPT.length / 10);
      expect(unpack(bytes).toString()).toBe(SCRIPT);
    }
  });

  it.each([
    ["br", "br", (bytes: Buffer) => brotliDecompressSync(bytes)],
    ["gzip", "gzip", (bytes: Buffer) => gunzipSync(bytes)],
    ["identity", undefined, (bytes: Buffer) => bytes],
  ])("that is compressed on disk comes in the form that %j allows", async (accepted, encoding, unpack) => {
    const { headers, bytes } = await get("/assets/packed-3c4d.js", { "accept-encoding": accepted });
    expect([headers["content-encoding"], headers["content-type"]]).toEqual([
      encoding,
      "text/javascript; charset=utf-8",
    ]);
    expect(unpack(bytes).toString()).toBe(SCRIPT);
  });

  it.each(["", "identity", "gzip;q=0", "deflate"])(
    "is sent uncompressed to a client that accepts %j, and a picture to every client",
    async (accepted) => {
      const headers = accepted === "" ? {} : { "accept-encoding": accepted };
      const script = await get("/assets/app-1a2b.js", headers);
      expect([script.headers["content-encoding"], script.bytes.toString()]).toEqual([undefined, SCRIPT]);
      const picture = await get("/assets/picture.png", { "accept-encoding": "br" });
      expect([picture.headers["content-encoding"], picture.bytes]).toEqual([undefined, PICTURE]);
    },
  );

  it("draws diagrams in a frame in which only its own two scripts run, once", async () => {
    const numbers = new Set<string>();
    for (let n = 0; n < 2; n++) {
      const { headers, bytes } = await get("/preview/diagram");
      const policy = String(headers["content-security-policy"]);
      const number = /script-src 'nonce-([^']{24})'/.exec(policy)?.[1] ?? "";
      numbers.add(number);
      expect(policy).toMatch(/^default-src 'none';.*; sandbox allow-scripts$/);
      expect(policy).not.toMatch(/connect-src|frame-src|unsafe-eval|http|'self'.*script-src|script-src[^;]*'self'/);
      expect(headers["cache-control"]).toBe("no-store");
      expect(bytes.toString().split(`<script nonce="${number}"`)).toHaveLength(3);
    }
    expect(numbers.size).toBe(2);
    // The frame has another origin than the app.
    expect((await get("/diagram/mermaid.js")).headers["cross-origin-resource-policy"]).toBe("cross-origin");
    expect((await get("/assets/app-1a2b.js")).headers["cross-origin-resource-policy"]).toBe("same-origin");
  });

  it("is not sent again to a client that has it, and any other address returns the app itself", async () => {
    const { headers, bytes } = await get("/c/conv_1");
    expect([bytes.toString(), headers["cache-control"]]).toEqual(["<!doctype html><p>The app</p>", "no-cache"]);
    const again = await get("/", { "if-none-match": String(headers.etag) });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    expect((await get("/assets/gone.js")).status).toBe(404);
    expect((await get("/..%2f..%2fetc%2fpasswd")).bytes.toString()).toContain("The app");
  });
});
