/** `npm start`: the web app, built if it has changed, and the server in front of it. */
import process from "node:process";
import { runCommand } from "@cairn/cli";
import { buildApp } from "@cairn/web/build";

await buildApp(() => console.log("Building the web app…"));
const { stdin, stdout, stderr, env } = process;
process.exitCode = await runCommand(["serve", ...process.argv.slice(2)], {
  stdin,
  stdout,
  stderr,
  env,
  cwd: process.cwd(),
});
