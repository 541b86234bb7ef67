import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

test("every file and folder that docs/architecture.md names exists", () => {
  const text = readFileSync(`${root}docs/architecture.md`, "utf8");
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, "");
  const quoted = [...prose.matchAll(/`([^`\s]+)`/g)].map(([, name = ""]) => name);
  const paths = quoted.filter((name) => /^(packages|scripts)\/|^\w+\/src\//.test(name));
  expect(paths.length).toBeGreaterThan(60);
  const missing = paths.filter((path) => !existsSync(`${root}${path}`) && !existsSync(`${root}packages/${path}`));
  expect(missing).toEqual([]);
});
