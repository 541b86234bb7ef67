/**
 * The project's source files and the imports of each, including type-only imports: a type imported against the layer
 * order couples two packages as much as a value does.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { impureUses } from "./engine-purity.ts";

export interface SourceFile {
  /** The path from the project root, with forward slashes. */
  readonly path: string;
  /** Module specifiers as written, each once. */
  readonly specifiers: readonly string[];
  /** The specifiers that are loaded at run time: those not imported for types only. */
  readonly loaded: ReadonlySet<string>;
  /** Uses of a clock or of random numbers, as `line: code`. */
  readonly impure: readonly string[];
}

export const sourceRoots = ["packages", "bench", "examples", "scripts"];
const skippedFolders = new Set(["node_modules", "dist", "coverage", "golden", "fixtures"]);
const sourceName = /\.(?:[cm]?ts|tsx|[cm]?js|jsx)$/;

/** A test, or code that only tests use: the folder `test` of a package. */
export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || /^packages\/[^/]+\/test\//.test(path);
}

export function readSourceTree(root: string): SourceFile[] {
  const paths = sourceRoots.flatMap((folder) => sourcePaths(root, folder));
  return paths.sort().map((path) => readSourceFile(path, readFileSync(join(root, path), "utf8")));
}

function readSourceFile(path: string, text: string): SourceFile {
  const { module, program, errors } = parseSync(path, text);
  const broken = errors.find((error) => error.severity === "Error");
  if (broken !== undefined) throw new Error(`${path} cannot be parsed: ${broken.message}`);

  const specifiers = new Set<string>();
  const loaded = new Set<string>();
  const add = (specifier: string, isLoaded: boolean) => {
    specifiers.add(specifier);
    if (isLoaded) loaded.add(specifier);
  };
  for (const { moduleRequest, entries } of module.staticImports)
    add(moduleRequest.value, entries.length === 0 || entries.some(({ isType }) => !isType));
  for (const { entries } of module.staticExports)
    for (const { moduleRequest, isType } of entries) if (moduleRequest !== null) add(moduleRequest.value, !isType);
  const addLiteral = (node: { type: string; value?: unknown }, isLoaded: boolean) => {
    if (node.type === "Literal" && typeof node.value === "string") add(node.value, isLoaded);
  };
  new Visitor({
    ImportExpression: (node) => addLiteral(node.source, true),
    TSImportType: (node) => addLiteral(node.source, false),
    CallExpression: ({ callee, arguments: [first] }) => {
      if (callee.type === "Identifier" && callee.name === "require" && first !== undefined) addLiteral(first, true);
    },
  }).visit(program);
  return { path, specifiers: [...specifiers], loaded, impure: impureUses(program, text) };
}

/** Every source file below a folder of the project, tests included. */
export function sourcePaths(root: string, folder: string): string[] {
  return entriesOf(join(root, folder)).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : sourcePaths(root, path);
    return sourceName.test(entry.name) ? [path] : [];
  });
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
