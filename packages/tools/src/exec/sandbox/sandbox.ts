/**
 * The interface of a sandbox, which runs untrusted programs.
 *
 * A sandbox sees one folder, its stage, and may write to three parts of it: the files of the current turn, its
 * questions to the conversation, and a scratch folder. A program has no access to the network, other files, other
 * processes or environment variables. All resources are limited. When `run` returns, no process of the program is left.
 */
import type { SandboxLimits } from "../process/limits.ts";
import type { RuntimeFault } from "../process/runtime-fault.ts";
import type { Language } from "../stage/program.ts";
import type { Stage } from "../stage/stage.ts";

export type SandboxName = "bubblewrap" | "deno";

export interface SandboxJob {
  readonly language: Language;
  /** The folder with the program and all files that it may read. */
  readonly stage: Stage;
  readonly limits: SandboxLimits;
}

export interface RunOptions {
  /** Ends the program at once; `run` then throws the signal's reason. */
  readonly signal: AbortSignal;
  /** Receives standard output and error while the program runs. */
  readonly onOutput?: (chunk: Uint8Array) => void;
}

export interface SandboxRun {
  /** Why the program stopped, or null when it ran to its end. */
  readonly error: RuntimeFault | null;
  /** The end of the program's standard output and error, in order. */
  readonly log: string;
}

export type SandboxCheck =
  | { readonly ok: true; readonly detail: string }
  /** `remedy` says what to do, in one sentence. */
  | { readonly ok: false; readonly problem: string; readonly remedy: string };

export interface Sandbox {
  readonly name: SandboxName;
  /** Whether programs of a language run on this machine; determined by running one, once per process. */
  check(language: Language): Promise<SandboxCheck>;
  run(job: SandboxJob, options: RunOptions): Promise<SandboxRun>;
}
