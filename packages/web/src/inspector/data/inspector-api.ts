/** The endpoints of the inspector. */
import type { SourceRow } from "@cairn/timeline";
import type { z } from "zod";
import { type CallOptions, conversationAddress, getJson } from "../../api/client.ts";
import type { BlockFilters } from "./place.ts";
import {
  type Block,
  blockPageSchema,
  type FoundPath,
  type ModelRequest,
  pathSchema,
  poolSchema,
  type RequestDetail,
  requestDetailSchema,
  requestListSchema,
  type Wire,
} from "./schemas.ts";

export async function listRequests(id: string, options: CallOptions): Promise<readonly ModelRequest[]> {
  return (await getJson(`${conversationAddress(id)}/requests`, requestListSchema, options)).requests;
}

export function getRequest(id: string, n: number, options: CallOptions): Promise<RequestDetail> {
  return getJson(`${conversationAddress(id)}/requests/${n}`, requestDetailSchema, options);
}

/** The rebuilt bytes of a request; null if they are unknown. */
export async function getWire(id: string, n: number, options: CallOptions): Promise<Wire | null> {
  const found = await getJson(`${conversationAddress(id)}/requests/${n}?wire=1`, requestDetailSchema, options);
  return found.wire ?? null;
}

export interface BlockPage {
  readonly limit: number;
  readonly before?: number;
  readonly after?: number;
}

export function listBlocks(
  id: string,
  { type, turn, state, q }: Omit<BlockFilters, "order">,
  page: BlockPage,
  options: CallOptions,
): Promise<z.infer<typeof blockPageSchema>> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ type, turn, state, q, ...page }))
    if (value !== undefined && value !== "") query.set(name, String(value));
  return getJson(`${conversationAddress(id)}/blocks?${query}`, blockPageSchema, options);
}

const ANY = { type: "", turn: "", state: "", q: "" } as const;

/** The block at a position; null when there is none. */
export async function getBlock(id: string, position: number, options: CallOptions): Promise<Block | null> {
  const { blocks } = await listBlocks(id, ANY, { before: position + 1, limit: 1 }, options);
  return blocks.find((block) => block.position === position) ?? null;
}

export function readAt(id: string, path: string, options: CallOptions): Promise<FoundPath> {
  return getJson(`${conversationAddress(id)}/read?path=${encodeURIComponent(path)}`, pathSchema, options);
}

export async function listSources(id: string, options: CallOptions): Promise<readonly SourceRow[]> {
  return (await getJson(`${conversationAddress(id)}/sources`, poolSchema, options)).sources_pool;
}
