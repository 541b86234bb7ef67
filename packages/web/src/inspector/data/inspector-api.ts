/** The endpoints of the inspector. */
import * as api from "@cairn/api";
import type { SourceRow } from "@cairn/timeline";
import { type CallOptions, call } from "../../api/call.ts";
import type { BlockFilters } from "./place.ts";

export function getRequest(id: string, n: number, options: CallOptions): Promise<api.RequestDetail> {
  return call(api.readRequest, { id, n }, options);
}

/** The rebuilt bytes of a request; null if they are unknown. */
export async function getWire(id: string, n: number, options: CallOptions): Promise<api.Wire | null> {
  return (await call(api.readRequest, { id, n }, { query: { wire: 1 }, ...options })).wire ?? null;
}

/** The user's cost by day, in the time zone of this browser. The last day is today. */
export async function listSpentDays(days: number, options: CallOptions): Promise<readonly api.SpentDay[]> {
  const { timeZone: time_zone } = Intl.DateTimeFormat().resolvedOptions();
  return (await call(api.readSpending, {}, { query: { days, time_zone }, ...options })).days;
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
): Promise<api.AnswerOf<typeof api.listBlocks>> {
  const filters = Object.entries({ type, turn, state, q }).filter(([, value]) => value !== "");
  return call(api.listBlocks, { id }, { query: { ...Object.fromEntries(filters), ...page }, ...options });
}

const ANY = { type: "", turn: "", state: "", q: "" } as const;

/** The block at a position; null when there is none. */
export async function getBlock(id: string, position: number, options: CallOptions): Promise<api.Block | null> {
  const { blocks } = await listBlocks(id, ANY, { before: position + 1, limit: 1 }, options);
  return blocks.find((block) => block.position === position) ?? null;
}

export function readAt(id: string, path: string, options: CallOptions): Promise<api.FoundPath> {
  return call(api.readPath, { id }, { query: { path }, ...options });
}

export async function listSources(id: string, options: CallOptions): Promise<readonly SourceRow[]> {
  return (await call(api.readSources, { id }, options)).sources_pool;
}
