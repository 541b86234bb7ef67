/**
 * Commands of the operating system that a test needs and that a fresh machine may lack.
 *
 * On Debian as root a missing command is installed, once per process. Otherwise the test is skipped and says why.
 * (`CAIRN_REQUIRE_ALL=1` turns every skip into a failure, so nothing is lost silently.)
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

export type FoundCommand = { readonly path: string } | { readonly path: null; readonly reason: string };

/** The command `name` from the Debian package `debianPackage`. */
export function findCommand(name: string, debianPackage = name): FoundCommand {
  const found = findOnPath(name);
  if (found !== null) return { path: found };
  if (!existsSync("/etc/debian_version"))
    return { path: null, reason: `${name} is not installed, and this is no Debian system to install it on` };
  if (process.getuid?.() !== 0)
    return { path: null, reason: `${name} is not installed, and only root may install ${debianPackage}` };
  const install = () =>
    run(["apt-get", "-o", "DPkg::Lock::Timeout=300", "install", "-y", "--no-install-recommends", debianPackage]);
  if (install() !== 0) {
    run(["apt-get", "update"]);
    install();
  }
  const installed = findOnPath(name);
  return installed === null
    ? { path: null, reason: `${name} is not installed, and apt-get could not install ${debianPackage}` }
    : { path: installed };
}

function run([command = "", ...args]: readonly string[]): number | null {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync(command, args, { env, stdio: "ignore", timeout: 600_000 }).status;
}

/**
 * A browser without a window. The headless shell is the same engine as Chromium, and takes a third less processor time.
 */
export function findBrowser(): FoundCommand {
  const path = findOnPath("chromium-headless-shell") ?? findOnPath("chromium");
  return path === null ? findCommand("chromium-headless-shell") : { path };
}

/** The path of a command; null if it is not installed. */
export function findOnPath(name: string): string | null {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // The command is not in this folder, so the next one is tried.
    }
  }
  return null;
}
