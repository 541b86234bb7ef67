/** A request as rows: tools, system text, messages, and lines for checkpoints, hidden blocks and the tail. */
import type { ModelMessage, RequestDetail, UnseenBlock } from "@cairn/api";

/** The quantity that the bars of the rows show. */
export type BarMeasure = "tokens" | "cost";

export type ContextRow =
  | { readonly kind: "tools" | "system"; readonly key: string; readonly text: string; readonly tokens: number }
  | { readonly kind: "message"; readonly key: string; readonly message: ModelMessage }
  | { readonly kind: "unseen"; readonly key: string; readonly blocks: readonly UnseenBlock[] }
  | { readonly kind: "checkpoint"; readonly key: string; readonly nth: number; readonly index: number }
  | { readonly kind: "tail"; readonly key: string; readonly tokens: number };

export function contextRows({ tools, system, messages, unseen, request }: RequestDetail): readonly ContextRow[] {
  const rows: ContextRow[] = [
    { kind: "tools", key: "tools", text: tools.json, tokens: tools.tokens },
    { kind: "system", key: "system", text: system.text, tokens: system.tokens },
  ];
  const hidden = Map.groupBy(unseen, ({ before }) => before);
  let checkpoints = 0;
  let isTail = false;
  for (const message of messages) {
    const covered = hidden.get(message.index);
    hidden.delete(message.index);
    if (covered !== undefined) rows.push({ kind: "unseen", key: `unseen ${message.index}`, blocks: covered });
    if (message.part === "tail" && !isTail) {
      isTail = true;
      rows.push({ kind: "tail", key: "tail", tokens: request.tokens.tail });
    }
    rows.push({ kind: "message", key: `message ${message.index}`, message });
    if (message.checkpoint)
      rows.push({
        kind: "checkpoint",
        key: `checkpoint ${message.index}`,
        index: message.index,
        nth: ++checkpoints,
      });
  }
  for (const [index, blocks] of hidden) rows.push({ kind: "unseen", key: `unseen ${index}`, blocks });
  return rows;
}

export const CONTEXT_FILTERS = {
  all: "Everything",
  covered: "Hidden, pruned, clipped, compacted",
  read: "Read from the cache",
  written: "Written to the cache",
  none: "Not cached",
} as const;
export type ContextFilter = keyof typeof CONTEXT_FILTERS;

/** The rows that match a filter and words. Lines between messages are shown only without a filter. */
export function filterRows(rows: readonly ContextRow[], filter: ContextFilter, words: string): readonly ContextRow[] {
  const wanted = words.trim().toLowerCase();
  if (filter === "all" && wanted === "") return rows;
  return rows.flatMap((row): ContextRow[] => {
    switch (row.kind) {
      case "tools":
      case "system":
        return filter === "all" && holds(row.text, wanted) ? [row] : [];
      case "message":
        return passes(row.message, filter) && holdsWords(row.message, wanted) ? [row] : [];
      case "unseen": {
        if (filter !== "all" && filter !== "covered") return [];
        const blocks = row.blocks.filter((block) => holds(`${block.path ?? ""}\n${block.original_text}`, wanted));
        return blocks.length === 0 ? [] : [{ ...row, blocks }];
      }
      default:
        return [];
    }
  });
}

function passes({ overlay, cache }: ModelMessage, filter: ContextFilter): boolean {
  if (filter === "all") return true;
  return filter === "covered" ? overlay !== null : cache === filter;
}

/** Whether a row contains the words. The original text of a covered block is searched, too. */
function holdsWords({ text, type, paths, overlay }: ModelMessage, words: string): boolean {
  return holds([text, type ?? "", ...paths, overlay?.original_text ?? ""].join("\n"), words);
}

function holds(text: string, words: string): boolean {
  return words === "" || text.toLowerCase().includes(words);
}
