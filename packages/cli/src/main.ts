/** The `cairn` process. */
import process from "node:process";
import { runCommand } from "./run-command.ts";

// Whoever read our output has gone, as `head` does: there is nobody left to tell.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
// What goes there is about the work, and not worth ending it.
process.stderr.on("error", () => undefined);

const { stdin, stdout, stderr, env } = process;
process.exitCode = await runCommand(process.argv.slice(2), { stdin, stdout, stderr, env, cwd: process.cwd() });
