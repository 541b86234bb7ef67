import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const pages = globSync(["*.md", "docs/*.md", "docs/recipes/*.md", "create/template/*.md", "packages/*/README.md"], {
  cwd: root,
});

/** The text of a page without its code blocks. */
function readProse(page: string): string {
  return readFileSync(join(root, page), "utf8").replaceAll(/^```[\s\S]*?^```$/gm, "");
}

/** The anchors of a page, as GitHub derives them from its headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = [...readProse(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

test("every file and folder that docs/architecture.md names exists", () => {
  const quoted = [...readProse("docs/architecture.md").matchAll(/`([^`\s]+)`/g)].map(([, name = ""]) => name);
  const paths = quoted.filter((name) => /^(packages|scripts)\/|^\w+\/src\//.test(name));
  expect(paths.length).toBeGreaterThan(60);
  expect(paths.filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, "packages", path)))).toEqual(
    [],
  );
});

test.each(pages)("every relative link of %s leads to a file and a heading that exist", (page) => {
  const text = readProse(page).replaceAll(/`[^`\n]*`/g, "");
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  const broken = links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? page : join(dirname(page), path);
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchorsOf(target).has(anchor);
  });
  expect(broken).toEqual([]);
});
