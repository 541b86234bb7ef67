/** Runs Typst without file access: everything is passed in memory, and its working folder does not exist. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CairnError } from "@cairn/timeline/error";
import type { NodeCompiler, NodeTypstDocument } from "@myriaddreamin/typst-ts-node-compiler";
import { requirePart } from "../renderer/require-part.ts";
import { findFonts } from "./fonts.ts";

const NOWHERE = "/cairn-has-no-such-folder";
const template = readFileSync(new URL("./template.typ", import.meta.url), "utf8");

export class TypstCompiler {
  readonly #compiler: NodeCompiler;
  /** Font families for characters that a text's own font lacks. */
  readonly fallback: readonly string[];

  private constructor(compiler: NodeCompiler, fallback: readonly string[]) {
    this.#compiler = compiler;
    this.fallback = fallback;
  }

  static async create(): Promise<TypstCompiler> {
    const { NodeCompiler } = await requirePart(
      () => import("@myriaddreamin/typst-ts-node-compiler"),
      "@myriaddreamin/typst-ts-node-compiler",
    );
    const { files, fallback } = findFonts();
    const compiler = NodeCompiler.create({ workspace: NOWHERE, fontArgs: [{ fontPaths: [...files] }] });
    return new TypstCompiler(compiler, fallback);
  }

  /** Compiles the template with this data. An error is returned, because the caller may know what to leave out. */
  compileDocument(json: string, files: ReadonlyMap<string, Uint8Array>): NodeTypstDocument | CairnError {
    return this.compile(template, new Map([...files, ["/document.json", Buffer.from(json)]]));
  }

  compile(program: string, files: ReadonlyMap<string, Uint8Array>): NodeTypstDocument | CairnError {
    this.#compiler.resetShadow();
    for (const [file, bytes] of files) this.#compiler.mapShadow(join(NOWHERE, file), Buffer.from(bytes));
    const result = this.#compiler.compile({ mainFileContent: program, resetRead: true });
    if (result.result !== null && !result.hasError()) return result.result;
    const said = JSON.stringify(result.takeDiagnostics()?.shortDiagnostics ?? []);
    return new CairnError("document_failed", `The document could not be laid out: ${messageIn(said)}.`);
  }

  pdf(document: NodeTypstDocument): Uint8Array {
    return this.#compiler.pdf(document);
  }

  /** Clears caches that later documents will hardly need. */
  tidy(): void {
    this.#compiler.resetShadow();
    this.#compiler.evictCache(2);
  }
}

function messageIn(diagnostics: string): string {
  return /"message":"((?:\\.|[^"\\])*)"/.exec(diagnostics)?.[1]?.slice(0, 300) ?? "the layout engine gave no reason";
}
