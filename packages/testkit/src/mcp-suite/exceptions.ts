/** The scenarios that the client does not pass, with the reason. A scenario that passes may not be listed. */
import type { Revision } from "./run-suite.ts";

const EXCEPTIONS: Readonly<Record<Revision, Readonly<Record<string, string>>>> = {
  "2025-06-18": {},
  "2025-11-25": {},
  "2026-07-28": {},
};

/** The reasons by scenario. */
export function exceptionsOf(revision: Revision): Readonly<Record<string, string>> {
  return EXCEPTIONS[revision];
}
