/** Cleans fields of hits from services: markup removed, one line, shortened, valid dates only. */
import { z } from "zod";
import { flatText } from "../extract/flat-text.ts";

/** The fields of a hit that several services name alike. */
export const foundPage = z.object({
  url: z.string(),
  title: z.string().nullish(),
  content: z.string().nullish(),
});

const MAX_TEXT_LENGTH = 2_000;
const MAX_TITLE_LENGTH = 300;
const MAX_URL_LENGTH = 2_000;

export function hitOf({ url, title, content }: z.infer<typeof foundPage>) {
  return { url, title: hitTitle(title), text: hitText(content) };
}

export function hitTitle(value: string | null | undefined): string {
  return plain(value, MAX_TITLE_LENGTH).replaceAll("\n", " ");
}

export function hitText(...values: readonly (string | null | undefined)[]): string {
  const texts = values.map((value) => plain(value, MAX_TEXT_LENGTH)).filter((text) => text !== "");
  return texts.join("\n").slice(0, MAX_TEXT_LENGTH).toWellFormed();
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

/** Whether a hit has the address of a page; other hits cannot be fetched or cited. */
export function isPage({ url }: { readonly url: string }): boolean {
  return url.length <= MAX_URL_LENGTH && /^https?:$/.test(URL.parse(url)?.protocol ?? "");
}
