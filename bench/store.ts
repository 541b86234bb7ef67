/**
 * `npm run bench:store`: what the embedded store costs as a conversation grows, compared with other libraries that
 * store the same conversation on the same disk, and the limits for these costs. The command ends with exit code 1 when
 * a limit is exceeded. `--json` prints `{results, bars}` and nothing else, with exit code 0. `--rounds 10,100` measures
 * other lengths; the limits then compare the longest with the second and with the one before it. `CAIRN_BENCH_DIR`
 * names the folder for the data, and thereby the disk.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { rivalVersions } from "./rivals.ts";
import { checkStoreBars } from "./store/bars.ts";
import { ROUNDS_PER_TURN, WINDOW_CHARS } from "./store/conversation-script.ts";
import { measureOthers } from "./store/others-cost.ts";
import { measureReading } from "./store/reading-cost.ts";
import { StoredConversation } from "./store/stored-conversation.ts";
import { printResults } from "./store/table.ts";
import { measureWriting } from "./store/writing-cost.ts";
import { printBars } from "./table.ts";

const HEADER = `One round: 6 events, 6 KB. A turn: ${ROUNDS_PER_TURN} rounds. Window: ${WINDOW_CHARS / 4} tokens. node ${process.version}.
Everyone: WAL, synchronous=FULL, wal_autocheckpoint=4000, the log copied back at the end of what is measured.
Bytes are those handed to write calls (wchar of /proc/self/io).
store               every round durable when append returns; indexed by path, turn and words, snapshots included.
bare INSERT         the same rounds, one transaction each, into one table; alternating with the store's.
checkpointer        @langchain/langgraph-checkpoint-sqlite ${rivalVersions["@langchain/langgraph-checkpoint-sqlite"]} with @langchain/langgraph-checkpoint ${rivalVersions["@langchain/langgraph-checkpoint"]}, over node:sqlite
                    through an adapter with better-sqlite3's interface (its native addon is not installed).
                    One step a round, messages as @langchain/core makes them. Modes:
  exit              durability "exit", its fastest: one checkpoint a turn; a crash loses the turn. The bars compare with it.
  sync              durability "sync": every round durable, as the store's are.
  window            as exit, old messages removed from the state: what was said before is in older checkpoints only.
  delta             as sync, messages in a DeltaChannel (beta, snapshotFrequency 1000; the snapshots are left out).
whole file          JSON.stringify of all events, temporary file, fsync, rename; once a turn.
Only the store can search, find by path and follow.
`;

const { values } = parseArgs({ options: { json: { type: "boolean" }, rounds: { type: "string" } } });
const sizes = (values.rounds ?? "10,100,1000,10000").split(",").map(Number);
if (sizes.some((rounds, nth) => !Number.isSafeInteger(rounds) || rounds <= (sizes[nth - 1] ?? 0)))
  throw new Error(`--rounds takes whole numbers from 1, ascending, with commas between: ${values.rounds}`);

const dir = mkdtempSync(join(process.env.CAIRN_BENCH_DIR ?? tmpdir(), "cairn-bench-store-"));
try {
  for (const rounds of sizes) await StoredConversation.build(join(dir, String(rounds)), rounds);
  const results = [
    ...(await measureWriting(dir, sizes)),
    ...(await measureReading(dir, sizes)),
    ...(await measureOthers(dir, sizes)),
  ];
  const bars = checkStoreBars(results, sizes);
  if (values.json) console.log(JSON.stringify({ results, bars }));
  else {
    console.log(`${HEADER}\n${printResults(results, sizes)}\n\n${printBars(bars)}`);
    if (bars.some((bar) => !bar.ok)) process.exitCode = 1;
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}
