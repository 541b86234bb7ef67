/** `npm run -s conformance`: the driver on standard input and output. */
import { once } from "node:events";
import { answerLine } from "./driver.ts";
import { readLines } from "./lines.ts";

for await (const line of readLines(process.stdin))
  if (!process.stdout.write(`${await answerLine(line)}\n`)) await once(process.stdout, "drain");
