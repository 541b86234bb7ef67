/**
 * An attack: a program that tries one way out and says whether it succeeded. Its control shows that it succeeds without
 * a sandbox; only then does its failure in a sandbox prove anything.
 */
import type { Language, SandboxLimits, SandboxName } from "@cairn/tools/exec";
import type { CanaryFacts } from "./canary.ts";

/**
 * The runtime for the program without a sandbox: the machine's own, or that of the Deno sandbox with every permission.
 */
export type ControlKind = "python" | "node" | "deno" | "pyodide";

export interface Attack {
  /** Name of the class of attacks. */
  readonly name: string;
  readonly language: Language;
  /**
   * Defines a function `attack` that returns a truthy value when it has succeeded. `patience`: how many seconds it
   * waits to be stopped after it has exceeded a watched limit, because a busy machine checks late.
   */
  readonly code: (canary: CanaryFacts, patience: number) => string;
  /** `code` is the whole program, which prints ESCAPED itself. */
  readonly isWhole?: true;
  readonly limits?: Partial<SandboxLimits>;
  /** Words that the report must contain; by default the program reports how it was stopped. */
  readonly expected?: readonly string[];
  /** How success is detected: by the program's output, by a file that keeps growing, or by the canary alone. */
  readonly evidence?: "heartbeat" | "canary";
  readonly control: ControlKind;
  /** The sandboxes in which the program can run; default: all. */
  readonly sandboxes?: readonly SandboxName[];
  /** An attack that tries several ways names those that succeeded; these must succeed without a sandbox. */
  readonly ways?: readonly string[];
  /** Whether the control needs rights that only root has. */
  readonly controlNeedsRoot?: true;
}

/** Limits small enough to be exceeded without harm. */
export const LIMITS_SMALL: Partial<SandboxLimits> = {
  memoryBytes: 512 * 1024 * 1024,
  processes: 32,
  fileBytes: 4 * 1024 * 1024,
  diskBytes: 16 * 1024 * 1024,
  diskEntries: 300,
  outputBytes: 1024 * 1024,
};
