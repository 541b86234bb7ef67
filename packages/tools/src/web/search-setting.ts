/**
 * The setting that chooses where to search (`CAIRN_SEARCH`): `searxng:<url>`, `brave`, `tavily` or `corpus:<folder>`.
 * Keys of paid services come from their usual variables, `BRAVE_API_KEY` and `TAVILY_API_KEY`.
 */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { CairnError } from "@cairn/timeline";
import { corpusSearch } from "./corpus/corpus-search.ts";
import { braveSearch } from "./search/brave.ts";
import type { SearchProvider } from "./search/search-provider.ts";
import { searxngSearch } from "./search/searxng.ts";
import { tavilySearch } from "./search/tavily.ts";

export type SearchSetting =
  | { readonly kind: "searxng"; readonly url: string }
  | { readonly kind: "brave" }
  | { readonly kind: "tavily" }
  | { readonly kind: "corpus"; readonly folder: string };

const FORMS = "searxng:<url>, brave, tavily or corpus:<folder>";

/** Throws `bad_search_setting`, with one line that says what is wrong and what is allowed. */
export function parseSearchSetting(setting: string): SearchSetting {
  const text = setting.trim();
  const colon = text.indexOf(":");
  const kind = (colon < 0 ? text : text.slice(0, colon)).toLowerCase();
  const rest = colon < 0 ? "" : text.slice(colon + 1).trim();
  switch (kind) {
    case "brave":
    case "tavily":
      if (rest !== "") throw badSetting(text, `${kind} takes no value after the colon`);
      return { kind };
    case "searxng": {
      const url = URL.parse(rest);
      if (url === null || !/^https?:$/.test(url.protocol))
        throw badSetting(text, "searxng needs the http(s) URL of an instance");
      return { kind, url: url.href };
    }
    case "corpus":
      if (rest === "") throw badSetting(text, "corpus needs a folder");
      return { kind, folder: rest };
    default:
      throw badSetting(
        text,
        text === "" ? "it is empty" : `the service ${JSON.stringify(kind.slice(0, 40))} is unknown`,
      );
  }
}

export interface OpenSearchOptions {
  /** The data folder, in which indexes are stored. */
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The provider of a setting. Throws `bad_search_setting` when something it needs is missing. */
export async function openSearch(
  setting: string,
  { dataDir, env = process.env }: OpenSearchOptions,
): Promise<SearchProvider> {
  const parsed = parseSearchSetting(setting);
  switch (parsed.kind) {
    case "searxng":
      return searxngSearch({ url: parsed.url });
    case "brave":
      return braveSearch({ apiKey: requireKey(env, "BRAVE_API_KEY", setting) });
    case "tavily":
      return tavilySearch({ apiKey: requireKey(env, "TAVILY_API_KEY", setting) });
    case "corpus": {
      const folder = resolve(parsed.folder);
      const found = await stat(folder).catch(() => null); // Whatever the error, it is not a usable folder.
      if (found?.isDirectory() !== true) throw badSetting(setting, `the folder ${folder} does not exist`);
      return corpusSearch({ folder, dataDir });
    }
  }
}

function requireKey(env: Readonly<Record<string, string | undefined>>, name: string, setting: string): string {
  const key = env[name]?.trim();
  if (!key) throw badSetting(setting, `${name} is not set`);
  return key;
}

function badSetting(setting: string, problem: string): CairnError {
  const shown = setting.slice(0, 200);
  return new CairnError(
    "bad_search_setting",
    `CAIRN_SEARCH=${shown}: ${problem}. Set it to ${FORMS}, or to none to disable search.`,
    { setting: shown },
  );
}
