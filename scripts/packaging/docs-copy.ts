/** The documentation in the published package: pages and examples with its names, and `llms.txt`, the list of pages. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectRoot } from "../run-command.ts";
import { removeMissingLinks, withoutLinks } from "./package-links.ts";
import { description, packageName, withPublishedNames } from "./parts.ts";

type Pages = [path: string, text: string][];

/** The pages that a newcomer reads first, in this order. */
const FIRST = ["quickstart", "library", "reference", "server", "errors"].map((name) => `docs/${name}.md`);

/** A page for people who change the code of Cairn, and a helper of a test. */
const LEFT_OUT = new Set(["docs/architecture.md", "examples/chat-page.ts"]);

/** A note for readers of the package, about paths and commands that it does not contain. */
const OF_REPOSITORY =
  "Paths such as `packages/…` and commands such as `npm run …` in these pages belong to the repository of Cairn, not to this package.";

export function copyDocs(out: string): void {
  const pages = readFolder("docs", ".md");
  const recipes = readFolder("docs/recipes", ".md");
  const examples = [...readFolder("examples", ".ts"), ...readFolder("examples/recipes", ".ts")];
  const changelog: Pages = [["CHANGELOG.md", readText("CHANGELOG.md")]];
  const texts: Pages = [...pages, ...recipes, ...examples, ...changelog];
  const files = [...texts.map(([path]) => path), "README.md", "LICENSE", "llms.txt"];
  const present = new Set(files.flatMap((file) => [file, dirname(file)]));
  for (const [path, text] of texts) {
    const written = path.endsWith(".md") ? removeMissingLinks(text, path, present) : text;
    mkdirSync(join(out, dirname(path)), { recursive: true });
    writeFileSync(join(out, path), written);
  }
  writeFileSync(join(out, "llms.txt"), listPages(pages, recipes));
}

/** The texts of the files directly in a folder, with the published names. */
function readFolder(folder: string, ending: string): Pages {
  const names = readdirSync(join(projectRoot, folder)).filter(
    (name) => name.endsWith(ending) && !name.endsWith(`.test${ending}`) && !LEFT_OUT.has(`${folder}/${name}`),
  );
  return names.sort().map((name) => [`${folder}/${name}`, readText(`${folder}/${name}`)]);
}

function readText(path: string): string {
  return withPublishedNames(readFileSync(join(projectRoot, path), "utf8"));
}

/** The format of llmstxt.org: a title, a summary, and links with the first sentence of each page. */
function listPages(pages: Pages, recipes: Pages): string {
  const list = (listed: Pages) =>
    listed.map(([path, text]) => {
      const [, title = path] = /^# (.+)$/m.exec(text) ?? [];
      const [, first = ""] = /^(?!#|<!--|```|\||!)(\S.*?(?:\.(?= |$)|:$))/m.exec(text) ?? [];
      return `- [${title}](${path}): ${withoutLinks(first).replace(/:$/, ".")}`;
    });
  const first = FIRST.flatMap((path) => pages.filter(([each]) => each === path));
  const others = pages.filter(([path]) => !FIRST.includes(path));
  const sections = { "Start here": first, Recipes: recipes, Guides: others };
  const lists = Object.entries(sections).map(([title, listed]) => `## ${title}\n\n${list(listed).join("\n")}`);
  return `# ${packageName}\n\n> ${description}\n\n${OF_REPOSITORY}\n\n${lists.join("\n\n")}\n`;
}
