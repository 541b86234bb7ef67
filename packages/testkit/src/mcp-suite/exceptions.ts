/** The scenarios that the client does not pass, with the reason. A scenario that passes may not be listed. */
import type { Revision } from "./run-suite.ts";

const ELICITATION = "Cairn does not answer questions of a server.";

const EXCEPTIONS: Readonly<Record<Revision, Readonly<Record<string, string>>>> = {
  "2025-06-18": {},
  "2025-11-25": { "elicitation-sep1034-client-defaults": ELICITATION },
  "2026-07-28": { "sep-2322-client-request-state": ELICITATION },
};

/** The reasons by scenario. */
export function exceptionsOf(revision: Revision): Readonly<Record<string, string>> {
  return EXCEPTIONS[revision];
}
