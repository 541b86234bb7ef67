/** The documentation in the published package: pages and examples with its names, and `llms.txt`, the list of pages. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../run-command.ts";
import { description, packageName, withPublishedNames } from "./parts.ts";

export function copyDocs(out: string): void {
  const pages = copyFolder("docs", ".md", out);
  const recipes = copyFolder("docs/recipes", ".md", out);
  copyFolder("examples", ".ts", out);
  copyFolder("examples/recipes", ".ts", out);
  writeFileSync(join(out, "llms.txt"), listPages(pages, recipes));
}

/** Copies the files directly in a folder and returns their texts by path. */
function copyFolder(folder: string, ending: string, out: string): [path: string, text: string][] {
  mkdirSync(join(out, folder), { recursive: true });
  const names = readdirSync(join(projectRoot, folder)).filter(
    (name) => name.endsWith(ending) && !name.endsWith(`.test${ending}`),
  );
  return names.sort().map((name) => {
    const text = withPublishedNames(readFileSync(join(projectRoot, folder, name), "utf8"));
    writeFileSync(join(out, folder, name), text);
    return [`${folder}/${name}`, text];
  });
}

/** The format of llmstxt.org: a title, a summary, and links with the first sentence of each page. */
function listPages(
  pages: readonly (readonly [string, string])[],
  recipes: readonly (readonly [string, string])[],
): string {
  const list = (listed: readonly (readonly [string, string])[]) =>
    listed.map(([path, text]) => {
      const [, title = path] = /^# (.+)$/m.exec(text) ?? [];
      const [, first = ""] = /^(?!#|<!--|```|\||!)(\S.*?[.:])(?: |$)/m.exec(text) ?? [];
      return `- [${title}](${path}): ${first}`;
    });
  const sections = ["## Documentation", list(pages).join("\n"), "## Recipes", list(recipes).join("\n")];
  return `# ${packageName}\n\n> ${description}\n\n${sections.join("\n\n")}\n`;
}
