/** The thread in which pages are taken apart: one request at a time, answered with what `extract` gives or its error. */
import { parentPort } from "node:worker_threads";
import { CairnError } from "@cairn/timeline/error";
import { extract } from "./extract.ts";
import type { ExtractedPage, ExtractRequest } from "./page.ts";

export type ExtractReply =
  | { readonly ok: true; readonly page: ExtractedPage }
  | { readonly ok: false; readonly code: string; readonly message: string };

parentPort?.on("message", (request: ExtractRequest) => {
  extract(request).then(
    (page) => reply({ ok: true, page }),
    (error: unknown) =>
      reply({
        ok: false,
        code: CairnError.is(error) ? error.code : "unreadable_document",
        message: error instanceof Error ? error.message.slice(0, 500) : "The document could not be read.",
      }),
  );
});

function reply(message: ExtractReply): void {
  parentPort?.postMessage(message);
}
