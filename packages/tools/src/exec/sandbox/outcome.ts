/**
 * Why a program stopped, in one line: the exceeded limit, the thrown error, or how its process ended.
 *
 * The thrown error comes from the program itself (`ask/error`), so it is untrusted: it is put on one line and cut, so
 * that it cannot imitate other parts of the report.
 */
import { constants } from "node:os";
import type { SandboxLimits } from "../process/limits.ts";
import type { RuntimeFault } from "../process/runtime-fault.ts";
import type { SupervisedEnd } from "../process/supervise.ts";
import { readLeftText } from "../stage/safe-read.ts";
import type { SandboxJob, SandboxRun } from "./sandbox.ts";

const MAX_MESSAGE_LENGTH = 500;

/** The messages of V8 and of Python when memory runs out. */
const OUT_OF_MEMORY = /JavaScript heap out of memory|Fatal JavaScript out of memory|^MemoryError/m;

export async function outcomeOf(end: SupervisedEnd, { stage, limits }: SandboxJob): Promise<SandboxRun> {
  const { fault, status, signal, log } = end;
  if (fault !== null) return { error: fault, log };
  if (status === 0) return { error: null, log };
  const said = onOneLine((await readLeftText(stage.path("ask", "error"), 8_192)) ?? "");
  if (OUT_OF_MEMORY.test(log) || said.startsWith("MemoryError"))
    return { error: { code: "memory_limit", message: said || memoryMessage(limits.memoryBytes) }, log };
  const error = said === "" ? endedBy(status, signal, limits) : { code: "execution_failed" as const, message: said };
  return { error, log };
}

function memoryMessage(bytes: number): string {
  return `The program took more than ${bytes} bytes of memory.`;
}

/** Explains how the system ended a process: by a signal, or with the number that a shell gives a signal. */
function endedBy(status: number | null, signal: string | null, { fileBytes, timeoutMs }: SandboxLimits): RuntimeFault {
  const number = signal === null ? (status ?? 0) - 128 : (constants.signals[signal as NodeJS.Signals] ?? 0);
  if (number === constants.signals.SIGXFSZ)
    return { code: "disk_limit", message: `The program wrote a file of more than ${fileBytes} bytes.` };
  if (number === constants.signals.SIGXCPU)
    return { code: "timeout", message: `The program used more than ${timeoutMs / 1000} s of the processor.` };
  if (number <= 0) return { code: "execution_failed", message: `The program ended with exit code ${status}.` };
  return { code: "execution_failed", message: `The program was ended by signal ${number}.` };
}

export function onOneLine(text: string): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, " ")
    .trim();
  return line.length > MAX_MESSAGE_LENGTH ? `${line.slice(0, MAX_MESSAGE_LENGTH).toWellFormed()}…` : line;
}
