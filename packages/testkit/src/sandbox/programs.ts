/** The programs of the sandbox suite: the same program in each language. */
import type { Language } from "@cairn/tools/exec";

export interface SuitePrograms {
  readonly works: string;
  readonly changes: string;
  readonly throws: string;
  /** The form in which the log names the line that threw. */
  readonly place: RegExp;
  readonly malformed: string;
  readonly exits: (status: number) => string;
  readonly asks: string;
  readonly stalls: string;
  readonly says: (text: string) => string;
  readonly looksAround: string;
  readonly saysMuch: string;
}

export const PROGRAMS: Readonly<Record<Language, SuitePrograms>> = {
  python: {
    works: `
import os
text = open(os.path.join(OUTPUT_DIR, "turn_1/attachments/ein Brief.txt"), encoding="utf-8").read()
assert os.environ["OUTPUT_DIR"] == OUTPUT_DIR == os.getcwd() and __name__ == "__main__"
open("turn_1/files/made.txt", "w", encoding="utf-8").write("made of " + text)
print(text)`,
    changes: `
import os, shutil
with open(OUTPUT_DIR + "/turn_1/files/old.txt", "a") as file:
    file.write(" and new")
shutil.rmtree(OUTPUT_DIR + "/turn_1/files/deep")`,
    throws: `
def inner():
    raise ValueError("first\\nsecond")
inner()`,
    place: /File "my_program\.py", line 3, in inner\n {4}raise ValueError/,
    malformed: "def (:",
    exits: (status) => `import sys\nsys.exit(${status})`,
    asks: `
import ctx_tools
print(ctx_tools.fetch_ctx("so:sources_pool[1]")[0]["title"], ctx_tools.fetch_ctx("fi:turn_9.files/none")["error"]["code"])`,
    stalls: `
import time
open(OUTPUT_DIR + "/turn_1/files/early.txt", "w").write("early")
while True:
    time.sleep(0.05)`,
    says: (text) => `print(${JSON.stringify(text)})`,
    looksAround: `
import os, sys
print("input:", len(sys.stdin.read()))
print(dict(os.environ))`,
    saysMuch: `
print("漢字😀" * 20000)
print("the end")`,
  },
  js: {
    works: `
import { readFileSync, writeFileSync } from "node:fs";
const text = readFileSync(OUTPUT_DIR + "/turn_1/attachments/ein Brief.txt", "utf8");
if (process.env.OUTPUT_DIR !== OUTPUT_DIR || process.cwd() !== OUTPUT_DIR) throw new Error("no OUTPUT_DIR");
writeFileSync("turn_1/files/made.txt", "made of " + text);
console.log(text);`,
    changes: `
const fs = require("node:fs");
fs.appendFileSync(OUTPUT_DIR + "/turn_1/files/old.txt", " and new");
fs.rmSync(OUTPUT_DIR + "/turn_1/files/deep", { recursive: true });`,
    throws: `
function inner() {
  throw new TypeError("first\\nsecond");
}
inner();`,
    place: /my_program\.mjs:3:9/,
    malformed: "function {",
    exits: (status) => `process.exit(${status});`,
    asks: `
const rows = await ctx_tools.fetch_ctx("so:sources_pool[1]");
const { error } = await ctx_tools.fetch_ctx("fi:turn_9.files/none");
console.log(rows[0].title, error.code);`,
    stalls: `
require("node:fs").writeFileSync(OUTPUT_DIR + "/turn_1/files/early.txt", "early");
for (;;) await new Promise((resolve) => setTimeout(resolve, 50));`,
    says: (text) => `console.log(${JSON.stringify(text)});`,
    looksAround: `
let length = 0;
for await (const piece of process.stdin) length += piece.length;
console.log("input:", length);
console.log({ ...process.env });`,
    saysMuch: `
console.log("漢字😀".repeat(20000));
console.log("the end");`,
  },
};
