/** The thread of a corpus: answers calls one after the other, each with its number, until it is asked to end. */
import { parentPort, workerData } from "node:worker_threads";
import { sharedReaders } from "@cairn/agent/reader";
import { CairnError } from "@cairn/timeline/error";
import type { SearchRequest } from "../search/search-provider.ts";
import { CorpusIndex, type CorpusIndexOptions } from "./corpus-index.ts";

export type CorpusCall =
  | { readonly id: number; readonly method: "search"; readonly request: SearchRequest }
  | { readonly id: number; readonly method: "open"; readonly url: string }
  | { readonly id: number; readonly method: "titles" }
  | { readonly id: number; readonly method: "sync" }
  | { readonly id: number; readonly method: "close" };

export type CorpusReply =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly code: string; readonly message: string };

const index = new CorpusIndex(workerData as CorpusIndexOptions);

parentPort?.on("message", (call: CorpusCall) => {
  run(call).then(
    (value) => {
      reply({ id: call.id, ok: true, value });
      if (call.method === "close") parentPort?.close();
    },
    (error: unknown) =>
      reply({
        id: call.id,
        ok: false,
        code: CairnError.is(error) ? error.code : "corpus_failed",
        message:
          error instanceof Error ? `The corpus cannot be searched: ${error.message}` : "The corpus cannot be searched.",
      }),
  );
});

async function run(call: CorpusCall): Promise<unknown> {
  switch (call.method) {
    case "search":
      return index.search(call.request);
    case "open":
      return index.open(call.url);
    case "titles":
      return index.titles();
    case "sync":
      return index.sync();
    case "close":
      await index.close();
      // The readers of this thread are closed, so that it ends with no work left.
      await sharedReaders.close();
      return null;
  }
}

function reply(message: CorpusReply): void {
  parentPort?.postMessage(message);
}
