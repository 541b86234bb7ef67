/**
 * Finds the target of an import: a file of the project, a workspace package through its `exports`, Node, or a package
 * from the registry.
 */
import { globSync, readFileSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { basename, dirname, join, posix } from "node:path";

export type ImportTarget =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "package"; readonly name: string; readonly path: string }
  | { readonly kind: "node" }
  | { readonly kind: "registry" }
  | { readonly kind: "missing"; readonly reason: string };

const scope = "@cairn/";
const impliedEndings = ["", ".ts", ".tsx", "/index.ts", "/index.tsx"];

export function resolveImport(root: string, from: string, specifier: string): ImportTarget {
  if (specifier.startsWith(".")) return resolveRelative(root, from, specifier);
  const found = findPackage(root, specifier);
  if (found !== undefined) return resolvePackage(found, specifier);
  if (specifier.startsWith(scope)) return { kind: "missing", reason: `there is no package ${specifier}` };
  return isBuiltin(specifier) ? { kind: "node" } : { kind: "registry" };
}

function resolveRelative(root: string, from: string, specifier: string): ImportTarget {
  // A bundler's query (`./logo.svg?url`) is not part of the file name.
  const written = posix.join(posix.dirname(from), specifier.replace(/\?.*$/, ""));
  const path = impliedEndings.map((ending) => written + ending).find((candidate) => isFile(join(root, candidate)));
  return path === undefined ? { kind: "missing", reason: "no such file" } : { kind: "file", path };
}

interface WorkspacePackage {
  /** The name under which other packages import it. */
  readonly npmName: string;
  readonly folder: string;
  readonly exports: unknown;
}

const packagesByRoot = new Map<string, readonly WorkspacePackage[]>();

function findPackage(root: string, specifier: string): WorkspacePackage | undefined {
  const packages = packagesByRoot.get(root) ?? readPackages(root);
  packagesByRoot.set(root, packages);
  return packages.find(({ npmName }) => specifier === npmName || specifier.startsWith(`${npmName}/`));
}

function readPackages(root: string): readonly WorkspacePackage[] {
  return globSync("packages/*/package.json", { cwd: root }).map((manifest) => {
    const { name, exports = {} }: { name: string; exports?: unknown } = JSON.parse(
      readFileSync(join(root, manifest), "utf8"),
    );
    return { npmName: name, folder: basename(dirname(manifest)), exports };
  });
}

function resolvePackage({ npmName, folder, exports }: WorkspacePackage, specifier: string): ImportTarget {
  const target = exportTarget(exports, `.${specifier.slice(npmName.length)}`);
  if (target === undefined) return { kind: "missing", reason: `${npmName} does not export it` };
  return { kind: "package", name: folder, path: posix.join("packages", folder, target) };
}

/** The file of a subpath; the first of conditional exports counts, because ours all lead to one file. */
function exportTarget(exports: unknown, subpath: string): string | undefined {
  if (typeof exports === "string") return subpath === "." ? exports : undefined;
  if (typeof exports !== "object" || exports === null) return undefined;
  const entry = Object.entries(exports).find(([key]) => key === subpath)?.[1];
  return firstTarget(entry);
}

function firstTarget(entry: unknown): string | undefined {
  if (typeof entry === "string") return entry;
  if (typeof entry !== "object" || entry === null) return undefined;
  return firstTarget(Object.values(entry)[0]);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
