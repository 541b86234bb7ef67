/**
 * The sandbox port: a place where a program that nobody has read can run.
 *
 * A sandbox sees one folder, its stage, of which it may write three parts: the files of the current turn, what it asks
 * of the conversation, and a scratch folder. It reaches no network, no other file, no other process and no variable of
 * the environment. Everything it uses up is limited. When `run` returns, nothing of the program is left running.
 */
import type { SandboxLimits } from "./limits.ts";
import type { Stage } from "./stage/stage.ts";

export const LANGUAGES = ["python", "js"] as const;
export type Language = (typeof LANGUAGES)[number];

export type SandboxName = "bubblewrap" | "deno";

export interface SandboxJob {
  readonly language: Language;
  /** Holds the program and everything it may read. */
  readonly stage: Stage;
  readonly limits: SandboxLimits;
}

export interface RunOptions {
  /** Ends the program at once; `run` then throws the signal's reason. */
  readonly signal: AbortSignal;
}

export interface SandboxRun {
  /** What stopped the program, or null when it ran to its end. */
  readonly error: RuntimeFault | null;
  /** The end of what the program wrote to its standard output and error, in the order it came. */
  readonly log: string;
}

type FaultCode =
  | "execution_failed"
  | "timeout"
  | "memory_limit"
  | "disk_limit"
  | "output_limit"
  | "sandbox_failed"
  | "sandbox_unavailable";

export interface RuntimeFault {
  readonly code: FaultCode;
  /** One line. */
  readonly message: string;
}

export type SandboxCheck =
  | { readonly ok: true; readonly detail: string }
  /** `remedy` says what to do about it, in one sentence. */
  | { readonly ok: false; readonly problem: string; readonly remedy: string };

export interface Sandbox {
  readonly name: SandboxName;
  /** Whether programs of a language run here; finds out by running one, once per process. */
  check(language: Language): Promise<SandboxCheck>;
  run(job: SandboxJob, options: RunOptions): Promise<SandboxRun>;
}
