/**
 * Global setup of system tests: bundles the code of the packages. The processes that tests start load the bundle instead
 * of a thousand source files and libraries, which halves the processor time of a start (`use-bundle.mjs`). The processes
 * of the tests themselves use the sources.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin, stop } from "esbuild";
import type { TestProject } from "vitest/node";
import { COMPILE_CACHE } from "../compile-cache.ts";
import { TESTS_FOLDER } from "../durations.ts";
import { findLocatedFiles } from "../packaging/located-files.ts";
import { parts } from "../packaging/parts.ts";
import { installed, publishedManifest } from "../packaging/published-manifest.ts";
import { projectRoot, startCommand } from "../run-command.ts";
import { USE_BUNDLE } from "./use-bundle-option.ts";

const FOLDER = join(TESTS_FOLDER, "bundle");

/** Defines `require`, which CommonJS libraries call. */
const REQUIRE =
  'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);';

export default async function setup(project: TestProject): Promise<void> {
  await buildBundle();
  project.onTestsRerun(buildBundle);
}

async function buildBundle(): Promise<void> {
  const entries = [...parts.flatMap(exportedFiles), "packages/cli/src/main.ts", ...findLocatedFiles().modules];
  const { outputFiles } = await build({
    absWorkingDir: projectRoot,
    entryPoints: entries,
    outbase: projectRoot,
    outdir: FOLDER,
    write: false,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    banner: { js: REQUIRE },
    // As in the published package, these libraries are not bundled: a configuration may share them with the product.
    external: installed(publishedManifest()).flatMap((name) => [name, `${name}/*`]),
    plugins: [ownLocations],
    logLevel: "warning",
  });
  // Without this, esbuild's process would stay and keep its memory.
  await stop();
  const modules = entries.map((path) => [sourceUrl(path), pathToFileURL(join(FOLDER, bundledPath(path)))]);
  const files = new Map(outputFiles.map(({ path, contents }) => [path, contents]));
  files.set(join(FOLDER, "modules.json"), Buffer.from(JSON.stringify(Object.fromEntries(modules))));
  if (!writeChanged(files)) return;
  await startCommand("node", ["scripts/warm-up.ts"], { NODE_COMPILE_CACHE: COMPILE_CACHE, NODE_OPTIONS: USE_BUNDLE });
}

function exportedFiles({ folder, manifest }: (typeof parts)[number]): string[] {
  const files = Object.values(manifest.exports).filter((path) => path.endsWith(".ts"));
  return files.map((path) => join(folder, path));
}

/** `import.meta.url` stays the URL of the source file, but modules that code starts by URL are those of the bundle. */
const ownLocations: Plugin = {
  name: "own-locations",
  setup(build) {
    build.onLoad({ filter: /\/packages\/.*\.ts$/ }, ({ path }) => {
      const contents = readFileSync(path, "utf8")
        .replaceAll(/new URL\("(\.[^"]*\.ts)", import\.meta\.url\)/g, (_, address: string) => {
          const target = join(dirname(path), address).slice(projectRoot.length + 1);
          return `new URL(${JSON.stringify(pathToFileURL(join(FOLDER, bundledPath(target))))})`;
        })
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path)));
      return { contents, loader: "ts" };
    });
  },
};

function sourceUrl(path: string): string {
  return pathToFileURL(join(projectRoot, path)).href;
}

function bundledPath(path: string): string {
  return path.replace(/\.ts$/, ".js");
}

/**
 * Writes the files whose content changed, each atomically, because another run may use them. Returns whether there were
 * any.
 */
function writeChanged(files: ReadonlyMap<string, Uint8Array>): boolean {
  mkdirSync(FOLDER, { recursive: true });
  const existing = readdirSync(FOLDER, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const before = new Map(
    existing.map(({ parentPath, name }) => join(parentPath, name)).map((path) => [path, readFileSync(path)]),
  );
  for (const path of before.keys()) if (!files.has(path)) rmSync(path);
  const changed = [...files].filter(([path, contents]) => before.get(path)?.equals(contents) !== true);
  for (const [path, contents] of changed) {
    mkdirSync(dirname(path), { recursive: true });
    const draft = join(dirname(path), `.${process.pid}-${basename(path)}`);
    writeFileSync(draft, contents);
    renameSync(draft, path);
  }
  return changed.length > 0;
}
