/** The answer of a turn that has ended, as a person sees it. */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { CairnError, extractCitations, replaceCitations } from "@cairn/timeline";
import { readView } from "cairn-agent/turns";

export interface TurnAnswer {
  readonly turn: string;
  readonly exit: string | null;
  /** The answer with citations replaced by links; if the turn failed, the reason. */
  readonly text: string;
  readonly citations: readonly { readonly sid: number; readonly title: string; readonly where: string }[];
  /** Logical paths of the files that the turn wrote. */
  readonly files: readonly string[];
}

/** Number of the latest turns in which a turn is looked for. */
const MAX_TURNS = 50;

/** `turn` is null for the last turn. Throws `not_found`. */
export async function readTurnAnswer(
  store: ConversationStore,
  key: ConversationKey,
  turn: string | null,
): Promise<TurnAnswer> {
  let [page, left] = [await readView(store, key, { limit: 1 }), MAX_TURNS];
  const foundIn = ({ turns }: typeof page) => turns.find(({ turn_id }) => turn === null || turn_id === turn);
  while (foundIn(page) === undefined && page.has_more && --left > 0)
    page = await readView(store, key, { limit: 1, before: page.turns[0]?.n ?? 1 });
  const { sources } = page;
  const found = foundIn(page);
  if (found === undefined)
    throw new CairnError("not_found", "The conversation has no turn with this id, or too many turns came after it.", {
      turn,
    });
  const { turn_id, exit, error, completion, files } = found;
  const written = completion?.text ?? "";
  const known = completion?.sources_known ?? 0;
  const cited = new Set(extractCitations(written, "markdown"));
  const rows = sources.filter(({ sid }) => sid <= known && cited.has(sid));
  const text = replaceCitations(written, rows, "markdown");
  return {
    turn: turn_id,
    exit,
    text: text === "" ? (error?.message ?? "") : text,
    citations: rows.map(({ sid, title, url, artifact_path }) => ({
      sid,
      title: title ?? `S:${sid}`,
      where: url ?? artifact_path ?? "",
    })),
    files: files.map(({ path }) => path),
  };
}
