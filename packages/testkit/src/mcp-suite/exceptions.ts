/** The scenarios that do not pass, with the reason. A scenario that passes may not be listed. */
import type { Revision } from "./run-suite.ts";

type Reasons = Readonly<Record<string, string>>;

const NO_GET_STREAM =
  "The server sends nothing outside of a request, so it offers no stream to resume. The suite does not score this scenario.";
const UNSIGNED_STATE =
  "The state of `ask` names a conversation and a turn of the caller, and the server believes nothing else of it, so it is not signed. The library passes no protocol error of a tool on, so a tool that is added for the suite cannot reject a state either.";

const EXCEPTIONS: Readonly<Record<"client" | "server", Readonly<Record<Revision, Reasons>>>> = {
  client: { "2025-06-18": {}, "2025-11-25": {}, "2026-07-28": {} },
  server: {
    "2025-06-18": {},
    "2025-11-25": { "server-sse-polling": NO_GET_STREAM },
    "2026-07-28": { "input-required-result-tampered-state": UNSIGNED_STATE },
  },
};

/** The reasons by scenario. */
export function exceptionsOf(side: "client" | "server", revision: Revision): Reasons {
  return EXCEPTIONS[side][revision];
}
