import { appendFile, mkdir, mkdtemp, open, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { History } from "./history.ts";

async function newFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-history-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, "chat-history");
}

const fail = (error: unknown): void => {
  throw error;
};

it("messages are kept for later sessions, in a file that only the user can read", async () => {
  const file = await newFile();
  const history = await History.open(file, fail);
  for (const entry of ["one", "two\nlines", "two\nlines"]) history.add(entry);
  await history.close();
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await appendFile(file, '"cut off by a cra');
  const later = await History.open(file, fail);
  expect(later.browse(-1, "draft")).toBe("two\nlines");
  expect(later.browse(-1, "")).toBe("one");
  expect(later.browse(-1, "")).toBeNull();
  expect(later.browse(1, "")).toBe("two\nlines");
  expect(later.browse(1, "")).toBe("draft");
  expect(later.browse(1, "draft")).toBeNull();
});

it("the file keeps the last thousand messages", async () => {
  const file = await newFile();
  const lines = Array.from({ length: 1_500 }, (_, nth) => `"${nth}"\n`);
  await appendFile(file, lines.join(""), { mode: 0o644 });
  await History.open(file, fail);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(file)).size).toBe(lines.slice(-1_000).join("").length);
});

it("a file that is shortened is replaced whole, so that a crash loses no message", async () => {
  const file = await newFile();
  const text = Array.from({ length: 1_500 }, (_, nth) => `"${nth}"\n`).join("");
  await appendFile(file, text);
  await using before = await open(file);
  await History.open(file, fail);
  expect(await before.readFile("utf8")).toBe(text);
  expect(await readdir(dirname(file))).toEqual(["chat-history"]);
});

it("a file that cannot be read is reported once, and messages are kept in memory", async () => {
  const file = await newFile();
  await mkdir(file);
  const errors: unknown[] = [];
  const history = await History.open(file, (error) => errors.push(error));
  for (const entry of ["one", "two"]) history.add(entry);
  await history.close();
  expect(errors).toEqual([expect.objectContaining({ code: "EISDIR" })]);
  expect(history.browse(-1, "")).toBe("two");
});
