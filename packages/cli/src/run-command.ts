/** Finds and runs the command, and prints one line if it fails; returns the exit code. */
import { CairnError } from "@cairn/timeline";
import manifest from "../package.json" with { type: "json" };
import type { Command } from "./command/command.ts";
import { EXIT, type ExitCode, exitCodeOf } from "./command/exit-code.ts";
import { auditCommand, takeScope } from "./command/scope-option.ts";
import { paint, type Terminal, writeJson } from "./command/terminal.ts";
import { COMMANDS } from "./commands.ts";

export async function runCommand(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [name = "help", ...given] = args;
  if (name === "--version" || name === "-v") {
    terminal.stdout.write(`${manifest.version}\n`);
    return EXIT.ok;
  }
  if (name === "help" || name === "--help" || name === "-h") return await help(given[0], terminal);
  const command = await findCommand(name);
  if (command === null) {
    terminal.stderr.write(`cairn: there is no command ${JSON.stringify(name)}. Run cairn help for a list.\n`);
    return EXIT.usage;
  }
  if (given.includes("--help") || given.includes("-h")) return await help(name, terminal);
  try {
    const { rest, ...scoped } = takeScope(given);
    const place = { ...terminal, ...scoped };
    await auditCommand(name, command, rest, place);
    return await command.run(rest, place);
  } catch (error) {
    return report(error, name, given.includes("--json"), terminal);
  }
}

async function findCommand(name: string): Promise<Command | null> {
  return Object.hasOwn(COMMANDS, name) ? ((await COMMANDS[name]?.()) ?? null) : null;
}

async function help(name: string | undefined, { stdout }: Terminal): Promise<ExitCode> {
  const command = name === undefined ? null : await findCommand(name);
  if (command !== null) {
    stdout.write(`cairn ${command.usage}\n`);
    return EXIT.ok;
  }
  const lines = await Promise.all(
    Object.entries(COMMANDS).map(async ([each, load]) => `  ${each.padEnd(13)} ${(await load()).summary}`),
  );
  stdout.write(
    `cairn <command>\n\n${lines.join("\n")}\n\nRun cairn help <command> for details.\nEvery command accepts --scope <tenant>/<project>/<user>, the owner of the conversations.\n`,
  );
  return EXIT.ok;
}

/** Codes of data folder errors for which only a check of the folder can tell what to do. */
const ASK_DOCTOR = new Set(["read_only", "io"]);

/** A typed error is shown in one line. Any other error is a bug, and its stack helps to find it. */
function report(error: unknown, command: string, json: boolean, { stderr, stdout }: Terminal): ExitCode {
  const known = CairnError.is(error);
  if (json && known) writeJson(stdout, { error: { code: error.code, message: error.message, details: error.details } });
  const message = known ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error);
  stderr.write(`${paint(stderr, "red", "cairn:")} ${message}\n`);
  if (known && error.code === "usage") stderr.write(`Run cairn help ${command} for its usage.\n`);
  if (known && ASK_DOCTOR.has(error.code)) stderr.write("Run cairn doctor to find out what to do.\n");
  return exitCodeOf(error);
}
