/** The entry point of the `cairn` process. */
import process from "node:process";
import { runCommand } from "./run-command.ts";

// The reader of our output has gone, as with `head`, so there is nobody to report an error to.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
// Standard error only reports on the work, so an error of the stream must not end the work.
process.stderr.on("error", () => undefined);

const { stdin, stdout, stderr, env } = process;
process.exitCode = await runCommand(process.argv.slice(2), { stdin, stdout, stderr, env, cwd: process.cwd() });
