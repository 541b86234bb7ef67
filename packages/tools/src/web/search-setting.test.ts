import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { openSearch, parseSearchSetting } from "./search-setting.ts";

it.each([
  ["searxng:http://localhost:8080", { kind: "searxng", url: "http://localhost:8080/" }],
  [" SearXNG: https://search.example/searx ", { kind: "searxng", url: "https://search.example/searx" }],
  ["brave", { kind: "brave" }],
  ["tavily", { kind: "tavily" }],
  ["corpus:./library", { kind: "corpus", folder: "./library" }],
  ["corpus:C:\\docs", { kind: "corpus", folder: "C:\\docs" }],
])("%s is a valid setting", (setting, parsed) => {
  expect(parseSearchSetting(setting)).toEqual(parsed);
});

it.each([
  ["", /it is empty/],
  ["google", /"google" is unknown/],
  ["searxng", /needs the http\(s\) URL/],
  ["searxng:localhost:8080", /needs the http\(s\) URL/],
  ["searxng:file:///x", /needs the http\(s\) URL/],
  ["brave:key", /takes no value after the colon/],
  ["corpus:", /needs a folder/],
])("%j is not a valid setting, and one line gives the reason and the valid forms", (setting, why) => {
  expect(() => parseSearchSetting(setting)).toThrow(why);
  expect(() => parseSearchSetting(setting)).toThrow(
    "Set it to searxng:<url>, brave, tavily or corpus:<folder>, or to none to disable search.",
  );
});

it("a missing requirement of a setting is named", async () => {
  const options = { dataDir: tmpdir(), env: {} };
  await expect(openSearch("brave", options)).rejects.toThrow(/BRAVE_API_KEY is not set/);
  await expect(openSearch("tavily", options)).rejects.toThrow(/TAVILY_API_KEY is not set/);
  await expect(openSearch("corpus:/no/such/folder", options)).rejects.toThrow(
    /the folder \/no\/such\/folder does not exist/,
  );
  expect((await openSearch("brave", { ...options, env: { BRAVE_API_KEY: "k" } })).name).toBe("brave");
  expect((await openSearch("searxng:http://localhost:1", options)).name).toBe("searxng");
  const corpus = await openSearch(`corpus:${tmpdir()}`, options);
  expect(corpus.name).toBe("corpus");
  await corpus.close();
});
