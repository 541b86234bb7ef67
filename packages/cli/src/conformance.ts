/** `cairn conformance`: reads JSON lines and writes one JSON line for each, so that any program can test the engine. */
import { once } from "node:events";
import { type Command, readArgs } from "./command.ts";
import { EXIT } from "./exit-code.ts";
import { readLines } from "./lines.ts";

export const conformance: Command = {
  summary: "answer JSON lines on standard input, to test the engine from another program",
  usage: "conformance < requests.jsonl",
  run: async (args, { stdin, stdout }) => {
    readArgs(args, {});
    const { answerLine } = await import("@cairn/testkit/conformance");
    for await (const line of readLines(stdin))
      if (!stdout.write(`${await answerLine(line)}\n`)) await once(stdout, "drain");
    return EXIT.ok;
  },
};
