import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readFrontMatter } from "./front-matter.ts";
import { describeSkills, loadSkills, readSkill } from "./skill.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-skills-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function put(name: string, source: string): Promise<void> {
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, name, "SKILL.md"), source);
}

describe("skills", () => {
  it("are the folders with a SKILL.md, sorted by name and listed with their descriptions", async () => {
    await put("b", "---\nname: tables\ndescription: >\n  How to make\n  tables.\n---\n\n# Tables\n");
    await put("a", "---\ndescription: 'It''s for menus.'\n---\nMenus.");
    await mkdir(join(folder, "empty"));
    await writeFile(join(folder, "README.md"), "x");
    const skills = await loadSkills(folder);
    expect(skills.map(({ name, text }) => [name, text])).toEqual([
      ["a", "Menus."],
      ["tables", "# Tables\n"],
    ]);
    expect(describeSkills(skills)).toBe(
      "Skills. Read one with react.read before you do what it is for:\n- sk:a: It's for menus.\n- sk:tables: How to make tables.",
    );
    expect(describeSkills([])).toBe("");
  });

  it("give their other texts, and nothing outside their folder", async () => {
    await put("a", "---\ndescription: x\n---\nText.");
    await writeFile(join(folder, "a", "more.md"), "more");
    await writeFile(join(folder, "secret"), "secret");
    await symlink(join(folder, "secret"), join(folder, "a", "link"));
    const skills = await loadSkills(folder);
    expect(await readSkill(skills, "a")).toBe("Text.");
    expect(await readSkill(skills, "a/more.md")).toBe("more");
    expect(await readSkill(skills, "a/none.md")).toBeNull();
    expect(await readSkill(skills, "none")).toBeNull();
    await expect(readSkill(skills, "a/../secret")).rejects.toMatchObject({ code: "unsafe_path" });
    await expect(readSkill(skills, "a/link")).rejects.toMatchObject({ code: "unsafe_path" });
  });

  it("are refused without a description, with a duplicate or invalid name, and if the folder does not exist", async () => {
    await expect(loadSkills(join(folder, "none"))).rejects.toMatchObject({ code: "bad_skill" });
    await put("a", "No front matter.");
    await expect(loadSkills(folder)).rejects.toMatchObject({ code: "bad_skill" });
    await put("a", "---\nname: x/y\ndescription: x\n---\n");
    await expect(loadSkills(folder)).rejects.toMatchObject({ code: "bad_skill" });
    await put("a", "---\nname: b\ndescription: x\n---\n");
    await put("b", "---\ndescription: x\n---\n");
    await expect(loadSkills(folder)).rejects.toMatchObject({ code: "bad_skill" });
  });
});

describe("front matter", () => {
  it("is read line by line; the rest is the body", () => {
    const { fields, body } = readFrontMatter(
      '---\r\nname: "a \\"b\\""\r\nlist: [1]\r\n  nested: no\r\ntext: |\r\n  one\r\n\r\n  two\r\nlast: x: y\r\n---\r\nBody',
    );
    expect([...fields]).toEqual([
      ["name", 'a "b"'],
      ["list", "[1]"],
      ["text", "one\n\ntwo"],
      ["last", "x: y"],
    ]);
    expect(body).toBe("Body");
  });

  it("is absent unless both marks are there", () => {
    for (const source of ["", "x", "---\nname: a\n", "\n---\nname: a\n---\n"])
      expect(readFrontMatter(source)).toEqual({ fields: new Map(), body: source });
  });
});
