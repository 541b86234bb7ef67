/** Runs a program that the user pasted and reports the outcome. */
import type { ProgramLanguage } from "./pasted-program.ts";
import { placeFiles } from "./place-files.ts";
import type { ReadTurn } from "./read-view.ts";
import { answer, type OfflineDecision, type Situation } from "./situation.ts";

export function runProgram(situation: Situation, language: ProgramLanguage, code: string): OfflineDecision {
  const tool = `exec_tools.execute_code_${language}`;
  const ran = situation.callOf(tool);
  if (ran !== undefined) return answer(situation.introduced(describeRun(situation, ran.id), situation.phrases.iRan));
  if (!situation.offered.has(tool)) return answer(situation.phrases.cannotRun);
  const program = placeFiles(code, situation.turn.id, readableOf(situation));
  const params = { prog_name: "program", contract: [...program.contract], code: program.code };
  return { text: situation.phrases.running, calls: [{ name: tool, params }] };
}

/** Files of the conversation by name; the newest of equal names. */
function readableOf({ timeline }: Situation): Map<string, string> {
  const paths = new Map<string, string>();
  for (const { attachments, findings } of timeline.turns) {
    for (const { path, name } of attachments) paths.set(name, physicalOf(path));
    for (const { path } of findings)
      if (path.startsWith("fi:")) paths.set(path.slice(path.lastIndexOf("/") + 1), physicalOf(path));
  }
  return paths;
}

export function physicalOf(path: string): string {
  return path
    .replace(/^fi:([\w-]+)\.user\.attachments\//, "$1/attachments/")
    .replace(/^fi:([\w-]+)\.files\//, "$1/files/");
}

function logicalOf(physical: string): string {
  return `fi:${physical.replace("/files/", ".files/")}`;
}

function describeRun({ phrases, turn }: Situation, callId: string): string {
  const failed = turn.failures.get(callId);
  if (failed !== undefined) return phrases.notRun(failed);
  const { error, files, head, log } = readRun(turn, callId);
  const parts = [error === null ? phrases.ranToEnd : phrases.endedBadly(error)];
  if (files.length > 0) parts.push(phrases.itMade(files.map((path) => `\`${path}\``).join(", ")));
  const missing = linesBelow(head, "File errors:");
  if (missing.length > 0) parts.push(`${phrases.notAsAgreed}\n${missing.map((line) => `- ${line}`).join("\n")}`);
  if (log.trim() !== "") parts.push(`${phrases.printed}\n\n${fenced(log.trimEnd())}`);
  return parts.join("\n\n");
}

/** The report of a program: how it failed, or null, and the logical paths of the files that it made. */
export function readRun(turn: ReadTurn, callId: string) {
  const report =
    turn.findings.find((finding) => finding.callId === callId && finding.path.startsWith("tc:"))?.text ?? "";
  const [head = "", log = ""] = report.split(/^Program log \(tail\):\n/m, 2);
  const error = /^Runtime error: (.*)$/m.exec(head)?.[1] ?? "none";
  return { error: error === "none" ? null : error, files: linesBelow(head, "Succeeded:").map(logicalOf), head, log };
}

function linesBelow(report: string, title: string): string[] {
  const at = report.split("\n");
  const from = at.indexOf(title);
  if (from === -1) return [];
  const rest = at.slice(from + 1);
  const end = rest.findIndex((line) => !line.startsWith("- "));
  return (end === -1 ? rest : rest.slice(0, end)).map((line) => line.slice(2));
}

/** A fence longer than any run of backticks inside the text. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
