/**
 * Code in the documentation that is a file: the block after `<!-- examples/recipes/x.ts -->`, in the recipes and in the
 * guide to deployment. The compiler checks these files, or tests read them.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../run-command.ts";

const BLOCK = /(<!-- ((?:examples\/recipes|create\/template|deploy)\/[\w./-]+) -->\n```\w+\n)[\s\S]*?^```$/gm;

/** The pages with the current text of their files, by path. */
export function fillExamples(): Record<string, string> {
  const recipes = readdirSync(join(projectRoot, "docs/recipes")).map((name) => `docs/recipes/${name}`);
  return Object.fromEntries([...recipes, "docs/deploy.md"].map((page) => [page, fillBlocks(readText(page))]));
}

function fillBlocks(page: string): string {
  return page.replaceAll(BLOCK, (_, head: string, file: string) => `${head}${readText(file).trimEnd()}\n\`\`\``);
}

function readText(path: string): string {
  return readFileSync(join(projectRoot, path), "utf8");
}
