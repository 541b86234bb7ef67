/** The process that runs readers: takes one job at a time from its standard input and answers on its standard output. */
import { Console } from "node:console";
import { CairnError } from "@cairn/timeline/error";
import { FrameReader, frameHead } from "./frame.ts";
import { type Job, MAX_JOB_BYTES, type Reply } from "./protocol.ts";
import type { Read } from "./reader.ts";

// Libraries report on the console; standard output carries answers only.
globalThis.console = new Console(process.stderr);

const frames = new FrameReader(MAX_JOB_BYTES);

process.stdin.on("data", (chunk) => {
  for (const { json, bytes } of frames.push(chunk)) void read(json as Job, bytes).then(say);
});
// The server closed the pipe or died, so this process ends.
process.stdin.on("end", () => process.exit(0));
say({ type: "ready" });

async function read({ module, options }: Job, bytes: Uint8Array): Promise<Reply> {
  try {
    const reader = (await import(module)) as { readonly default: Read<typeof options, unknown> };
    return { type: "done", result: await reader.default(bytes, options) };
  } catch (error) {
    return { type: "failed", ...failureOf(error) };
  }
}

function say(reply: Reply): void {
  process.stdout.write(frameHead(reply, 0));
}

function failureOf(error: unknown): { readonly code: string; readonly message: string } {
  // Recursion over deeply nested content may overflow the stack. This error is caught here.
  if (error instanceof RangeError)
    return { code: "too_large", message: "The file is nested too deeply. Send a simpler file." };
  if (CairnError.is(error)) return { code: error.code, message: error.message };
  const message = error instanceof Error ? error.message.slice(0, 500) : "an unknown error";
  return { code: "unreadable", message: `The file cannot be read: ${message}` };
}
