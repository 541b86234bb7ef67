/**
 * `npm run bench:cost`: what conversations cost under ways of using prompt caches, by the providers' published rules
 * and prices. Every conversation is replayed as real turns over a socket, and the requests on the socket are priced.
 * Ends with exit code 1 when a limit is passed.
 *
 * `--json` prints `{results, bars}` and nothing else, and always ends with exit code 0. `--trace FILE` (may be
 * repeated) prices other conversations than those of `bench/traces`. `--trace FILE --strategy none|last|seed|economic
 * --provider anthropic|bedrock|openai|automatic --ttl 5m|1h|auto [--lowering flat|native] [--prune [--reread 0.6
 * [--again]]] --dump FILE` replays one conversation in one way and writes its requests, one a line: `{"t", "blocks":
 * [{"hash", "tokens", "kind"}], "breakpoints": [{"i", "ttl"}]}`.
 */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { priceRequests } from "@cairn/testkit/cache";
import { loadTokenizer, PROVIDERS } from "@cairn/timeline";
import { checkBars, yardstickBars } from "./cost/bars.ts";
import { type CostResult, MARKETS } from "./cost/cost-result.ts";
import { measureTrace } from "./cost/measure.ts";
import { parseOptions, type SingleReplay } from "./cost/options.ts";
import { rememberCounts } from "./cost/remember-counts.ts";
import { replay } from "./cost/replay.ts";
import { REREADS } from "./cost/reread.ts";
import { applyScheme, SCHEME_NOTES, SCHEMES, strategyOf } from "./cost/schemes.ts";
import { printBars, printTraces } from "./cost/table.ts";
import { readTrace } from "./cost/trace.ts";

const HEADER = `Thousands of base input tokens, and the ratio to the lower bound of the un-pruned conversation: every stable token
written once and read while it lives, the tail paid in full. Prices and rules as of ${PROVIDERS.anthropic.published}; tokens by o200k.
${SCHEMES.map((scheme) => `${scheme.padEnd(15)}${SCHEME_NOTES[scheme]}`).join("\n")}
pruned         economic, with large results of finished turns removed where that pays, and more when the cache is cold;
               of what was removed a share may be read back, by a round of its own in the next turn: each content
               once, or again whenever its copy was removed, too
`;

const countTokens = rememberCounts(await loadTokenizer());
const options = parseOptions(process.argv.slice(2));
if (options.single === null) await priceAll(options.traces, options.json);
else await replayOne(options.single);

async function priceAll(given: readonly string[], json: boolean): Promise<void> {
  const own = ["short", "mixed", "long"].map((name) => join(import.meta.dirname, "traces", `trace-${name}.json`));
  const files = given.length === 0 ? own : given;
  const results = (await Promise.all(files.map(files.length === 1 ? priceTrace : priceInChild))).flat();
  const bars = [...checkBars(results), ...(given.length === 0 ? yardstickBars(results) : [])];
  if (json) console.log(JSON.stringify({ results, bars }));
  else {
    console.log(`${HEADER}\n${printTraces(results)}\n\n${printBars(bars)}`);
    if (bars.some((bar) => !bar.ok)) process.exitCode = 1;
  }
}

function priceTrace(file: string): Promise<CostResult[]> {
  return measureTrace({ name: nameOf(file), trace: readTrace(file) }, MARKETS, REREADS, countTokens);
}

/** Each trace has its own process, because traces do not depend on each other. */
async function priceInChild(file: string): Promise<CostResult[]> {
  const args = [import.meta.filename, "--json", "--trace", file];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 10_000_000 });
  return (JSON.parse(stdout) as { results: CostResult[] }).results;
}

async function replayOne({ trace: file, scheme, market, lowering, reread, dump }: SingleReplay): Promise<void> {
  const rules = PROVIDERS[market.provider];
  const memory = { strategy: strategyOf(scheme), ttl: market.ttl };
  const replayed = await replay(readTrace(file), { provider: market.provider, memory, reread, countTokens, lowering });
  const requests = replayed.requests.map((request) => applyScheme(scheme, rules, request));
  if (dump !== undefined) writeFileSync(dump, requests.map((request) => `${JSON.stringify(request)}\n`).join(""));
  const { undeclaredResets } = replayed;
  console.log(
    JSON.stringify({
      trace: nameOf(file),
      scheme,
      ...market,
      lowering,
      reread,
      undeclaredResets,
      ...priceRequests(requests, rules),
    }),
  );
}

function nameOf(file: string): string {
  return basename(file, ".json").replace(/^trace-/, "");
}
