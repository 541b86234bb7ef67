/**
 * An attack: a program that tries one way out and says whether it got there. Without a sandbox it does, which its
 * control shows; that is what makes its failure in a sandbox worth something.
 */
import type { Language, SandboxLimits, SandboxName } from "@cairn/tools/exec";
import type { CanaryFacts } from "./canary.ts";

/** What runs the program without a sandbox: the machine's own, or what the Deno sandbox runs, with every permission. */
export type ControlKind = "python" | "node" | "deno" | "pyodide";

export interface Attack {
  /** The class of attack. */
  readonly name: string;
  readonly language: Language;
  /**
   * Defines a function `attack` that gives something true when it has succeeded. `patience` is for how many seconds it
   * waits to be stopped once it has passed a limit that is watched: a busy machine looks late.
   */
  readonly code: (canary: CanaryFacts, patience: number) => string;
  /** The whole program is in `code`, which prints ESCAPED by itself. */
  readonly isWhole?: true;
  readonly limits?: Partial<SandboxLimits>;
  /** What the report has to say; by default the program tells itself how it was held. */
  readonly expected?: readonly string[];
  /** How success is told: by the program's own word, by a file that goes on growing, or by the canary alone. */
  readonly evidence?: "heartbeat" | "canary";
  readonly control: ControlKind;
  /** The sandboxes in which the program can be tried at all; every one by default. */
  readonly sandboxes?: readonly SandboxName[];
  /** An attack that tries several ways names those that succeeded; without a sandbox these have to. */
  readonly ways?: readonly string[];
  /** The control needs rights that only root has. */
  readonly controlNeedsRoot?: true;
}

/** Limits small enough to be passed without harm. */
export const LIMITS_SMALL: Partial<SandboxLimits> = {
  memoryBytes: 512 * 1024 * 1024,
  processes: 32,
  fileBytes: 4 * 1024 * 1024,
  diskBytes: 16 * 1024 * 1024,
  diskEntries: 300,
  outputBytes: 1024 * 1024,
};
