import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CairnError } from "@cairn/timeline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openWorkspace } from "./open-workspace.ts";
import type { Workspace } from "./workspace.ts";

const key = { tenant: "a/b", project: "p", user: "ü", conversation: "c" };
let folder: string;
let root: string;
let workspace: Workspace;
let pulled: string[];
const remote = new Map<string, string>();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-workspace-"));
  root = join(folder, "out");
  pulled = [];
  remote.clear();
  workspace = await openWorkspace({
    root,
    key,
    pullFile: async (path) => {
      pulled.push(path);
      const text = remote.get(path);
      return text === undefined ? null : [Buffer.from(text)];
    },
    putBlob: async (source) => {
      let size = 0;
      for await (const chunk of source) size += chunk.length;
      return { ref: `sha256:${"0".repeat(64)}`, size };
    },
  });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

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
  it("gives back what was written, under any Unicode name", async () => {
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

  it("refuses every spelling that could leave the folder", async () => {
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

  it("never waits for a pipe and reads no folder", async () => {
    await mkdir(join(root, "d"), { recursive: true });
    execFileSync("mkfifo", [join(root, "pipe")]);
    expect(await codeOf(workspace.read("pipe"))).toBe("bad_path");
    expect(await codeOf(workspace.read("d"))).toBe("bad_path");
    expect(await codeOf(workspace.write("d", "x"))).toBe("bad_path");
    await workspace.write("file", "x");
    expect(await codeOf(workspace.write("file/below", "x"))).toBe("bad_path");
    expect(await text("file/below")).toBeNull();
  });

  it("pulls a file once, when somebody asks for it", async () => {
    remote.set("turn_1/files/a.md", "far");
    expect(await text("turn_1/files/a.md")).toBe("far");
    expect(await workspace.pull("turn_1/files/a.md")).toBe(true);
    expect(await workspace.pull("turn_1/files/none")).toBe(false);
    expect(pulled).toEqual(["turn_1/files/a.md", "turn_1/files/none"]);
  });

  it("never pulls over what was written meanwhile", async () => {
    const slow = await openWorkspace({
      root,
      key,
      pullFile: async (path) => {
        await workspace.write(path, "new");
        return [Buffer.from("old")];
      },
      putBlob: async () => {
        throw new Error("unused");
      },
    });
    expect(Buffer.from((await slow.read("a")) ?? []).toString()).toBe("new");
  });

  it("leaves nothing behind when a pull is cut short", async () => {
    const broken = await openWorkspace({
      root,
      key,
      pullFile: async () =>
        (async function* () {
          yield Buffer.from("half");
          throw new Error("cut");
        })(),
      putBlob: async () => {
        throw new Error("unused");
      },
    });
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

  it("says how a file is hosted, with every part of the address spelled safely", async () => {
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

  it("keeps its temporary files to itself", async () => {
    expect(await codeOf(workspace.write(".cairn/x", "x"))).toBe("unsafe_path");
    expect(await text(".cairn/x")).toBeNull();
    expect(await workspace.list(".cairn", 9)).toEqual([]);
  });
});
