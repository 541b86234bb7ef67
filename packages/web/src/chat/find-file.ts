/** The file at a logical path among the loaded turns; the latest write to it. */
import type { FileView, TurnView } from "@cairn/timeline";

export function findFile(turns: readonly TurnView[], path: string): FileView | null {
  const wanted = path.replace(/@v\d+$/, "");
  for (const turn of turns.toReversed()) {
    const files = [...turn.files, ...turn.attachments, ...turn.inputs.flatMap((input) => input.attachments)];
    const file = files.find((each) => each.path === wanted);
    if (file !== undefined) return file;
  }
  return null;
}
