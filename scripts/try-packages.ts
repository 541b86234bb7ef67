/**
 * `npm run try:packages`: packs the built package, installs it in a fresh project outside the repository, and tries it
 * there. `-- --all` also tries what must be downloaded first: Node 22, Bun, Next, publint, attw.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { type Trial, trials } from "./packaging/trials.ts";
import { projectRoot } from "./run-command.ts";

const isAll = process.argv.includes("--all");
const folder = mkdtempSync(join(tmpdir(), "cairn-try-"));
const npm = (...args: string[]) => execFileSync("npm", args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });

try {
  prepare();
  const chosen = trials.filter(({ installs }) => isAll || installs.length === 0);
  const results = chosen.map((trial) => ({ trial: trial.name, ...attempt(trial) }));
  console.table(results);
  if (!isAll) console.log("Not tried without --all: Node 22, Bun, Next, publint, attw.");
  process.exitCode = results.every(({ works }) => works) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function prepare(): void {
  npm("pack", "--silent", "--pack-destination", folder, join(projectRoot, "dist/cairn-agent"));
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  renameSync(join(folder, String(tarball)), join(folder, "cairn-agent.tgz"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "trial", private: true, type: "module" }));
  cpSync(join(projectRoot, "scripts/packaging/fixtures/trial"), folder, { recursive: true });
  npm("install", "--no-audit", "--no-fund", "--loglevel", "error", "./cairn-agent.tgz", "@types/node@22");
}

function attempt({ installs, commands }: Trial): { works: boolean; said: string } {
  try {
    if (installs.length > 0) npm("install", "--no-audit", "--no-fund", "--loglevel", "error", ...installs);
  } catch (error) {
    return { works: false, said: `not installed: ${error instanceof Error ? error.message : error}`.slice(0, 100) };
  }
  let said = "";
  for (const [command = "", ...args] of commands) {
    const { status, stdout, stderr, error } = spawnSync(command, args, {
      cwd: folder,
      encoding: "utf8",
      timeout: 300_000,
    });
    if (status !== 0) {
      console.error(error?.message ?? `${stdout}${stderr}`.slice(-2_000));
      return { works: false, said: `${command.split("/").at(-1)} ended with ${status}` };
    }
    const lines = stripVTControlCharacters(stdout).split("\n");
    said =
      lines
        .findLast((line) => /\w/.test(line))
        ?.trim()
        .slice(0, 60) ?? "";
  }
  return { works: true, said };
}
