/** The sentences of the offline model by language. */
import { ENGLISH } from "./english.ts";
import { FRENCH } from "./french.ts";
import { GERMAN } from "./german.ts";
import type { Language } from "./language.ts";
import type { Phrases } from "./phrases.ts";

export const PHRASES: Readonly<Record<Language, Phrases>> = { en: ENGLISH, de: GERMAN, fr: FRENCH };
