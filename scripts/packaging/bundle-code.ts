/**
 * The code of the published package: ES modules that share chunks. Libraries are part of the code, so that an
 * installation is small. Libraries that a user must share with the package, and optional libraries, are imported.
 */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build, type Metafile, type Plugin, transform } from "esbuild";
import { projectRoot } from "../run-command.ts";
import type { LocatedFiles } from "./located-files.ts";
import { keepOwnMappings } from "./own-mappings.ts";
import { entries, fileOf, parts } from "./parts.ts";
import { installed, type PublishedManifest } from "./published-manifest.ts";

/**
 * CommonJS libraries call `require`, which ES modules do not have. The engine also runs in browsers, without `process`.
 */
const REQUIRE = 'const require=globalThis.process?.getBuiltinModule?.("node:module").createRequire(import.meta.url);';

/** The metrics library imports this package, which works beside other copies of itself. Only exporters are optional. */
const METRICS = "@opentelemetry/api";

export async function bundleCode(
  outdir: string,
  manifest: PublishedManifest,
  { modules, rewritten }: LocatedFiles,
): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: projectRoot,
    entryPoints: [
      ...entries.map((entry) => ({ in: entry.source, out: fileOf(entry) })),
      ...modules.map((path) => ({ in: path, out: path.replace(/^.*\/|\.ts$/g, "") })),
      { in: "packages/cli/src/main.ts", out: "main" },
    ],
    outdir,
    bundle: true,
    splitting: true,
    chunkNames: "chunk-[hash]",
    // Files keep their names, by which code locates them.
    assetNames: "[name]",
    format: "esm",
    platform: "node",
    target: "node22",
    // Our own names are kept, so that stack traces are readable.
    minifySyntax: true,
    minifyWhitespace: true,
    // The maps name our files and lines. With the text of the sources the package would be 5 MB larger.
    sourcemap: "linked",
    sourcesContent: false,
    legalComments: "none",
    // V8 reads code of ASCII characters faster, and keeps it in half the memory.
    charset: "ascii",
    metafile: true,
    external: installed(manifest)
      .filter((name) => name !== METRICS)
      .flatMap((name) => [name, `${name}/*`]),
    plugins: [ownSources(manifest, rewritten), smallLibraries],
    logLevel: "warning",
  });
  for (const path of Object.keys(metafile.outputs)) {
    if (!path.endsWith(".js")) continue;
    giveRequire(path);
    keepOwnMappings(resolve(projectRoot, path));
  }
  return metafile;
}

/** Rewrites our files, so that they find other files in the build and read the manifest of the published package. */
function ownSources(manifest: PublishedManifest, rewritten: LocatedFiles["rewritten"]): Plugin {
  const manifests = new Set(parts.map(({ folder }) => join(projectRoot, folder, "package.json")));
  return {
    name: "own-sources",
    setup(build) {
      build.onLoad({ filter: /\/packages\/.*\.(?:ts|json)$/ }, ({ path }) => {
        if (manifests.has(path)) return { contents: JSON.stringify(manifest), loader: "json" };
        if (path.endsWith(".json")) return isLarge(path) ? { contents: readFileSync(path), loader: "copy" } : null;
        return { contents: escapeNonAscii(rewritten.get(path) ?? readFileSync(path, "utf8")), loader: "ts" };
      });
    },
  };
}

/** Whether JSON becomes a separate file: Node reads it in a third of the time that it takes in a module. */
function isLarge(path: string): boolean {
  return statSync(path).size > 1_000_000;
}

/** Escapes characters in regular expressions, which the option `charset` leaves. An escape means the same there. */
function escapeNonAscii(code: string): string {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Libraries are minified completely. */
const smallLibraries: Plugin = {
  name: "small-libraries",
  setup(build) {
    build.onLoad({ filter: /\/node_modules\/.*\.[cm]?js$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, "utf8"), { minify: true, target: "node22", charset: "utf8" });
      return { contents: code, loader: "js" };
    });
  },
};

/** Adds the definition of `require` to the chunk that defines `__require` for all others. */
function giveRequire(path: string): void {
  const file = resolve(projectRoot, path);
  const text = readFileSync(file, "utf8");
  if (/\b__require=/.test(text)) writeFileSync(file, REQUIRE + text);
}
