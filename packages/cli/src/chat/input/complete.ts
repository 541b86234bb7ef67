/** Completion by Tab: the name of a command, its argument, or a file. */
import { readdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { errorCode } from "@cairn/timeline";
import { plainLine } from "../../command/terminal.ts";

export interface Completion {
  /** Index in the text where the completed word begins. It ends at the cursor. */
  readonly start: number;
  /** Possible completions. An option that ends with "/" or a space can be continued directly. */
  readonly options: readonly string[];
}

export interface CompletionSource {
  readonly commands: () => Promise<readonly string[]>;
  /** The values that a command's argument may have; null for file names. */
  readonly argumentsOf: (command: string) => Promise<readonly string[] | null>;
  readonly cwd: string;
  readonly home: string | undefined;
}

export async function complete(before: string, source: CompletionSource): Promise<Completion> {
  if (/^\/[\w.-]*$/.test(before)) {
    const names = (await source.commands()).filter((name) => name.startsWith(before));
    return { start: 0, options: names.map((name) => `${name} `) };
  }
  const [, command, gap = "", argument = ""] = /^(\/\w+)(\s+)(.*)$/s.exec(before) ?? [];
  const known = command === undefined ? null : await source.argumentsOf(command);
  const word = lastWord(before).replace(/^@(?=.)/, "");
  const start = command === undefined ? before.length - word.length : command.length + gap.length;
  if (known !== null) return { start, options: known.filter((value) => value.startsWith(argument)) };
  return { start, options: await fileNames(before.slice(start), source) };
}

/** The word before the cursor. It may contain escaped spaces. */
function lastWord(text: string): string {
  return /(?:\\.|[^\s\\])*$/s.exec(text)?.[0] ?? "";
}

async function fileNames(word: string, { cwd, home }: CompletionSource): Promise<string[]> {
  if (word === "") return [];
  const given = word.replace(/\\(.)/g, "$1");
  const path = home !== undefined && given.startsWith("~/") ? join(home, given.slice(1)) : given;
  const name = given.endsWith("/") ? "" : (given.split("/").at(-1) ?? "");
  const folder = given.endsWith("/") ? path : dirname(path);
  const stem = given.slice(0, given.length - name.length);
  return (await entriesOf(resolve(cwd, folder)))
    .filter((entry) => entry.startsWith(name) && (name !== "" || !entry.startsWith(".")))
    .map((entry) => (stem + entry).replace(/[ '"()&[\]\\]/g, "\\$&"))
    .sort();
}

/** Folders end with "/". Names that a terminal cannot show unchanged, and folders that cannot be read, are left out. */
async function entriesOf(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter(({ name }) => plainLine(name) === name)
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
  } catch (error) {
    if (errorCode(error) === "") throw error;
    return [];
  }
}

/** The longest beginning that all options share. */
export function commonStart(options: readonly string[]): string {
  return options.reduce((common, option) => {
    let length = 0;
    while (length < common.length && common[length] === option[length]) length++;
    return common.slice(0, length);
  });
}
