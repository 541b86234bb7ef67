/** The outcome of a turn, for people and for programs. */
import { join } from "node:path";
import type { TurnEnd, TurnExit } from "@cairn/agent";
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { replaceCitations, type SourceRow, turnArtifacts } from "@cairn/timeline";

export interface Answer {
  readonly conversation: string;
  readonly turn_id: string;
  readonly exit: TurnExit;
  /** The text of the answer, with citations replaced by links. */
  readonly text: string;
  readonly citations: readonly { readonly sid: number; readonly title: string; readonly where: string }[];
  readonly files: readonly { readonly path: string; readonly local: string }[];
  readonly followups: readonly string[];
}

/** `folder`: OUT_DIR of the conversation. */
export async function readAnswer(
  store: ConversationStore,
  key: ConversationKey,
  folder: string,
  { turnId, end }: { readonly turnId: string; readonly end: TurnEnd },
): Promise<Answer> {
  const { state } = await store.load(key);
  const view = turnArtifacts(state, turnId);
  return {
    conversation: key.conversation,
    turn_id: turnId,
    exit: end.exit,
    // The text can cite only the rows that existed when it was written.
    text: replaceCitations(end.text, view?.citations ?? [], "markdown"),
    citations: (view?.citations ?? []).map(describeSource),
    files: (view?.files ?? [])
      .filter(({ visibility }) => visibility !== "internal")
      .flatMap(({ path, physical_path }) =>
        physical_path === null ? [] : [{ path, local: join(folder, physical_path) }],
      ),
    followups: end.followups ?? [],
  };
}

export function describeSource({ sid, title, url, artifact_path }: SourceRow): Answer["citations"][number] {
  return { sid, title: title ?? `S:${sid}`, where: url ?? artifact_path ?? "" };
}
