import { execFileSync } from "node:child_process";
import { chmod, link, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { anyCharacter } from "@cairn/testkit/any-character";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../process/limits.ts";
import { readContract } from "./contract.ts";
import { filesBesides, filesOnStage, harvest } from "./harvest.ts";
import { oldStages } from "./old-stages.ts";
import { Stage } from "./stage.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await Stage.create("turn_1");
});
afterEach(async () => {
  await stage[Symbol.asyncDispose]();
});

const place = (name: string) => stage.path(stage.filesFolder, name);

async function take(names: readonly string[], limits = DEFAULT_LIMITS): Promise<Record<string, string>> {
  const files = await harvest(stage, readContract(names, "turn_1"), new Map(), limits);
  return Object.fromEntries(
    files.map((file) =>
      file.ok ? [file.file.physical, Buffer.from(file.bytes).toString()] : [file.path, `— ${file.reason}`],
    ),
  );
}

describe("an output of a program", () => {
  it("is kept if it is a regular file", async () => {
    await mkdir(place("sub"));
    await writeFile(place("sub/a b.txt"), "text");
    expect(await take(["sub/a b.txt"])).toEqual({ "turn_1/files/sub/a b.txt": "text" });
  });

  it("is not kept if it is a link", async () => {
    await stage.write("run/secret", "secret");
    await mkdir(place("real"));
    await writeFile(place("real/file"), "inside");
    await symlink("/etc/hostname", place("absolute"));
    await symlink("../../../run/secret", place("relative"));
    await symlink("/etc", place("folder"));
    await symlink("real", place("inner"));
    await symlink("loop", place("loop"));
    const taken = await take(["absolute", "relative", "folder/hostname", "inner/file", "loop", "real/file"]);
    expect(Object.values(taken)).toEqual([
      ...Array(4).fill("— it is a link, or its path contains one"),
      "— it is a link, or its path contains one",
      "inside",
    ]);
  });

  it("is not kept, and not waited for, if it is anything else", async () => {
    await mkdir(place("folder"));
    execFileSync("mkfifo", [place("pipe")]);
    await writeFile(place("empty"), "");
    await writeFile(place("large"), "12345");
    expect(await take(["folder", "pipe", "empty", "large", "none"], { ...DEFAULT_LIMITS, fileBytes: 4 })).toEqual({
      "turn_1/files/folder": "— it is a folder",
      "turn_1/files/pipe": "— it is not a regular file",
      "turn_1/files/empty": "— file is empty",
      "turn_1/files/large": "— file has more than 4 bytes",
      "turn_1/files/none": "— file not produced",
    });
  });

  it("is kept up to the disk limit by its length, even if holes take no disk space", async () => {
    for (const name of ["a", "b", "c"]) {
      await writeFile(place(name), "");
      await truncate(place(name), name === "c" ? 10 : 4_000);
    }
    const taken = await take(["a", "b", "c"], { ...DEFAULT_LIMITS, diskBytes: 5_000 });
    expect(Object.values(taken).map((text) => (text.startsWith("—") ? text : text.length))).toEqual([
      4_000,
      "— all files together are too large to be kept",
      10,
    ]);
  });

  it("counts as produced only if it was modified, even if its old time was restored", async () => {
    for (const name of ["same", "rewritten", "unlinked"]) await stage.write(`${stage.filesFolder}/${name}`, "old");
    const before = await filesOnStage(stage);
    await writeFile(place("rewritten"), "old");
    execFileSync("touch", ["-d", "2001-01-01", place("rewritten")]);
    await link(place("unlinked"), place("another"));
    const contract = readContract(["same", "rewritten"], "turn_1");
    const files = await harvest(stage, contract, before, DEFAULT_LIMITS);
    expect(files.map(({ ok }) => ok)).toEqual([false, true]);
    expect(await filesBesides(stage, contract, before)).toEqual(["turn_1/files/another", "turn_1/files/unlinked"]);
  });
});

describe("the contract", () => {
  it("maps every name into the turn's files or refuses it, and names each file once", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string({ unit: anyCharacter }),
            fc.constantFrom("../a", "/etc/passwd", "a\0b", "a/../../b", "turn_9/files/x", "fi:turn_2.files/y"),
          ),
          { maxLength: 4 },
        ),
        (names) => {
          const files = readContract(names, "turn_1");
          const paths = files.flatMap((file) => (file.ok ? [file.physical] : []));
          const isInside = (path: string) => path.startsWith("turn_1/files/") && !path.split("/").includes("..");
          expect([new Set(paths).size, paths.every(isInside)]).toEqual([paths.length, true]);
        },
      ),
      { numRuns: runs },
    );
  });
});

describe("the stage", () => {
  it("of a process that was killed is removed a day later, and no other stage is", async () => {
    const folder = await mkdtemp(join(tmpdir(), "cairn-old-"));
    try {
      for (const name of ["cairn-exec-a", "other"]) await mkdir(join(folder, name));
      await writeFile(join(folder, "cairn-exec-file"), "");
      await symlink("/etc", join(folder, "cairn-exec-link"));
      expect(await oldStages(folder, Date.now())).toEqual([]);
      expect(await oldStages(folder, Date.now() + 25 * 60 * 60 * 1000)).toEqual([join(folder, "cairn-exec-a")]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("is removed whatever was done to it", async () => {
    const other = await Stage.create("turn_1");
    const dig = "import os\nfor _ in range(30):\n  os.mkdir('d' * 200)\n  os.chdir('d' * 200)";
    execFileSync("python3", ["-c", dig], { cwd: other.path(other.filesFolder) });
    await mkdir(other.path(other.filesFolder, "locked"));
    await chmod(other.path(other.filesFolder, "locked"), 0);
    await other[Symbol.asyncDispose]();
    await expect(chmod(other.root, 0o700)).rejects.toThrow("ENOENT");
  });
});
