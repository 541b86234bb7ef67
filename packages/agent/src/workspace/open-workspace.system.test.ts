import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { CairnError } from "@cairn/timeline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LatestFile, latestOfBytes } from "./latest-file.ts";
import { openWorkspace } from "./open-workspace.ts";
import type { Workspace } from "./workspace.ts";

const key = { tenant: "a/b", project: "p", user: "ü", conversation: "c" };
let folder: string;
let root: string;
let workspace: Workspace;
let pulled: string[];
const remote = new Map<string, string>();

async function reopen(findLatest?: (path: string) => Promise<LatestFile | null>): Promise<Workspace> {
  return await openWorkspace({
    root,
    key,
    findLatest:
      findLatest ??
      (async (path) => {
        pulled.push(path);
        const text = remote.get(path);
        return text === undefined ? null : latestOfBytes(Buffer.from(text));
      }),
    putBlob: async (source) => {
      let size = 0;
      for await (const chunk of source) size += chunk.length;
      return { ref: `sha256:${"0".repeat(64)}`, size };
    },
  });
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-workspace-"));
  root = join(folder, "out");
  pulled = [];
  remote.clear();
  workspace = await reopen();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it("only the owner can read the folder, even if an earlier version made it readable for everyone", async () => {
  const mode = async () => (await stat(root)).mode & 0o777;
  expect(await mode()).toBe(0o700);
  await chmod(root, 0o755);
  await reopen();
  expect(await mode()).toBe(0o700);
});

it("only the owner can read the files and folders in it, even if the folder itself is opened to others", async () => {
  await workspace.write("turn_1/files/a.md", "mine");
  remote.set("turn_1/files/b.md", "pulled");
  await workspace.pull("turn_1/files/b.md");
  const modes = ["turn_1", "turn_1/files", "turn_1/files/a.md", "turn_1/files/b.md"].map(
    async (path) => (await stat(join(root, path))).mode & 0o777,
  );
  expect(await Promise.all(modes)).toEqual([0o700, 0o700, 0o600, 0o600]);
});

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => (CairnError.is(error) ? error.code : error),
  );
const text = async (path: string) => {
  const bytes = await workspace.read(path);
  return bytes === null ? null : Buffer.from(bytes).toString();
};

describe("a workspace", () => {
  it("returns the content that was written, under any Unicode name", async () => {
    for (const path of ["turn_1/files/a.md", "turn_1/files/sub/ü 😀.v2..txt", "timeline.json", "turn_1/./files//b"]) {
      await workspace.write(path, path);
      expect(await text(path)).toBe(path);
    }
    await workspace.write("turn_1/files/a.md", "new");
    expect(await text("turn_1/files/a.md")).toBe("new");
    expect(await workspace.list("", 99)).toEqual([
      "timeline.json",
      "turn_1/files/a.md",
      "turn_1/files/b",
      "turn_1/files/sub/ü 😀.v2..txt",
    ]);
    expect(await workspace.list("turn_1", 2)).toEqual(["turn_1/files/a.md", "turn_1/files/b"]);
    expect(await workspace.list("turn_9", 2)).toEqual([]);
  });

  it("refuses every spelling of a path that could leave the folder", async () => {
    for (const path of ["../x", "a/../x", "/etc/passwd", "a\\b", "a\0b", "C:/x", ".."]) {
      expect(await codeOf(workspace.read(path))).toBe("unsafe_path");
      expect(await codeOf(workspace.write(path, "x"))).toBe("unsafe_path");
      expect(await codeOf(workspace.pull(path))).toBe("unsafe_path");
      expect(await codeOf(workspace.host(path))).toBe("unsafe_path");
      expect(await codeOf(workspace.list(path, 1))).toBe("unsafe_path");
    }
    for (const path of ["", ".", "a/", "\ud800", "x".repeat(300)])
      expect(await codeOf(workspace.write(path, "x"))).toBe("bad_path");
  });

  it("follows no link that leaves the folder, neither to a file nor to a folder", async () => {
    await writeFile(join(folder, "secret"), "secret");
    await mkdir(join(folder, "outside"));
    await mkdir(join(root, "turn_1"), { recursive: true });
    await symlink(join(folder, "secret"), join(root, "turn_1", "link"));
    await symlink("../../outside", join(root, "turn_1", "dir"));
    await symlink(join(folder, "nowhere"), join(root, "turn_1", "dangling"));
    expect(await codeOf(workspace.read("turn_1/link"))).toBe("unsafe_path");
    expect(await codeOf(workspace.host("turn_1/link"))).toBe("unsafe_path");
    expect(await codeOf(workspace.read("turn_1/dir/x"))).toBe("unsafe_path");
    expect(await codeOf(workspace.write("turn_1/dir/x", "x"))).toBe("unsafe_path");
    expect(await codeOf(workspace.write("turn_1/dangling/x", "x"))).toBe("unsafe_path");
    expect(await codeOf(workspace.list("turn_1/dir", 9))).toBe("unsafe_path");
    expect(await workspace.list("", 9)).toEqual([]);
    await workspace.write("turn_1/link", "mine");
    expect(await readFile(join(folder, "secret"), "utf8")).toBe("secret");
    expect(await text("turn_1/link")).toBe("mine");
  });

  it("follows a link that stays inside", async () => {
    await workspace.write("turn_1/files/a.md", "a");
    await symlink("files", join(root, "turn_1", "alias"));
    expect(await text("turn_1/alias/a.md")).toBe("a");
  });

  it("never waits for a pipe and never reads a folder as a file", async () => {
    await mkdir(join(root, "d"), { recursive: true });
    execFileSync("mkfifo", [join(root, "pipe")]);
    expect(await codeOf(workspace.read("pipe"))).toBe("bad_path");
    expect(await codeOf(workspace.read("d"))).toBe("bad_path");
    expect(await codeOf(workspace.write("d", "x"))).toBe("bad_path");
    await workspace.write("file", "x");
    expect(await codeOf(workspace.write("file/below", "x"))).toBe("bad_path");
    expect(await text("file/below")).toBeNull();
  });

  it("pulls a file once, on the first read", async () => {
    remote.set("turn_1/files/a.md", "far");
    expect(await text("turn_1/files/a.md")).toBe("far");
    expect(await workspace.pull("turn_1/files/a.md")).toBe(true);
    expect(await workspace.pull("turn_1/files/none")).toBe(false);
    expect(pulled).toEqual(["turn_1/files/a.md", "turn_1/files/none"]);
  });

  it("replaces a file if the conversation has a later version of it", async () => {
    await workspace.write("turn_1/files/a.md", "one");
    remote.set("turn_1/files/a.md", "two");
    expect(await text("turn_1/files/a.md")).toBe("one");
    for (const use of [
      async (later: Workspace) => Buffer.from((await later.read("turn_1/files/a.md")) ?? []).toString(),
      async (later: Workspace) => (await later.pull("turn_1/files/a.md")) && "",
      async (later: Workspace) => String((await later.host("turn_1/files/a.md")).size_bytes),
    ]) {
      await writeFile(join(root, "turn_1/files/a.md"), "an older one");
      const later = await reopen();
      expect(["two", "", "3"]).toContain(await use(later));
      expect(await readFile(join(root, "turn_1/files/a.md"), "utf8")).toBe("two");
    }
  });

  it("uses a file in the folder if the journal has no version of it, and ignores it if the journal has a newer one", async () => {
    await workspace.write("a", "mine");
    const unkept = (size: number | null) => reopen(async () => ({ hash: null, size, read: null }));
    expect(await (await unkept(4)).read("a")).toEqual(Buffer.from("mine"));
    expect(await (await unkept(null)).pull("a")).toBe(true);
    expect(await (await unkept(5)).read("a")).toBeNull();
    expect(await (await reopen(async () => null)).pull("a")).toBe(true);
  });

  it("checks a file once, and never one that was written since the workspace was opened, even by a program", async () => {
    await writeFile(join(root, "old"), "same");
    remote.set("old", "same").set("programmed", "theirs").set("written", "theirs");
    const later = await reopen();
    await later.write("written", "mine");
    for (let wait = 0; wait < 20; wait++) await setTimeout(1); // A file system's clock ticks every few milliseconds.
    await writeFile(join(root, "programmed"), "mine");
    pulled = [];
    const read = async (path: string) => Buffer.from((await later.read(path)) ?? []).toString();
    for (let nth = 0; nth < 2; nth++)
      expect([await read("old"), await read("programmed"), await read("written")]).toEqual(["same", "mine", "mine"]);
    expect(pulled).toEqual(["old"]);
  });

  it("never overwrites a file that was written during a pull", async () => {
    for (const before of [null, "older"]) {
      if (before !== null) await writeFile(join(root, "a"), before);
      const slow = await reopen(async (path) => {
        await workspace.write(path, "new");
        return latestOfBytes(Buffer.from("old"));
      });
      expect(Buffer.from((await slow.read("a")) ?? []).toString()).toBe("new");
    }
  });

  it("leaves nothing behind when a pull is aborted", async () => {
    const broken = await reopen(async () => ({
      hash: `sha256:${"0".repeat(64)}`,
      size: 8,
      read: async function* () {
        yield Buffer.from("half");
        throw new Error("cut");
      },
    }));
    await expect(broken.read("a")).rejects.toThrow("cut");
    expect(await text("a")).toBeNull();
    expect(await workspace.list("", 9)).toEqual([]);
  });

  it("shows every reader a whole file while it is being replaced", async () => {
    await workspace.write("a", "x".repeat(100_000));
    const writes = Array.from({ length: 20 }, (_, at) => workspace.write("a", String(at % 10).repeat(100_000)));
    for (let at = 0; at < 20; at++) {
      const content = (await text("a")) ?? "";
      expect(content).toBe((content[0] ?? "").repeat(100_000));
    }
    await Promise.all(writes);
  });

  it("returns the address of a hosted file, with every part of it escaped", async () => {
    await workspace.write("turn_1/files/a b.md", "four");
    expect(await workspace.host("turn_1/files/a b.md")).toEqual({
      blob: `sha256:${"0".repeat(64)}`,
      size_bytes: 4,
      hosted_uri: "cairn://a%2Fb/p/%C3%BC/c/turn_1/files/a%20b.md",
      rn: "cairn:a%2Fb:p:%C3%BC:c:artifact:turn_1/files/a%20b.md",
      key: "a%2Fb/p/%C3%BC/c/turn_1/files/a%20b.md",
    });
    expect(await codeOf(workspace.host("none"))).toBe("file_missing");
  });

  it("hides its temporary files", async () => {
    expect(await codeOf(workspace.write(".cairn/x", "x"))).toBe("unsafe_path");
    expect(await text(".cairn/x")).toBeNull();
    expect(await workspace.list(".cairn", 9)).toEqual([]);
  });
});
