/** Code in the recipes: the block after `<!-- examples/recipes/x.ts -->` is that file, which the compiler checks. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../run-command.ts";

const BLOCK = /<!-- ([\w./-]+\.tsx?) -->\n```tsx?\n[\s\S]*?\n?```/g;

/** The recipes with the current text of their files, by path. */
export function fillRecipes(): Record<string, string> {
  const pages = readdirSync(join(projectRoot, "docs/recipes")).map((name) => `docs/recipes/${name}`);
  return Object.fromEntries(pages.map((page) => [page, fillBlocks(readText(page))]));
}

function fillBlocks(page: string): string {
  return page.replaceAll(BLOCK, (_, file: string) => {
    const language = file.endsWith("x") ? "tsx" : "ts";
    return `<!-- ${file} -->\n\`\`\`${language}\n${readText(file).trimEnd()}\n\`\`\``;
  });
}

function readText(path: string): string {
  return readFileSync(join(projectRoot, path), "utf8");
}
