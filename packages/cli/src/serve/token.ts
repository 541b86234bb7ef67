/** `cairn token`: creates a token for the server. It is printed once; only its hash is stored. */
import { readFile, rename, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { CairnError, errorCode } from "@cairn/timeline";
import { type Command, readArgs } from "../command/command.ts";
import { EXIT } from "../command/exit-code.ts";
import { writeJson } from "../command/terminal.ts";

export const token: Command = {
  summary: "create a token for the server",
  usage: [
    "token --user <name> [--project <name>] [--tenant <name>] [--operator] [--inspect] [--file <path>] [--json]",
    "",
    "  --user, --project, --tenant  the scope the token gives access to; project and tenant default to `default`",
    "  --operator                   for operators: also gives access to everybody's spending at /metrics, and to --inspect",
    "  --inspect                    also shows internal content: the inspector, the timeline and exports",
    "  --file <path>                add the token's hash to this file, which CAIRN_TOKENS can name; created if missing",
    "  --json                       print the token and its entry as one JSON line",
    "",
    "The token is printed once and stored nowhere.",
  ].join("\n"),
  run: async (args, terminal) => {
    const { values } = readArgs(args, {
      user: { type: "string" },
      project: { type: "string", default: "default" },
      tenant: { type: "string", default: "default" },
      operator: { type: "boolean", default: false },
      inspect: { type: "boolean", default: false },
      file: { type: "string" },
      json: { type: "boolean" },
    });
    if (values.user === undefined) throw new CairnError("usage", "--user is missing.");
    const { newToken } = await import("@cairn/server");
    const { tenant, project, user, operator, inspect } = { ...values, user: values.user };
    const made = newToken({ tenant, project, user, operator, inspect });
    if (values.file !== undefined) await addEntry(resolve(terminal.cwd, values.file), made.entry);
    const { stdout, stderr } = terminal;
    if (values.json === true) writeJson(stdout, made);
    else {
      stdout.write(`${made.token}\n`);
      const next =
        values.file === undefined
          ? `Entry for CAIRN_TOKENS: ${JSON.stringify(made.entry)}`
          : `CAIRN_TOKENS=${values.file}`;
      stderr.write(`${next}\n`);
    }
    return EXIT.ok;
  },
};

/** The file is replaced atomically, so that a server that reads it sees the old or the new list. */
async function addEntry(path: string, entry: object): Promise<void> {
  const list = await readList(path);
  const made = `${path}.${process.pid}.tmp`;
  await writeFile(made, `${JSON.stringify([...list, entry], null, 2)}\n`, { mode: 0o600 });
  await rename(made, path);
}

async function readList(path: string): Promise<readonly unknown[]> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw new CairnError("bad_setting", `${path} cannot be read. Check its permissions.`);
  }
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list;
  } catch {
    // Falls through to the error, which names the expected form.
  }
  throw new CairnError("bad_setting", `${path} is not a JSON list of tokens. Nothing was added.`);
}
