/** `npm run format`: formats the code and applies the linter's automatic fixes. */
import { installCheckers } from "@cairn/testkit/checkers";
import { runCommand } from "./run-command.ts";

if (!installCheckers() || !runCommand("biome", ["check", "--write", "."])) process.exitCode = 1;
