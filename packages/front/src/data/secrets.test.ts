/** Tests the key that encrypts secrets if `CAIRN_SECRET_KEY` is not set. */
import { link, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConversationStore, openEmbeddedStore } from "@cairn/store";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SecretBox } from "./secrets.ts";

// Simulates a file system without hard links, because the test machines have none.
vi.mock(import("node:fs/promises"), async (original) => {
  const real = await original();
  return { ...real, link: vi.fn(real.link) };
});

const ADA = { tenant: "acme", project: "site", user: "ada" };
let folder: string;
let dataDir: string;
let store: ConversationStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-secrets-"));
  store = await openEmbeddedStore({ dir: join(folder, "store") });
  dataDir = join(folder, "keys");
});

afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const box = () => new SecretBox({ dataDir, database: null, secretKey: null }, store);

it("processes that start at once make one complete key, and leave no other file", async () => {
  const boxes = Array.from({ length: 8 }, box);
  await Promise.all(boxes.map((each, index) => each.write(ADA, `s${index}`, `value ${index}`)));
  expect(await Promise.all(boxes.map((_, index) => box().read(ADA, `s${index}`)))).toEqual(
    boxes.map((_, index) => `value ${index}`),
  );
  expect(await readdir(dataDir)).toEqual(["secret.key"]);
  expect(Buffer.from(await readFile(join(dataDir, "secret.key"), "utf8"), "base64")).toHaveLength(32);
});

it("on a file system without hard links, one key is made for all processes", async () => {
  vi.mocked(link).mockRejectedValueOnce(Object.assign(new Error("not supported"), { code: "EPERM" }));
  await box().write(ADA, "s1", "one");
  await box().write(ADA, "s2", "two");
  expect(await Promise.all([box().read(ADA, "s1"), box().read(ADA, "s2")])).toEqual(["one", "two"]);
  expect(await readdir(dataDir)).toEqual(["secret.key"]);
});

it.each(["", "\n", "c2hvcnQ=", `${"a".repeat(43)}`])("a key file with %j is rejected", async (content) => {
  await mkdir(dataDir);
  await writeFile(join(dataDir, "secret.key"), content);
  await expect(box().write(ADA, "s", "value")).rejects.toMatchObject({ code: "bad_secret_key" });
  expect(await readFile(join(dataDir, "secret.key"), "utf8")).toBe(content);
});
