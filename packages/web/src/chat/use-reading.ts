/** The data that texts of the open conversation need: the sources they cite and the files they name. */
import type { FileView, TurnView } from "@cairn/timeline";
import { useMemo } from "react";
import { fileAddress } from "../api/client.ts";
import type { Reading } from "../markdown/reading-context.ts";
import { useApp } from "../state/app-state.ts";
import { wantSource } from "../state/find-sources.ts";
import { sessionOf } from "../state/open-session.ts";

/** The functions must stay the same, because new functions would re-render every text. */
export function useReading(
  conversationId: string,
  openFile: (file: FileView, claim?: string) => void,
  openSource?: Reading["openSource"],
): Reading {
  const sources = useApp((state) => state.session?.view.sources);
  return useMemo(() => {
    const bySid = new Map((sources ?? []).map((row) => [row.sid, row]));
    const fileAt = (path: string) => findFile(sessionOf(conversationId)?.view.turns ?? [], path);
    return {
      source: (sid) => bySid.get(sid),
      wantSource: (sid) => wantSource(conversationId, sid),
      openFile: (path, claim) => {
        const file = fileAt(path);
        if (file !== null) openFile(file, claim);
      },
      ...(openSource === undefined ? {} : { openSource }),
      fileSource: (path) => {
        const file = fileAt(path);
        return file === null || file.physical_path === null
          ? null
          : fileAddress(conversationId, file.physical_path, file.version);
      },
    };
  }, [sources, conversationId, openFile, openSource]);
}

/** The file at a logical path in the loaded turns, in its latest version. */
function findFile(turns: readonly TurnView[], path: string): FileView | null {
  const wanted = path.replace(/@v\d+$/, "");
  for (const turn of turns.toReversed()) {
    const files = [...turn.files, ...turn.attachments, ...turn.inputs.flatMap((input) => input.attachments)];
    const file = files.find((each) => each.path === wanted);
    if (file !== undefined) return file;
  }
  return null;
}
