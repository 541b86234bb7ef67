/** Programs written by a model, run in a sandbox. */

export { bubblewrapSandbox } from "./bubblewrap/bubblewrap.ts";
export {
  type ChosenSandbox,
  type DescribedSandbox,
  describeSandboxes,
  parseSandboxSetting,
  SANDBOX_SETTINGS,
  type SandboxOptions,
  type SandboxSetting,
  sandboxChooser,
} from "./choose-sandbox.ts";
export { type DenoOptions, denoSandbox } from "./deno/deno.ts";
export { locateDeno } from "./deno/locate.ts";
export { type ExecOptions, execTools } from "./exec-tools.ts";
export { DEFAULT_LIMITS, type SandboxLimits } from "./process/limits.ts";
export type { RuntimeFault } from "./process/runtime-fault.ts";
export type { RunOptions, Sandbox, SandboxCheck, SandboxJob, SandboxName, SandboxRun } from "./sandbox/sandbox.ts";
export { type AnswerQuestion, answerQuestions } from "./stage/answer-questions.ts";
export type { Language } from "./stage/program.ts";
export { type Program, stageProgram } from "./stage/program.ts";
export { Stage } from "./stage/stage.ts";
