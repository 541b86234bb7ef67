/**
 * Builds the web app from its current sources. The build is in the package's `dist` with a stamp of its sources, so
 * that it is rebuilt only when something has changed.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const WEB = dirname(fileURLToPath(import.meta.url));
const PACKAGES = ["@cairn/timeline", "@cairn/api"].map((name) =>
  join(dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`))), "src"),
);
const DIST = join(WEB, "dist");
const STAMP = "stamp.txt";

/** The folder for a new build, which then replaces the last build; ignored by git. */
const WORKSHOP = join(WEB, "node_modules/.build");
const LOCK = join(WORKSHOP, "lock");
const WAIT_MS = 200;
/** A lock of this age belongs to a process that died. */
const DEAD_MS = 180_000;

/** Returns the folder of the built app. `onBuild` is called if the app must be built first. */
export async function buildApp(onBuild: () => void = () => undefined): Promise<string> {
  const stamp = stampOf([
    join(WEB, "src"),
    join(WEB, "public"),
    join(WEB, "index.html"),
    join(WEB, "vite.config.ts"),
    ...PACKAGES,
  ]);
  if (readStamp() === stamp) return DIST;
  onBuild();
  mkdirSync(WORKSHOP, { recursive: true });
  while (!takeLock()) await sleep(WAIT_MS);
  try {
    // Another process may have built the same sources while this process waited for the lock.
    if (readStamp() !== stamp) await build(stamp);
    return DIST;
  } finally {
    rmSync(LOCK, { recursive: true, force: true });
  }
}

async function build(stamp: string): Promise<void> {
  const made = join(WORKSHOP, "dist");
  const vite = join(dirname(createRequire(join(WEB, "package.json")).resolve("vite/package.json")), "bin/vite.js");
  await promisify(execFile)(
    process.execPath,
    [vite, "build", "--outDir", made, "--emptyOutDir", "--logLevel", "error"],
    {
      cwd: WEB,
      // The variable is set, because the environment of the tests would cause a development build.
      env: { ...process.env, NODE_ENV: "production" },
    },
  );
  writeFileSync(join(made, STAMP), stamp);
  rmSync(DIST, { recursive: true, force: true });
  renameSync(made, DIST);
}

/** Creating a folder is atomic, so only one process builds at a time. */
function takeLock(): boolean {
  try {
    mkdirSync(LOCK);
    return true;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    const age = Date.now() - (statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > DEAD_MS) rmSync(LOCK, { recursive: true, force: true });
    return false;
  }
}

function readStamp(): string | null {
  try {
    return readFileSync(join(DIST, STAMP), "utf8");
  } catch {
    return null; // The app was never built, or was built without a stamp.
  }
}

function stampOf(places: readonly string[]): string {
  const hash = createHash("sha256");
  const add = (path: string) => hash.update(path).update("\0").update(readFileSync(path)).update("\0");
  for (const place of places) {
    if (statSync(place).isFile()) {
      add(place);
      continue;
    }
    const entries = readdirSync(place, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name));
    for (const path of files.map(({ parentPath, name }) => join(parentPath, name)).sort()) add(path);
  }
  return hash.digest("hex");
}
