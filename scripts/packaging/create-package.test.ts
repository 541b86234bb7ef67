/** The package behind `npm create`. `npm run try:create` makes a project with it. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { writeCreatePackage } from "./create-package.ts";

const folder = mkdtempSync(join(tmpdir(), "cairn-template-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a new project gets a version of every library that it imports and of its compiler", () => {
  writeCreatePackage(folder);
  const manifest = JSON.parse(readFileSync(join(folder, "template/package.json"), "utf8"));
  const versions: Record<string, string> = { ...manifest.dependencies, ...manifest.devDependencies };
  for (const [name, version] of Object.entries(versions))
    expect([name, version]).toEqual([name, expect.stringMatching(/^\^\d+\.\d+\.\d+/)]);
  expect(Object.keys(versions)).toEqual(expect.arrayContaining(["cairn-agent", "vite", "zod", "typescript"]));
});
