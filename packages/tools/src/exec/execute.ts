/**
 * Runs one program and writes its outcome to the timeline.
 *
 * The program runs on its own stage. However it ends, the existing files of its contract are kept, and the report
 * describes the rest. Whatever a program does, its call settles as `ok`.
 */
import { type KeptFile, keepFile, type Scribe, type Settlement, type Skill, type ToolContext } from "@cairn/agent";
import { type ExecOutcome, execReport, rewriteNotice } from "@cairn/timeline";
import type { ChooseSandbox } from "./choose-sandbox.ts";
import { fetchContext } from "./fetch-context.ts";
import { LiveOutput } from "./live-output.ts";
import type { SandboxLimits } from "./process/limits.ts";
import { onOneLine } from "./sandbox/outcome.ts";
import type { Sandbox, SandboxRun } from "./sandbox/sandbox.ts";
import type { Slots } from "./slots.ts";
import { answerQuestions } from "./stage/answer-questions.ts";
import { type ContractFile, readContract } from "./stage/contract.ts";
import { filesBesides, filesOnStage, type HarvestedFile, harvest } from "./stage/harvest.ts";
import type { Language } from "./stage/program.ts";
import { stageProgram } from "./stage/program.ts";
import { Stage } from "./stage/stage.ts";
import { stageInputs } from "./stage/stage-inputs.ts";
import { stageSkills } from "./stage/stage-skills.ts";

export interface ExecuteParams {
  readonly code: string;
  readonly contract: readonly string[];
  readonly prog_name: string;
}

export interface ExecuteOptions {
  readonly language: Language;
  readonly limits: SandboxLimits;
  readonly choose: ChooseSandbox;
  readonly slots: Slots;
  readonly skills: readonly Skill[];
}

/** The outcome of a run, before anything is written. */
interface Executed {
  readonly run: SandboxRun;
  readonly files: readonly HarvestedFile[];
  readonly besides: readonly string[];
}

export async function execute(
  params: ExecuteParams,
  options: ExecuteOptions,
  context: ToolContext,
): Promise<Settlement> {
  const contract = readContract(params.contract, context.turnId);
  const chosen = await options.choose(options.language);
  const executed =
    chosen.sandbox === null
      ? notRun(contract, chosen.problem)
      : await options.slots.run(
          context.owner,
          () => runOnStage(chosen.sandbox, params, contract, options, context),
          context.signal,
        );
  const kept: KeptFile[] = [];
  for (const file of executed.files) {
    if (!file.ok) continue;
    const { physical, logical } = file.file;
    kept.push(
      await keepFile(
        { physical, logical, bytes: file.bytes, visibility: "external", seen: context.sourcesAtStart },
        context,
      ),
    );
  }
  return (scribe) => settle(scribe, contract, executed, kept);
}

async function runOnStage(
  sandbox: Sandbox,
  { code, prog_name }: ExecuteParams,
  contract: readonly ContractFile[],
  { language, limits, skills }: ExecuteOptions,
  context: ToolContext,
): Promise<Executed> {
  await using stage = await Stage.create(context.turnId);
  await stageInputs(stage, code, context);
  await stageSkills(stage, code, skills);
  await stageProgram(stage, { language, code, name: prog_name });
  const before = await filesOnStage(stage);
  context.progress(`Running ${prog_name} in ${sandbox.name}.`);
  using output = new LiveOutput((lines) => context.progress(lines));
  context.ifStopped?.((scribe) =>
    scribe.result(execReport({ runtime_error: STOPPED, log: output.tail }), "text/markdown"),
  );
  const ended = new AbortController();
  const answering = answerQuestions(stage, (path) => fetchContext(path, stage, context), ended.signal);
  const run = await sandbox
    .run({ language, stage, limits }, { signal: context.signal, onOutput: (chunk) => output.push(chunk) })
    .catch((error: unknown) => sandboxFailed(error, context))
    .finally(() => ended.abort());
  await answering;
  const files = await harvest(stage, contract, before, limits);
  return { run, files, besides: await filesBesides(stage, contract, before) };
}

const STOPPED = { code: "tool_cancelled", message: "The program was stopped before it ended." };

/** The outcome for a sandbox that worked when it was chosen but fails now. */
function sandboxFailed(error: unknown, { signal }: ToolContext): SandboxRun {
  signal.throwIfAborted();
  const message = onOneLine(error instanceof Error ? error.message : String(error));
  return { error: { code: "sandbox_failed", message }, log: "" };
}

function notRun(contract: readonly ContractFile[], problem: string): Executed {
  const message = `The program was not run, as there is no sandbox to run it in. ${problem}`;
  const files = contract.map((file): HarvestedFile => {
    const path = file.ok ? file.physical : file.given;
    return { ok: false, path, reason: file.ok ? "file not produced" : file.reason };
  });
  return { run: { error: { code: "sandbox_unavailable", message }, log: "" }, files, besides: [] };
}

const LISTED_BESIDES = 20;

function settle(
  scribe: Scribe,
  contract: readonly ContractFile[],
  { run, files, besides }: Executed,
  kept: readonly KeptFile[],
): void {
  for (const file of contract) {
    if (!file.ok || !file.rewritten) continue;
    const { code, message, ...data } = rewriteNotice(file.given.slice(0, 500), file.physical);
    scribe.notice(code, message, data);
  }
  if (besides.length > 0) {
    const listed = besides.slice(0, LISTED_BESIDES).map((path) => JSON.stringify(path));
    const more = besides.length > listed.length ? ` and ${besides.length - listed.length} more` : "";
    const message = `The program also wrote ${listed.join(", ")}${more}. Files that the contract does not name are not kept.`;
    scribe.notice("tool_call_warning.outside_contract", message);
  }
  const claimed = kept.map((file) => file.claim());
  let at = 0;
  const reported = files.map((file) => {
    if (!file.ok) return { path: file.path, ok: false, error: file.reason };
    const path = file.file.physical;
    return claimed[at++] === true
      ? { path, ok: true }
      : { path, ok: false, error: "a later call already wrote this file, so this program's version was discarded" };
  });
  const outcome: ExecOutcome = { runtime_error: run.error, files: reported, log: run.log };
  scribe.result(execReport(outcome), "text/markdown");
  for (const [index, file] of kept.entries()) if (claimed[index] === true) file.write(scribe);
}
