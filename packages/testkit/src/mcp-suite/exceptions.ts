/**
 * The scenarios of the official suite that fail, each with the reason. The suite also fails if a listed scenario
 * passes, so that the list stays current.
 */
import type { Revision } from "./run-suite.ts";

type Reasons = Readonly<Record<string, string>>;

const NO_GET_STREAM =
  "The server sends nothing outside of a request, so it offers no stream to resume. The suite does not score this scenario.";

const EXCEPTIONS: Readonly<Record<"client" | "server", Readonly<Record<Revision, Reasons>>>> = {
  client: { "2025-06-18": {}, "2025-11-25": {}, "2026-07-28": {} },
  server: {
    "2025-06-18": {},
    "2025-11-25": { "server-sse-polling": NO_GET_STREAM },
    "2026-07-28": {},
  },
};

/** The expected failures of the official suite, with their reasons, by scenario. */
export function exceptionsOf(side: "client" | "server", revision: Revision): Reasons {
  return EXCEPTIONS[side][revision];
}
