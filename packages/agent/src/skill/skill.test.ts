import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { growthOnDoubling } from "@cairn/testkit/growth";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readFrontMatter } from "./front-matter.ts";
import { loadSkills } from "./load-skills.ts";
import { describeSkills } from "./skill.ts";
import { readSkill, skillFiles } from "./skill-files.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-skills-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function put(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

const putSkill = (name: string, fields: string, text = "Text.") =>
  put(`${name}/SKILL.md`, `---\n${fields}\n---\n${text}`);

/** The names that are loaded from a folder, and the problems. */
async function load(path = folder) {
  const problems: string[] = [];
  const skills = await loadSkills(path, (problem) => problems.push(problem));
  return { skills, names: skills.map(({ name }) => name), problems };
}

async function textAt(path: string): Promise<string | null> {
  const found = await readSkill((await load()).skills, path);
  if (found === null) return null;
  return "text" in found ? found.text : Buffer.from(found.bytes).toString();
}

describe("skills", () => {
  it("are the folders with a SKILL.md, sorted by name and listed with their descriptions", async () => {
    await putSkill("tables", "name: tables\ndescription: >\n  How to make\n  tables.", "\n# Tables\n");
    await putSkill("menus", "description: 'It''s for menus.'", "Menus.");
    await put("empty/README.md", "x");
    await put("README.md", "x");
    const { skills, problems } = await load();
    expect(skills.map(({ name, text }) => [name, text])).toEqual([
      ["menus", "Menus."],
      ["tables", "# Tables\n"],
    ]);
    expect(problems).toEqual([]);
    expect(describeSkills(skills)).toBe(
      "Skills. Read one with react.read before you do what it is for:\n- sk:menus: It's for menus.\n- sk:tables: How to make tables.",
    );
    expect(describeSkills([])).toBe("");
  });

  it("come from several folders: the first that has a name wins, and an optional folder may be missing", async () => {
    await putSkill("own/b", "description: own b");
    await putSkill("project/b", "description: project b");
    await putSkill("project/a", "description: project a");
    await putSkill("project/c", "name: bad\ndescription: project c");
    await putSkill("user/a", "description: user a");
    await putSkill("user/c", "description: user c");
    const paths = ["own", "project", "none", "user"].map((name) => ({ path: join(folder, name), isOptional: true }));
    const problems: string[] = [];
    const skills = await loadSkills(paths, (problem) => problems.push(problem));
    expect(skills.map(({ description }) => description)).toEqual(["project a", "own b", "user c"]);
    expect(problems).toEqual([expect.stringContaining(join("project", "c"))]);
    await expect(loadSkills(join(folder, "none"))).rejects.toMatchObject({
      code: "bad_skill",
      message: expect.stringContaining("does not exist"),
    });
  });

  it.each([
    ["a", "x: 1", "no `description`"],
    ["a", "name: b\ndescription: x", "its folder has another name"],
    ["A", "description: x", "lowercase letters"],
    ["a_b", "description: x", "lowercase letters"],
    ["-a", "description: x", "lowercase letters"],
    ["a-", "description: x", "lowercase letters"],
    ["a--b", "description: x", "lowercase letters"],
    ["é", "description: x", "lowercase letters"],
    ["a".repeat(65), "description: x", "at most 64"],
    ["a", `description: ${"x".repeat(1_025)}`, "has 1025 characters"],
    ["a", `description: x\ncompatibility: ${"x".repeat(501)}`, "has 501 characters"],
  ])("in folder %j with %j are skipped with a problem that says why", async (name, fields, problem) => {
    await putSkill(name, fields);
    await putSkill("good-1", "name: good-1\ndescription: x");
    const { names, problems } = await load();
    expect(names).toEqual(["good-1"]);
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems[0]).toContain(JSON.stringify(join(folder, name)));
  });

  it("may use every length that the format allows", async () => {
    const name = "a".repeat(64);
    await putSkill(
      name,
      `name: ${name}\ndescription: ${"x".repeat(1_024)}\ncompatibility: ${"x".repeat(500)}\nlicense: MIT\nmetadata:\n  author: ada\nallowed-tools:\n  - Read`,
    );
    expect(await load()).toMatchObject({ names: [name], problems: [] });
  });

  it("are skipped if SKILL.md has no front matter, is not text, is no file, is too large or is outside", async () => {
    await put("plain/SKILL.md", "No front matter.");
    await put("binary/SKILL.md", new Uint8Array([0, 1, 2]));
    await mkdir(join(folder, "folder", "SKILL.md"), { recursive: true });
    await put("large/SKILL.md", "x".repeat(1024 * 1024 + 1));
    await putSkill("outside/link", "description: x");
    await mkdir(join(folder, "link"));
    await symlink(join(folder, "outside", "link", "SKILL.md"), join(folder, "link", "SKILL.md"));
    const { names, problems } = await load();
    expect(names).toEqual([]);
    expect(problems.map((problem) => problem.replace(/^.* is skipped: /, ""))).toEqual([
      "SKILL.md is not text.",
      "SKILL.md is not a file.",
      "SKILL.md is larger than 1 MB.",
      "SKILL.md is a link that leads out of the folder, or nowhere.",
      "SKILL.md does not begin with front matter between two lines `---`.",
    ]);
  });

  it("are skipped if they have too many files, or too large ones", async () => {
    await putSkill("a", "description: x");
    for (let at = 0; at < 1_000; at++) await put(`a/assets/${at}`, "");
    await putSkill("b", "description: x");
    await put("b/large", "");
    await truncate(join(folder, "b", "large"), 100 * 1024 * 1024);
    expect(await load()).toMatchObject({
      names: [],
      problems: [expect.stringContaining("more than 1000 files"), expect.stringContaining("larger than 100 MB")],
    });
  });
});

describe("the files of a skill", () => {
  it("are listed after its text in a fixed order, without links, hidden files and node_modules", async () => {
    await putSkill("a", "description: x\ncompatibility: Needs Python.", "Run scripts/b.py.\n");
    for (const path of ["scripts/b.py", "references/r.md", "assets/deep/z.bin", ".git/x", "node_modules/x", ".env"])
      await put(`a/${path}`, "12345");
    await symlink(join(folder, "a", "references"), join(folder, "a", "linked"));
    expect(await textAt("a")).toBe(
      [
        "Run scripts/b.py.",
        "Compatibility: Needs Python.",
        "Files of this skill. Paths in the text above are relative to sk:a/:\n- sk:a/assets/deep/z.bin (5 bytes)\n- sk:a/references/r.md (5 bytes)\n- sk:a/scripts/b.py (5 bytes)",
      ].join("\n\n"),
    );
    expect(await textAt("a/.env")).toBeNull();
    const [skill] = (await load()).skills;
    if (skill === undefined) throw new Error("no skill");
    expect((await skillFiles(skill)).map(({ path }) => path)).toEqual([
      "SKILL.md",
      "assets/deep/z.bin",
      "references/r.md",
      "scripts/b.py",
    ]);
  });

  it("are listed up to 200, and the rest is counted", async () => {
    await putSkill("a", "description: x");
    for (let at = 0; at < 203; at++) await put(`a/assets/${at}`, "");
    const lines = (await textAt("a"))?.split("\n") ?? [];
    expect(lines.filter((line) => line.startsWith("- sk:a/"))).toHaveLength(200);
    expect(lines.at(-1)).toBe("- and 3 more");
  });

  it("are read by path, and nothing outside the folder is", async () => {
    await putSkill("a", "description: x");
    await put("a/more.md", "more");
    await put("secret", "secret");
    await symlink(join(folder, "secret"), join(folder, "a", "link"));
    await symlink(folder, join(folder, "a", "up"));
    expect(await textAt("a")).toContain("Text.");
    expect(await textAt("a/more.md")).toBe("more");
    for (const path of ["a/none.md", "none", "none/more.md", "a/more.md/x"]) expect(await textAt(path)).toBeNull();
    for (const path of ["a/../secret", "a/link", "a/up/secret", "a//etc/passwd/../x"])
      await expect(textAt(path)).rejects.toMatchObject({ code: "unsafe_path" });
  });

  it("are not read if they are larger than 8 MiB", async () => {
    await putSkill("a", "description: x");
    await put("a/large.txt", Buffer.alloc(8 * 1024 * 1024 + 1, "x"));
    await expect(textAt("a/large.txt")).rejects.toMatchObject({ code: "too_large" });
  });

  it("may lie behind a link to the whole skill, such as one to a shared folder", async () => {
    await putSkill("shared/a", "description: x");
    await put("shared/a/more.md", "more");
    await mkdir(join(folder, "skills"));
    await symlink(join(folder, "shared", "a"), join(folder, "skills", "a"));
    const { skills } = await load(join(folder, "skills"));
    expect(await readSkill(skills, "a/more.md")).toEqual({ file: "more.md", bytes: Buffer.from("more") });
  });
});

describe("front matter", () => {
  it("is read line by line; the rest is the body", () => {
    const { fields, body } = readFrontMatter(
      '---\r\nname: "a \\"b\\""\r\nlist: [1]\r\n# comment: no\r\ntext: |\r\n  one\r\n\r\n  two\r\nlast: x: y\r\n---\r\nBody',
    );
    expect([...fields]).toEqual([
      ["name", 'a "b"'],
      ["list", "[1]"],
      ["text", "one\n\ntwo"],
      ["last", "x: y"],
    ]);
    expect(body).toBe("Body");
  });

  it.each([
    ["v: one\n  two\n  three", "one two three"],
    ["v:\n  one\n  two", "one two"],
    ['v: "one\n  two" # why', "one two"],
    ["v: 'one # two'", "one # two"],
    ["v: one # two", "one"],
    ["v: C# and a#b", "C# and a#b"],
    ["v: # two", ""],
    ["v: >- # two\n  one\n  three", "one three"],
    ["v: |2\n  one", "one"],
    ["v: \"a\" and 'b'", "\"a\" and 'b'"],
  ])("reads %j as YAML does", (line, value) => {
    expect(readFrontMatter(`---\n${line}\nw: 1\n--- \n`).fields).toEqual(
      new Map([
        ["v", value],
        ["w", "1"],
      ]),
    );
  });

  it("is read in linear time, also if a value consists of blanks", () => {
    const source = (size: number) => `---\nname: a${" ".repeat(size)}b\ntitle: "a"${" ".repeat(size)}b\n---\n`;
    expect(growthOnDoubling(source, readFrontMatter, 4_000)).toBeLessThan(3);
  });

  it("is absent unless both marks are there", () => {
    for (const source of ["", "x", "---\nname: a\n", "\n---\nname: a\n---\n"])
      expect(readFrontMatter(source)).toEqual({ fields: new Map(), body: source });
  });
});
