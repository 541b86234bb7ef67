/** Cleans fields of hits from services: markup removed, one line, shortened, valid dates only. */
import { flatText } from "../extract/flat-text.ts";

const LONGEST_TEXT = 2_000;
const LONGEST_TITLE = 300;
const LONGEST_URL = 2_000;

export function hitTitle(value: string | null | undefined): string {
  return plain(value, LONGEST_TITLE).replaceAll("\n", " ");
}

export function hitText(...values: readonly (string | null | undefined)[]): string {
  const texts = values.map((value) => plain(value, LONGEST_TEXT)).filter((text) => text !== "");
  return texts.join("\n").slice(0, LONGEST_TEXT).toWellFormed();
}

export function hitDate(value: string | null | undefined): string | undefined {
  if (!value || value.length > 60) return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

function plain(value: string | null | undefined, most: number): string {
  if (!value) return "";
  const text = value.slice(0, most * 2);
  return (/[<&]/.test(text) ? flatText(text) : text.trim()).slice(0, most).toWellFormed();
}

/** Whether a hit has the address of a page; others cannot be fetched or cited. */
export function isPage({ url }: { readonly url: string }): boolean {
  return url.length <= LONGEST_URL && /^https?:$/.test(URL.parse(url)?.protocol ?? "");
}
