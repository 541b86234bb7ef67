/** The process that makes documents: reads a job, asks for what it names, and answers with the document. */
import { CairnError } from "@cairn/timeline/error";
import type { Supplied } from "../model/supplied.ts";
import { makeDocument } from "./make-document.ts";
import { type FromProcess, toProcess } from "./protocol.ts";

let supplied: ((supply: Supplied) => void) | null = null;

function say(message: FromProcess): void {
  process.send?.(message);
}

process.on("message", async (message: unknown) => {
  const heard = toProcess.parse(message);
  if (heard.type === "supply") {
    supplied?.({ images: new Map(heard.images), sources: new Map(heard.sources) });
    return;
  }
  try {
    const document = await makeDocument(heard.request, (images, sids) => {
      const { promise, resolve } = Promise.withResolvers<Supplied>();
      supplied = resolve;
      say({ type: "needs", images: [...images], sids: [...sids] });
      return promise;
    });
    say({ type: "done", document });
  } catch (error) {
    say({ type: "failed", ...failureOf(error) });
  }
});

// The pipe to the owner is closed, so this process ends.
process.on("disconnect", () => process.exit(0));
say({ type: "ready" });

function failureOf(error: unknown): { code: string; message: string } {
  if (CairnError.is(error)) return { code: error.code, message: error.message };
  // Code that reads nested content is recursive and may overflow the stack.
  if (error instanceof RangeError)
    return { code: "document_too_complex", message: "The document cannot be made: it is nested too deeply." };
  const message = error instanceof Error ? error.message : "an unknown error";
  return { code: "document_failed", message: `The document could not be made: ${message.slice(0, 500)}` };
}
