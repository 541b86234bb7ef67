/** Runs a program that the user pasted and reports the outcome. */
import { placeFiles } from "./place-files.ts";
import { answer, type OfflineDecision, type Situation } from "./situation.ts";

export type ProgramLanguage = "python" | "js";

const I_RAN =
  "_I am Cairn's offline model: I ran your program in a sandbox, its file names put where files are, and judge nothing of it._";

export function runProgram(situation: Situation, language: ProgramLanguage, code: string): OfflineDecision {
  const tool = `exec_tools.execute_code_${language}`;
  const ran = situation.callOf(tool);
  if (ran !== undefined) return answer(situation.introduced(describeRun(situation, ran.id), I_RAN));
  if (!situation.offered.has(tool)) return answer(`I cannot run programs here: there is no tool for it.`);
  const program = placeFiles(code, situation.turn.id, readableOf(situation));
  const params = { prog_name: "program", contract: [...program.contract], code: program.code };
  return { text: "I run it.", calls: [{ name: tool, params }] };
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

function physicalOf(path: string): string {
  return path
    .replace(/^fi:([\w-]+)\.user\.attachments\//, "$1/attachments/")
    .replace(/^fi:([\w-]+)\.files\//, "$1/files/");
}

function logicalOf(physical: string): string {
  return `fi:${physical.replace("/files/", ".files/")}`;
}

function describeRun({ turn }: Situation, callId: string): string {
  const failed = turn.failures.get(callId);
  if (failed !== undefined) return `The program was not run: ${failed}`;
  const report =
    turn.findings.find((finding) => finding.callId === callId && finding.path.startsWith("tc:"))?.text ?? "";
  const [head = "", log = ""] = report.split(/^Program log \(tail\):\n/m, 2);
  const error = /^Runtime error: (.*)$/m.exec(head)?.[1] ?? "none";
  const parts = [error === "none" ? "The program ran to its end." : `The program did not end well: ${error}`];
  const files = linesBelow(head, "Succeeded:");
  if (files.length > 0) parts.push(`It made ${files.map((path) => `\`${logicalOf(path)}\``).join(", ")}.`);
  const missing = linesBelow(head, "File errors:");
  if (missing.length > 0) parts.push(`Not as agreed:\n${missing.map((line) => `- ${line}`).join("\n")}`);
  if (log.trim() !== "") parts.push(`It printed:\n\n${fenced(log.trimEnd())}`);
  return parts.join("\n\n");
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
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
