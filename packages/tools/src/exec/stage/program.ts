/** Writes a program to the stage under the given name, together with the runners of all sandboxes. */
import { readFile } from "node:fs/promises";
import type { Stage } from "./stage.ts";

const RUNNERS = ["run.py", "run.mjs", "run-pyodide.mjs"] as const;

export const LANGUAGES = ["python", "js"] as const;
export type Language = (typeof LANGUAGES)[number];

export interface Program {
  readonly language: Language;
  readonly code: string;
  /** Name of the program in tracebacks. */
  readonly name: string;
}

export async function stageProgram(stage: Stage, { language, code, name }: Program): Promise<void> {
  for (const runner of RUNNERS) await stage.write(`run/${runner}`, await readRunner(runner));
  const file = `${fileName(name)}.${language === "python" ? "py" : "mjs"}`;
  await stage.write(`run/program/${file}`, code.toWellFormed());
  await stage.write("run/name", file);
}

/** A name as one segment of a path, without characters that would look odd in a traceback. */
function fileName(name: string): string {
  const plain = name.normalize("NFC").replaceAll(/[^\p{L}\p{N}_-]+/gu, "_");
  return plain.slice(0, 60) || "main";
}

const runners = new Map<string, Promise<string>>();

export function readRunner(name: string): Promise<string> {
  const known = runners.get(name) ?? readFile(new URL(`../runners/${name}`, import.meta.url), "utf8");
  runners.set(name, known);
  return known;
}
