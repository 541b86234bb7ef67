/** Finds errors in the citations of played conversations: in every output, each text is compared with its request. */
import { type ConversationKey, type ConversationStore, linkFormat, linkFound } from "@cairn/store";
import {
  type Block,
  emptyView,
  knownSources,
  linkCitations,
  type SourceRow,
  type TimelineEvent,
  viewEvents,
} from "@cairn/timeline";
import { type CitingPlayed, type CitingText, tagOf } from "./citing-conversation.ts";

/** The faults; none if every text cites exactly the sources that it named and its request showed. */
export async function citationFaults(store: ConversationStore, played: CitingPlayed): Promise<string[]> {
  const faults: string[] = [];
  const check = (where: string, text: string, linked: string) => {
    const tag = tagOf(text);
    const known = tag === null ? undefined : played.texts.get(tag);
    if (known === undefined) return;
    // Written files are sources, too.
    const cites = [...new Set(linked.match(/Page \d+|\b[abc]\.(?:md|html)\b/g) ?? [])];
    if (`${cites}` !== `${titlesOf(known)}`)
      faults.push(`${where}: ${tag} names ${known.sids}, was shown ${[...known.shown]}, cites ${cites}`);
  };
  for (const text of played.streamed) check("stream", text, text);
  for (const key of played.conversations) {
    const events = await store.readEvents(key, { limit: 10_000 });
    for (const { event } of events) faults.push(...faultsOfMeta(event, played));
    const view = viewEvents(events, emptyView());
    const rows = new Map(view.sources.map((row): [number, SourceRow] => [row.sid, row]));
    const link = (text: string, known: number) =>
      linkCitations(
        text,
        knownSources((sid) => rows.get(sid), known),
        "markdown",
      );
    for (const { completion, rounds, files } of view.turns) {
      if (completion !== null) check("answer", completion.text, link(completion.text, completion.sources_known));
      for (const { notes, sources_known } of rounds)
        if (notes !== null) check("notes", notes, link(notes, sources_known));
      for (const { path, version } of files)
        for (let nth = 1; nth <= version; nth++) await checkPath(store, key, `${path}@v${nth}`, check);
      if (completion?.path != null) await checkPath(store, key, completion.path, check);
    }
    for (const { view: turn } of (await store.turns(key, { limit: 100 })).items)
      if (turn.completion?.text !== undefined) {
        const cited = turn.citations.map(({ title }) => title).join(" ");
        check("turns", turn.completion.text, cited);
      }
  }
  return faults;
}

/** The titles that a text can cite, in the order in which the text names them. */
function titlesOf({ sids, shown }: CitingText): string[] {
  return [...new Set(sids.flatMap((sid) => shown.get(sid) ?? []))];
}

async function checkPath(
  store: ConversationStore,
  key: ConversationKey,
  path: string,
  check: (where: string, text: string, linked: string) => void,
): Promise<void> {
  const found = await store.findByPath(key, path);
  const format = found === null ? null : linkFormat(found);
  const text = found?.artifact.text;
  if (found === null || format === null || text === undefined) return;
  const bytes = async function* () {
    yield Buffer.from(text);
  };
  const linked = await linkFound(store, key, found, format, bytes);
  check(path, text, Buffer.from(linked).toString("utf8"));
}

function faultsOfMeta(event: TimelineEvent, { texts }: CitingPlayed): string[] {
  if (event.kind !== "block.appended" || "unknown" in event) return [];
  const { block } = event.body as { readonly block: Block };
  const text = texts.get(tagOf(block.text ?? "") ?? "");
  // Answers and files list their citations; notes, and the visible part of a patch, do not.
  const isListing = block.type === "assistant.completion" || block.path?.startsWith("fi:") === true;
  if (text === undefined || !isListing) return [];
  const used = block.meta?.sources_used ?? (block.meta?.digest as Block["meta"])?.sources_used ?? [];
  const expected = text.sids.filter((sid) => text.shown.has(sid));
  return `${used}` === `${expected}` ? [] : [`${block.type} ${block.path}: used ${used}, expected ${expected}`];
}
