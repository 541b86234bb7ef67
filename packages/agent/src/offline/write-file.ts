/** Writes a file with the content that the message gives. */
import { answer, type OfflineDecision, type Situation } from "./situation.ts";
import type { WantedFile } from "./wanted-file.ts";

export function writeFile(situation: Situation, { name, content }: WantedFile): OfflineDecision {
  const { phrases, turn } = situation;
  if (content === null) return answer(situation.introduced(phrases.fileNeedsContent(name)));
  const write = situation.callOf("react.write");
  const failed = write === undefined ? undefined : situation.failureOf(write);
  if (failed !== undefined) return answer(phrases.notWritten(failed));
  if (write !== undefined)
    return answer(situation.introduced(phrases.fileReady(`fi:${turn.id}.files/${name}`), phrases.iWrote));
  if (!situation.offered.has("react.write")) return answer(phrases.notWritten(phrases.noWriteTool));
  const params = { path: `${turn.id}/files/${name}`, channel: "canvas", kind: "file", content };
  return { text: phrases.writingFile, calls: [{ name: "react.write", params }] };
}
