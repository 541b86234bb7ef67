/** Where the sources of a conversation are cited: the blocks that contain each SID, in timeline order. */
import type { Block } from "@cairn/api";
import { extractCitations } from "@cairn/timeline";
import type { CallOptions } from "../../api/call.ts";
import { listBlocks } from "../data/inspector-api.ts";

const PAGE = 100;
/** Maximum number of pages of citing blocks that are loaded. */
const MAX_PAGES = 10;

export type CitedPlaces = ReadonlyMap<number, readonly Block[]>;

export function placesOf(blocks: readonly Block[]): CitedPlaces {
  const places = new Map<number, Block[]>();
  for (const block of blocks)
    for (const sid of extractCitations(block.text ?? "", "markdown"))
      places.set(sid, [...(places.get(sid) ?? []), block]);
  return places;
}

export async function findCitedPlaces(conversationId: string, options: CallOptions): Promise<CitedPlaces> {
  const found: Block[] = [];
  let after: number | null = -1;
  for (let page = 0; page < MAX_PAGES && after !== null; page++) {
    const answer: Awaited<ReturnType<typeof listBlocks>> = await listBlocks(
      conversationId,
      { type: "", turn: "", state: "", q: "[[S:" },
      { after, limit: PAGE },
      options,
    );
    found.push(...answer.blocks);
    after = answer.next;
  }
  return placesOf(found);
}
