/** The meaning of exit codes, the same for every command. */
import { CairnError } from "@cairn/timeline";

export const EXIT = {
  ok: 0,
  /** The command ran and found a problem: a turn ended with an error, or a check found a defect. */
  failed: 1,
  /** The command could not start: an option, a setting or a file is invalid. */
  usage: 2,
  notFound: 3,
  /** Another process holds the lease, or a call waits for approval. The user should try again later. */
  waiting: 4,
  /** The user ended the command with Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const WAITING = new Set(["lease_held", "lease_lost", "busy"]);
const USAGE = new Set([
  ...["usage", "bad_config", "bad_setting", "bad_model_name", "bad_base_url", "bad_skill", "bad_scope"],
  ...["bad_search_setting", "bad_mcp_config", "bad_allow_list"],
  ...[
    "model_key_missing",
    "model_base_url_missing",
    "model_package_missing",
    "bad_argument",
    "bad_path",
    "unsafe_path",
  ],
  ...["conversation_exists", "bad_attachment", "read_only"],
]);

export function exitCodeOf(error: unknown): ExitCode {
  if (!CairnError.is(error)) return EXIT.failed;
  if (error.code === "not_found") return EXIT.notFound;
  if (error.code === "interrupted") return EXIT.interrupted;
  if (WAITING.has(error.code)) return EXIT.waiting;
  return USAGE.has(error.code) ? EXIT.usage : EXIT.failed;
}

/** The command was called with wrong arguments. */
export function usageError(message: string): CairnError {
  return new CairnError("usage", message);
}
