// Runs one program inside a sandbox: the same file for Node and for Deno. The stage is the first argument: it has the
// name of the program in run/name, its code in run/program, and the workspace in out. Each question of the program to
// the conversation is a file in ask/, and its answer a file in answers/. If the program fails, ask/error says why.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

const base = process.argv[2];
const output = join(base, "out");
let asked = 0;

/**
 * The content at a logical path: fi:, ar:, tc:, su: or so:sources_pool[...]. An object with `path`, `mime`, and `text`
 * or `physical_path` (of a file in OUTPUT_DIR). `error` is null, or has `code` and `message`. For sources, the content
 * is the list of their rows as in timeline.json.
 */
async function fetch_ctx(path) {
  const name = `${++asked}.json`;
  const question = join(base, "ask", name);
  writeFileSync(`${question}.part`, JSON.stringify({ path }));
  renameSync(`${question}.part`, question);
  const answer = join(base, "answers", name);
  for (let pause = 1; !existsSync(answer); pause = Math.min(20, pause * 1.5))
    await new Promise((resolve) => setTimeout(resolve, pause));
  return JSON.parse(readFileSync(answer, "utf8"));
}

function fail(error) {
  const isError = error instanceof Error;
  console.error(isError ? (error.stack ?? String(error)) : error);
  let said = "The program threw something that cannot be read.";
  try {
    said = isError ? `${error.name}: ${error.message}` : String(error);
  } catch {
    // The text above is kept.
  }
  writeFileSync(join(base, "ask", "error"), said.replace(/\s+/g, " ").slice(0, 2_000));
  process.exit(1);
}

Object.assign(globalThis, {
  OUTPUT_DIR: output,
  OUT_DIR: output,
  ctx_tools: Object.freeze({ fetch_ctx }),
  require: createRequire(pathToFileURL(`${output}/`)),
});
process.env.OUTPUT_DIR = output;
process.env.OUT_DIR = output;
process.chdir(output);
if ("Deno" in globalThis)
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    fail(event.reason);
  });
process.on("uncaughtException", fail);
const name = readFileSync(join(base, "run", "name"), "utf8");
import(pathToFileURL(join(base, "run", "program", name)).href).catch(fail);
