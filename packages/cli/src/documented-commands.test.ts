/** Tests that the commands in the documentation exist, such as those of the recipe for operators. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { COMMANDS } from "./commands.ts";

const root = join(import.meta.dirname, "../../..");
const pages = globSync(["*.md", "docs/*.md", "docs/recipes/*.md", "create/template/*.md"], { cwd: root });

/** `cairn show <id>` in a sentence or a table, without the quotes. */
function commandsIn(page: string): string[][] {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/`(?:npx )?cairn ([a-z][^`]*)`/g)].map(([, command = ""]) => command.split(/[\s[\]]+/));
}

it("every command that the documentation names exists, with the options that it names", async () => {
  const wrong: string[] = [];
  let options = 0;
  for (const page of pages)
    for (const words of commandsIn(page)) {
      const [name = ""] = words;
      const load = COMMANDS[name];
      const usage = name === "help" ? "" : ((await load?.())?.usage ?? null);
      if (usage === null) wrong.push(`${page}: ${name}`);
      for (const option of words.filter((word) => word.startsWith("--"))) {
        options++;
        if (!`${usage} --scope `.includes(option)) wrong.push(`${page}: ${words.join(" ")}`);
      }
    }
  expect(wrong).toEqual([]);
  expect(options).toBeGreaterThan(20);
});
