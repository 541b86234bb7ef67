/** Reads and checks the command line of `bench:cost`. */
import { parseArgs } from "node:util";
import type { Lowering } from "@cairn/timeline";
import type { Market } from "./cost-result.ts";
import type { Reread } from "./reread.ts";
import type { Scheme } from "./schemes.ts";

export interface SingleReplay {
  readonly trace: string;
  readonly scheme: Scheme;
  readonly market: Market;
  readonly lowering: Lowering["name"];
  readonly reread: Reread | null;
  readonly dump: string | undefined;
}

export interface CostOptions {
  readonly json: boolean;
  /** Trace files; without any, the project's own traces are used. */
  readonly traces: readonly string[];
  /** Set when one trace is replayed in one way. */
  readonly single: SingleReplay | null;
}

const STRATEGIES = ["none", "last", "seed", "economic"] as const;
const PROVIDERS = ["anthropic", "bedrock", "openai", "automatic"] as const;
const LOWERINGS = ["flat", "native"] as const;
const TTLS = ["5m", "1h", "auto"] as const;

export function parseOptions(args: readonly string[]): CostOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      trace: { type: "string", multiple: true },
      strategy: { type: "string" },
      provider: { type: "string" },
      ttl: { type: "string" },
      lowering: { type: "string" },
      prune: { type: "boolean" },
      reread: { type: "string" },
      again: { type: "boolean" },
      dump: { type: "string" },
      json: { type: "boolean" },
    },
  });
  const { trace: traces = [], json = false, strategy, provider, ttl, prune, reread, again, dump } = values;
  const { lowering } = values;
  const isSingle = [strategy, provider, ttl, lowering, prune, reread, again, dump].some((value) => value !== undefined);
  if (!isSingle) return { json, traces, single: null };
  const [trace, ...others] = traces;
  if (trace === undefined || others.length > 0) throw new Error("Name one trace: --trace FILE");
  const market = { provider: oneOf("provider", PROVIDERS, provider), ttl: oneOf("ttl", TTLS, ttl) };
  const scheme = strategy === undefined ? "economic" : oneOf("strategy", STRATEGIES, strategy);
  if (reread !== undefined && !prune) throw new Error("--reread goes with --prune");
  if (again && reread === undefined) throw new Error("--again goes with --reread");
  const back: Reread | null = prune ? { share: share(reread), how: again ? "again" : "once" } : null;
  return {
    json,
    traces,
    single: { trace, scheme, market, lowering: oneOf("lowering", LOWERINGS, lowering), reread: back, dump },
  };
}

/** The choices of an option. The first choice is the default. */
function oneOf<T extends string>(name: string, choices: readonly [T, ...T[]], value: string | undefined): T {
  const found = value === undefined ? choices[0] : choices.find((choice) => choice === value);
  if (found === undefined) throw new Error(`--${name} is one of ${choices.join(", ")}; not ${value}`);
  return found;
}

function share(text = "0"): number {
  const value = Number(text);
  if (!(value >= 0 && value <= 1)) throw new Error(`--reread takes a share from 0 to 1; not ${text}`);
  return value;
}
