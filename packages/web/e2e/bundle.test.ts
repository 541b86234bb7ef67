/** Tests that the browser loads only a small part of the code for the chat, and the rest on demand. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildApp } from "@cairn/testkit/web";
import { beforeAll, describe, expect, it } from "vitest";

const BUDGET = 300_000;

describe("the bundle", () => {
  let folder = "";
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  beforeAll(async () => {
    folder = await buildApp();
  });

  /** The scripts that the page loads at its start: those that the page names, and their static imports. */
  function loadedAtOnce(): string[] {
    const found = new Set<string>();
    const add = (name: string) => {
      if (found.has(name)) return;
      found.add(name);
      for (const [, other = ""] of read(name).matchAll(
        /(?:^|[;}])(?:import|export)[^"'()]{0,4000}?from\s*["']\.\/([^"']+)["']/g,
      ))
        add(`assets/${other}`);
      for (const [, other = ""] of read(name).matchAll(/(?:^|[;}])import\s*["']\.\/([^"']+)["']/g))
        add(`assets/${other}`);
    };
    for (const [, name = ""] of read("index.html").matchAll(/(?:src|href)="\.\/([^"]+\.js)"/g)) add(name);
    return [...found];
  }

  it("of the chat is at most 300 KB of compressed script", () => {
    const scripts = loadedAtOnce();
    const size = scripts.reduce((sum, name) => sum + gzipSync(read(name), { level: 9 }).length, 0);
    expect(scripts.length).toBeGreaterThan(1);
    expect(size).toBeLessThanOrEqual(BUDGET);
  });

  it("leaves the inspector, previews, math and colours for when they are needed", () => {
    const atOnce = loadedAtOnce().join(" ");
    const all = readdirSync(join(folder, "assets")).filter((name) => name.endsWith(".js"));
    for (const part of ["inspector", "file-viewer", "pdf", "katex", "highlight"]) {
      expect(all.some((name) => name.startsWith(part))).toBe(true);
      expect(atOnce).not.toContain(`assets/${part}`);
    }
    // The library for diagrams is not in the bundle, because only the frame for diagrams loads it.
    expect(readdirSync(join(folder, "diagram")).sort()).toEqual(["LICENSE.txt", "mermaid.js"]);
    for (const name of all) expect(read(`assets/${name}`)).not.toContain("diagram/mermaid.js");
  });

  it("holds no inline script and no style, so that the content security policy can forbid them", () => {
    const page = read("index.html");
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>/);
    expect(page).not.toMatch(/<style|\sstyle=|\son[a-z]+=/);
  });
});
