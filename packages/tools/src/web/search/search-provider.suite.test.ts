/** Tests that every provider meets one contract: the services over HTTP, and a folder of files. */
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  DAY_MS,
  SERVICE_KEY,
  type SearchedDocument,
  SearchService,
  type ServiceName,
  searchProviderSuite,
} from "@cairn/testkit/search";
import { corpusSearch } from "../corpus/corpus-search.ts";
import { braveSearch } from "./brave.ts";
import type { SearchProvider } from "./search-provider.ts";
import { searxngSearch } from "./searxng.ts";
import { tavilySearch } from "./tavily.ts";

const service = (name: ServiceName, connect: (baseUrl: string) => SearchProvider) =>
  searchProviderSuite(name, async (documents) => {
    const running = await SearchService.start(name, documents);
    const provider = connect(running.baseUrl);
    return {
      provider,
      nameOf: (url) => url.slice(url.lastIndexOf("/") + 1),
      dispose: async () => {
        await provider.close();
        await running[Symbol.asyncDispose]();
      },
    };
  });

service("searxng", (url) => searxngSearch({ url }));
service("brave", (baseUrl) => braveSearch({ apiKey: SERVICE_KEY, baseUrl }));
service("tavily", (baseUrl) => tavilySearch({ apiKey: SERVICE_KEY, baseUrl }));

searchProviderSuite("corpus", async (documents) => {
  const root = await mkdtemp(join(tmpdir(), "cairn-corpus-"));
  const folder = join(root, "library");
  await mkdir(folder);
  for (const document of documents) await writeDocument(folder, document);
  const provider = corpusSearch({ folder, dataDir: join(root, "data") });
  return {
    provider,
    nameOf: (url) => url.slice("corpus:///".length).replace(/\.\w+$/, ""),
    dispose: async () => {
      await provider.close();
      await rm(root, { recursive: true, force: true });
    },
  };
});

async function writeDocument(folder: string, { name, title, text, age }: SearchedDocument): Promise<void> {
  const isPage = name === "lighthouses";
  const file = join(folder, `${name}.${isPage ? "html" : "md"}`);
  await writeFile(file, isPage ? `<title>${title}</title><p>${text}</p>` : `# ${title}\n\n${text}\n`);
  const time = (Date.now() - age * DAY_MS) / 1_000;
  await utimes(file, time, time);
}
