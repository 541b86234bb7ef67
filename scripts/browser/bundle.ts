/** Bundles a package as a browser app would: ES modules, split where the code imports lazily, and no Node. */
import { basename, join } from "node:path";
import { build, type Metafile } from "esbuild";

export interface BrowserBundle {
  /** Text of each chunk by its file name. */
  readonly chunks: ReadonlyMap<string, string>;
  /** The chunk a page starts with. */
  readonly entry: string;
  /** Source files that load with the entry; what is imported lazily is not among them. */
  readonly eagerInputs: readonly string[];
  readonly inputs: readonly string[];
}

/** Rejects with esbuild's errors when an import cannot be resolved in a browser. */
export async function bundleForBrowser(root: string, entryPoint: string): Promise<BrowserBundle> {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entryPoint],
    bundle: true,
    splitting: true,
    platform: "browser",
    format: "esm",
    target: "es2023",
    outdir: join(root, "dist"),
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  const entryPath = Object.keys(metafile.outputs).find((path) => metafile.outputs[path]?.entryPoint === entryPoint);
  if (entryPath === undefined) throw new Error(`esbuild made no chunk for ${entryPoint}`);
  return {
    chunks: new Map(outputFiles.map((file) => [basename(file.path), file.text])),
    entry: basename(entryPath),
    eagerInputs: eagerInputs(metafile, entryPath),
    inputs: Object.keys(metafile.inputs),
  };
}

function eagerInputs({ outputs }: Metafile, entryPath: string): string[] {
  const eager = new Set([entryPath]);
  for (const path of eager) {
    for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement") eager.add(imported);
    }
  }
  return [...eager].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}));
}
