/**
 * `npm run bench:timeline`: what the engine costs as a conversation grows, compared with `JSON.stringify` of the same
 * payload in the same run, and the limits for these costs. The command ends with exit code 1 when a limit is exceeded.
 * `--json` prints `{results, bars}` and nothing else, with exit code 0. `--turns 10,100` measures other lengths; the
 * first limit then compares the longest with the second.
 */
import { parseArgs } from "node:util";
import { loadTokenizer } from "@cairn/timeline";
import { checkBars } from "./bars.ts";
import { measureCitations } from "./citation-speed.ts";
import { measureConversation } from "./conversation-cost.ts";
import { printBars, printTable } from "./table.ts";

const HEADER = `Conversations of 5 rounds a turn, about 1 KB a result, 3 new sources a turn.
append + render   one round contributed (its sources merged, its blocks counted by length / 4), then a render with the
                  sources in its tail; the round's new messages are read, of the tail only the length. The list of all
                  messages is not copied. Median over turns of the mean of a turn's five rounds.
o200k tokens      the same with the real tokenizer.
messages() copied the list of all messages copied out of a render, checkpoints set.
cold render       first render of a loaded timeline, token counts stored: every message listed and its text laid out.
load              Timeline.fromPayload of the parsed payload with its stored token counts; JSON.parse is a row of its own.
resolve           one path, by kind: the mean over twelve kinds and the slowest kind, medians over the whole conversation.
TTL prune         a whole prune of a rendered timeline whose cache has gone cold: what to cover, and covering it.
compaction cut    the plan of a forced compaction into 60,000 tokens: cut, digest and page.
heap per block    what the engine holds beside the parsed payload.
Percentages are of JSON.stringify of the same payload. Long operations: fastest of several runs, after a collection.
`;

const { values } = parseArgs({ options: { json: { type: "boolean" }, turns: { type: "string" } } });
const lengths = (values.turns ?? "10,100,1000,5000").split(",").map(Number);
if (lengths.some((turns) => !Number.isSafeInteger(turns) || turns < 1))
  throw new Error(`--turns takes whole numbers from 1, with commas between: ${values.turns}`);

const tokenizer = await loadTokenizer();
// Warm-up, so that shorter conversations, which come first, are not measured with code that is not compiled yet.
measureConversation(Math.min(200, Math.max(...lengths)), tokenizer);
const results = [...lengths.flatMap((turns) => measureConversation(turns, tokenizer)), ...measureCitations()];
const base = lengths[1] ?? lengths[0] ?? 0;
const bars = checkBars(results, base, Math.max(...lengths));

if (values.json) console.log(JSON.stringify({ results, bars }));
else {
  console.log(`${HEADER}\n${printTable(results, lengths)}\n\n${printBars(bars)}`);
  if (bars.some((bar) => !bar.ok)) process.exitCode = 1;
}
