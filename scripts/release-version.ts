/**
 * `npm run release:version`: makes the next version of the changes in `.changeset`. Changesets sets the version of every
 * package and removes the files; this script adds their sentences to the changelog and sets the version of the project.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addRelease, sentenceOf } from "./packaging/release-notes.ts";
import { projectRoot } from "./run-command.ts";

/**
 * Changesets is not a dependency of the project, because every developer would install it although it is used once for
 * each release.
 */
const CHANGESETS = "@changesets/cli@3.0.3";

const folder = join(projectRoot, ".changeset");
const names = readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "README.md");
const changes = names.map((name) => sentenceOf(readFileSync(join(folder, name), "utf8")));
if (changes.length === 0) throw new Error("There is no change in .changeset, so there is nothing to release.");

execFileSync("npx", ["--yes", CHANGESETS, "version"], { cwd: projectRoot, stdio: "inherit" });
const { version } = JSON.parse(readFileSync(join(projectRoot, "packages/front/package.json"), "utf8"));
execFileSync("npm", ["pkg", "set", `version=${version}`], { cwd: projectRoot });
const changelog = join(projectRoot, "CHANGELOG.md");
const today = new Date().toISOString().slice(0, 10);
writeFileSync(changelog, addRelease(readFileSync(changelog, "utf8"), version, today, changes));
execFileSync("npm", ["install", "--package-lock-only"], { cwd: projectRoot, stdio: "inherit" });
console.log(`This is ${version} now. Read CHANGELOG.md before you commit.`);
