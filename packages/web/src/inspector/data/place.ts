/**
 * The places of the inspector and their addresses, behind `/c/<id>/inspect/`:
 *
 *   requests/<n>                       what the model saw; without a number the newest
 *   requests/<n>/compare/<m>           what changed from request m to request n
 *   blocks/<position>?type&turn&state&q&order
 *   path/<logical path>                the content of a path
 *   sources/<sid>
 *   files/<path>?v=<version>
 */
import { BLOCK_STATES, type BlockState } from "@cairn/api";
import { navigate } from "../../route/location.ts";
import type { Route } from "../../route/route.ts";

/** Filters of the list of blocks. An empty filter matches every block. */
export interface BlockFilters {
  readonly type: string;
  readonly turn: string;
  readonly state: BlockState | "";
  readonly q: string;
  readonly order: "oldest" | "newest";
}

export const NO_FILTERS: BlockFilters = { type: "", turn: "", state: "", q: "", order: "oldest" };

export type InspectorPlace =
  | { readonly tab: "requests"; readonly n: number | null; readonly compareWith: number | null }
  | { readonly tab: "blocks"; readonly position: number | null; readonly filters: BlockFilters }
  | { readonly tab: "path"; readonly path: string }
  | { readonly tab: "sources"; readonly sid: number | null }
  | { readonly tab: "files"; readonly path: string | null; readonly version: number | null };

/** Reads the place in the inspector from an address; null for an invalid address. */
export function placeOf(rest: readonly string[], search: string): InspectorPlace | null {
  const [tab = "requests", first, second, third] = rest;
  const query = new URLSearchParams(search);
  switch (tab) {
    case "requests": {
      if (rest.length > 2 && second !== "compare") return null;
      const n = countOf(first, 1);
      const compareWith = countOf(third, 1);
      if (n === undefined || compareWith === undefined) return null;
      return { tab, n, compareWith };
    }
    case "blocks": {
      const position = countOf(first, 0);
      return position === undefined ? null : { tab, position, filters: filtersOf(query) };
    }
    case "path":
      return first === undefined ? null : { tab, path: rest.slice(1).join("/") };
    case "sources": {
      const sid = countOf(first, 1);
      return sid === undefined ? null : { tab, sid };
    }
    case "files":
      return {
        tab,
        path: first === undefined ? null : rest.slice(1).join("/"),
        version: countOf(query.get("v") ?? undefined, 1) ?? null,
      };
    default:
      return null;
  }
}

export function addressOf(place: InspectorPlace): { readonly rest: readonly string[]; readonly search: string } {
  switch (place.tab) {
    case "requests": {
      const n = place.n === null ? [] : [String(place.n)];
      return {
        rest: ["requests", ...n, ...(place.compareWith === null ? [] : ["compare", String(place.compareWith)])],
        search: "",
      };
    }
    case "blocks":
      return {
        rest: ["blocks", ...(place.position === null ? [] : [String(place.position)])],
        search: searchOf(place.filters),
      };
    case "path":
      return { rest: ["path", ...place.path.split("/")], search: "" };
    case "sources":
      return { rest: ["sources", ...(place.sid === null ? [] : [String(place.sid)])], search: "" };
    case "files":
      return {
        rest: ["files", ...(place.path === null ? [] : place.path.split("/"))],
        search: place.version === null ? "" : `?v=${place.version}`,
      };
  }
}

export function routeTo(conversationId: string, place: InspectorPlace): Route {
  return { page: "inspect", conversationId, ...addressOf(place) };
}

export function goTo(conversationId: string, place: InspectorPlace, options: { replace?: boolean } = {}): void {
  navigate(routeTo(conversationId, place), options);
}

/** Reads a number; null when there is none, undefined when it is invalid. */
function countOf(text: string | undefined, least: number): number | null | undefined {
  if (text === undefined) return null;
  const value = Number(text);
  return /^\d{1,15}$/.test(text) && value >= least ? value : undefined;
}

function filtersOf(query: URLSearchParams): BlockFilters {
  const state = BLOCK_STATES.find((each) => each === query.get("state")) ?? "";
  return {
    type: query.get("type") ?? "",
    turn: query.get("turn") ?? "",
    q: query.get("q") ?? "",
    state,
    order: query.get("order") === "newest" ? "newest" : "oldest",
  };
}

function searchOf({ type, turn, state, q, order }: BlockFilters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ type, turn, state, q })) if (value !== "") query.set(name, value);
  if (order === "newest") query.set("order", order);
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}
