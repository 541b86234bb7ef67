/** The parts of the published package: the packages of this repository, and the subpaths of its `exports`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../run-command.ts";

/** The packages whose code is published. The web app is built separately; tests use the rest. */
const PUBLISHED = ["timeline", "api", "store", "agent", "tools", "front", "server", "cli"] as const;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

interface Part {
  readonly folder: string;
  readonly manifest: Manifest;
}

export const parts: readonly Part[] = PUBLISHED.map((name) => {
  const folder = `packages/${name}`;
  return { folder, manifest: JSON.parse(readFileSync(join(projectRoot, folder, "package.json"), "utf8")) };
});

const front = parts.find(({ folder }) => folder === "packages/front") as Part;

/** The package that is published, and the version of everything in it. */
export const { name: packageName, version, description, license } = front.manifest;

/** Exports that are for other packages of this repository only. A published export is a promise to its users. */
const INTERNAL = new Set([
  "@cairn/agent/charset",
  "@cairn/agent/document-text",
  "@cairn/agent/reader",
  "@cairn/api",
  "@cairn/api/limits",
  "@cairn/cli",
  "@cairn/server/mcp",
  "@cairn/store/recall",
  "@cairn/timeline/citations",
  "@cairn/timeline/error",
  "@cairn/timeline/tokens",
  "cairn-agent/process",
  "cairn-agent/turns",
]);

/** The subpath of the published package that has the exports of `specifier`: `@cairn/store/s3` is `./store/s3`. */
function subpathOf(specifier: string): string {
  return `.${specifier.replace(/^(?:@cairn|cairn-agent)(?=\/|$)/, "").replace(/^\/server\/handler$/, "/handler")}`;
}

export interface Entry {
  /** The name in this repository, such as `@cairn/store/s3`. */
  readonly specifier: string;
  /** The name in `exports` of the published package, such as `./store/s3`. */
  readonly subpath: string;
  /** The source file, relative to the project. */
  readonly source: string;
}

export const entries: readonly Entry[] = parts.flatMap(({ folder, manifest }) =>
  Object.entries(manifest.exports).flatMap(([path, source]) => {
    const specifier = `${manifest.name}${path.slice(1)}`;
    if (path === "./package.json" || INTERNAL.has(specifier)) return [];
    return [{ specifier, subpath: subpathOf(specifier), source: join(folder, source) }];
  }),
);

/** The name of the file in `dist`, without its ending. All files are in one folder, so that paths between them are simple. */
export function fileOf({ subpath }: Entry): string {
  return subpath === "." ? "index" : subpath.slice(2).replaceAll("/", "-");
}

/** `text` with the names of this repository's packages replaced by those that a user of the published package writes. */
export function withPublishedNames(text: string): string {
  const specifiers = entries.toSorted((a, b) => b.specifier.length - a.specifier.length);
  return specifiers.reduce(
    (result, { specifier, subpath }) => result.replaceAll(specifier, `${packageName}${subpath.slice(1)}`),
    text,
  );
}
