/**
 * The types of the published package: the declarations of the compiler, with imports of this repository's packages
 * turned into paths, and only the files that an entry reaches.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { projectRoot, runCommand } from "../run-command.ts";
import { entries, fileOf, parts } from "./parts.ts";
import { installed, type PublishedManifest } from "./published-manifest.ts";

const IMPORT = /(\bfrom\s*|\bimport\s*\(\s*|^import\s+)(["'])([^"']+)\2/gm;

/**
 * Bundled libraries whose types no user needs. The types become empty interfaces, so signatures must not name fields of
 * them: destructure such a parameter in the body.
 */
const OPAQUE = /^import (?:type )?\{([^}]*)\} from "(?:undici|@modelcontextprotocol\/(?:client|server))";$/gm;

export function writeDeclarations(outdir: string, manifest: PublishedManifest): void {
  const known = new Set(installed(manifest));
  const emitted = mkdtempSync(join(tmpdir(), "cairn-types-"));
  try {
    emit(emitted);
    const reached = new Set(entries.map(({ source }) => source));
    for (const source of reached) {
      const text = readFileSync(join(emitted, relative("packages", declarationOf(source))), "utf8");
      const target = join(outdir, relative("packages", declarationOf(source)));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(
        target,
        withoutOpaque(text).replaceAll(IMPORT, (whole, before: string, quote: string, specifier: string) => {
          const imported = sourceOf(specifier, source);
          if (imported === null) {
            if (specifier.startsWith("node:") || known.has(/^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? ""))
              return whole;
            throw new Error(`${source} publishes types of ${specifier}, which is not installed with the package.`);
          }
          reached.add(imported);
          return `${before}${quote}${relativeImport(source, imported)}${quote}`;
        }),
      );
    }
    for (const entry of entries) {
      const from = relativeImport("packages/index.ts", entry.source);
      writeFileSync(join(outdir, `${fileOf(entry)}.d.ts`), `export * from "${from}";\n`);
    }
  } finally {
    rmSync(emitted, { recursive: true, force: true });
  }
}

function withoutOpaque(text: string): string {
  return text.replaceAll(OPAQUE, (_, names: string) =>
    names
      .split(",")
      .map((name) => `interface ${name.replace(/^.*\bas\b|\btype\b/, "").trim()} {}`)
      .join("\n"),
  );
}

function emit(outDir: string): void {
  const config = join(outDir, "tsconfig.json");
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    // `npm run check` checks the types. The declarations are the same, in a third of the time.
    noCheck: true,
    rootDir: join(projectRoot, "packages"),
    typeRoots: [join(projectRoot, "node_modules/@types")],
    outDir,
  };
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(projectRoot, "tsconfig.json"),
      compilerOptions,
      include: parts.map(({ folder }) => join(projectRoot, folder, "src")),
      exclude: ["**/*.test.ts"],
    }),
  );
  if (!runCommand("tsc", ["-p", config])) throw new Error("The declarations could not be made.");
}

/** The file of this repository that an import specifier names; null for a library. */
function sourceOf(specifier: string, importer: string): string | null {
  if (specifier.startsWith(".")) return join(dirname(importer), specifier);
  for (const { folder, manifest } of parts) {
    const path = specifier === manifest.name ? "." : `.${specifier.slice(manifest.name.length)}`;
    const found = specifier.startsWith(manifest.name) ? manifest.exports[path] : undefined;
    if (found !== undefined) return join(folder, found);
  }
  return null;
}

function relativeImport(from: string, to: string): string {
  const path = relative(dirname(from), to).replace(/\.ts$/, ".js");
  return path.startsWith(".") ? path : `./${path}`;
}

function declarationOf(source: string): string {
  return source.replace(/\.ts$/, ".d.ts");
}
