/** The entry point of the `cairn` process. */
import process from "node:process";
import { runCommand } from "./run-command.ts";

// The program that reads the output has ended, as `head` does, so an error would reach nobody.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
// Errors of standard error are ignored, because its messages are only about the work.
process.stderr.on("error", () => undefined);

const { stdin, stdout, stderr, env } = process;
process.exitCode = await runCommand(process.argv.slice(2), { stdin, stdout, stderr, env, cwd: process.cwd() });
