/** Outcomes of calls and cited sources, as chunks of a UI message. */
import type { RoundView, SourceRow } from "@cairn/timeline";
import { roundOutput } from "cairn-agent/turns";
import type { UiChunk } from "./ui-chunk.ts";

/** Marks a tool that the server runs, so that the client only shows it. Tools that the client runs have no mark. */
export function runBy(isClient: boolean | undefined): { readonly providerExecuted?: true } {
  return isClient === true ? {} : { providerExecuted: true };
}

export function sourceChunk({ sid, url, title, mime, artifact_path }: SourceRow): UiChunk {
  const sourceId = String(sid);
  const named = title ?? url ?? artifact_path ?? `S:${sid}`;
  if (url !== undefined && /^https?:/i.test(url)) return { type: "source-url", sourceId, url, title: named };
  return { type: "source-document", sourceId, mediaType: mime ?? "text/plain", title: named, filename: named };
}

/**
 * The outcome of a call. The output is the tool's result: a value if it is JSON, otherwise its text. A failed call
 * becomes an error with its output, even if the journal says `ok`, as for a program that exited with an error.
 */
export function outcomeOf(round: RoundView): UiChunk {
  const { call_id: toolCallId, error, outcome, results, files, traits } = round;
  const by = runBy(traits.client);
  if (outcome?.kind === "refused") return { type: "tool-output-denied", toolCallId };
  if (outcome?.kind === "failed") {
    const why = error === null ? (outcome.reason ?? "The call failed.") : `${error.code}: ${error.message}`;
    const texts = results.map(({ text }) => text);
    const errorText = (texts[0]?.includes(why) === true ? texts : [why, ...texts]).join("\n\n");
    return { type: "tool-output-error", toolCallId, errorText, ...by };
  }
  const toolMetadata = {
    ...(outcome?.kind === "partly_failed" ? { partly_failed: outcome.reason } : {}),
    ...(results.some(({ cut }) => cut) ? { cut: true } : {}),
    ...(files.length === 0
      ? {}
      : { files: files.map(({ path, name, mime, version }) => ({ path, name, mime, version })) }),
  };
  const more = Object.keys(toolMetadata).length === 0 ? {} : { toolMetadata };
  return { type: "tool-output-available", toolCallId, output: roundOutput(results), ...more, ...by };
}
