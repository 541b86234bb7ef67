/** The `package.json` of the published package. */
import { description, entries, fileOf, license, packageName, parts, version } from "./parts.ts";

/**
 * The oldest Node on which the built package runs: the first Node 22 whose SQLite has backups and reports transactions.
 */
export const OLDEST_NODE = "22.16";

/** Libraries whose values or types a user shares with the package. Everything else is bundled, or optional. */
const SHARED = ["@ai-sdk/provider", "zod"];

export type PublishedManifest = ReturnType<typeof publishedManifest>;

export function publishedManifest() {
  const peers = collect("peerDependencies");
  const dependencies = collect("dependencies");
  return {
    name: packageName,
    version,
    description,
    license,
    keywords: ["agent", "ai", "llm", "prompt-caching", "durable", "timeline", "mcp"],
    type: "module",
    bin: { cairn: "./bin/cairn.mjs" },
    main: "./dist/index.js",
    types: "./dist/types/index.d.ts",
    exports: {
      ...Object.fromEntries(
        entries.map((entry) => {
          const file = fileOf(entry);
          return [entry.subpath, { types: `./dist/types/${file}.d.ts`, default: `./dist/${file}.js` }];
        }),
      ),
      "./package.json": "./package.json",
    },
    files: ["bin", "dist", "docs", "examples", "llms.txt", "CHANGELOG.md", "THIRD-PARTY.md"],
    engines: { node: `>=${OLDEST_NODE}` },
    dependencies: {
      ...Object.fromEntries(SHARED.map((name) => [name, `^${dependencies.get(name)}`])),
      // Needed, because the declarations of @ai-sdk/provider import this package but do not depend on it.
      "@types/json-schema": "^7.0.15",
    },
    peerDependencies: Object.fromEntries(peers),
    peerDependenciesMeta: Object.fromEntries([...peers.keys()].map((name) => [name, { optional: true }])),
  };
}

/** Packages that are installed beside the published one. */
export function installed({ dependencies, peerDependencies }: PublishedManifest): string[] {
  return [...Object.keys(dependencies), ...Object.keys(peerDependencies)];
}

/** The dependencies of all parts, by name. Two parts must not differ in a version. */
function collect(kind: "dependencies" | "peerDependencies"): Map<string, string> {
  const found = new Map<string, string>();
  for (const { manifest } of parts) {
    for (const [name, range] of Object.entries(manifest[kind] ?? {})) {
      const other = found.get(name) ?? range;
      if (other !== range) throw new Error(`${manifest.name} wants ${name} ${range}, and another package ${other}.`);
      found.set(name, range);
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
