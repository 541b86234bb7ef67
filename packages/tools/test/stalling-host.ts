/** For a test that kills it: runs a program that never ends, and prints its stage once it is running. */
import { setTimeout as pause } from "node:timers/promises";
import { bubblewrapSandbox } from "../src/exec/bubblewrap/bubblewrap.ts";
import { denoSandbox } from "../src/exec/deno/deno.ts";
import { DEFAULT_LIMITS } from "../src/exec/process/limits.ts";
import { stageProgram } from "../src/exec/stage/program.ts";
import { readLeftText } from "../src/exec/stage/safe-read.ts";
import { Stage } from "../src/exec/stage/stage.ts";

const [name, language] = process.argv.slice(2);
const sandbox = name === "deno" ? denoSandbox() : bubblewrapSandbox();
const stage = await Stage.create("turn_1");
const code =
  language === "js"
    ? 'require("fs").writeFileSync(OUTPUT_DIR + "/turn_1/files/up", "up"); setInterval(() => {}, 1000);'
    : 'open(OUTPUT_DIR + "/turn_1/files/up", "w").write("up")\nimport time\nwhile True: time.sleep(1)';
const job = { language: language === "js" ? "js" : "python", stage, limits: DEFAULT_LIMITS } as const;
await stageProgram(stage, { language: job.language, code, name: "stall" });
const running = sandbox.run(job, { signal: new AbortController().signal });
while ((await readLeftText(stage.path(stage.filesFolder, "up"), 10)) !== "up") await pause(20);
process.stdout.write(`${stage.root}\n`);
await running;
await stage[Symbol.asyncDispose]();
