/** Packages that `npm install` leaves out are installed by the commands that need them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it, vi } from "vitest";
import { arePresent, installOnDemand } from "./packages-on-demand.ts";

const folder = mkdtempSync(join(tmpdir(), "cairn-on-demand-"));
const ruler = { folder, title: "a ruler", names: ["ruler"] };
const install = join(folder, "node_modules/ruler");

beforeEach(() => {
  mkdirSync(install, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ dependencies: { ruler: "2.0.0" } }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("counts a package of another version as missing", () => {
  expect(arePresent(ruler)).toBe(false);
  writeFileSync(join(install, "package.json"), JSON.stringify({ version: "1.0.0" }));
  expect(arePresent(ruler)).toBe(false);
  writeFileSync(join(install, "package.json"), JSON.stringify({ version: "2.0.0" }));
  expect(arePresent(ruler)).toBe(true);
});

it("says what is missing and what to check when npm cannot reach its registry", () => {
  rmSync(install, { recursive: true });
  vi.spyOn(console, "log").mockReturnValue();
  const error = vi.spyOn(console, "error").mockReturnValue();
  expect(installOnDemand(ruler, ["--registry=http://127.0.0.1:9", "--fetch-retries=0", "--loglevel=silent"])).toBe(
    false,
  );
  expect(error).toHaveBeenCalledWith("npm could not install a ruler. Check that npm reaches its registry: npm ping");
});
