/** Libraries that search text, each used as its documentation recommends: any word counts, the best match first. */
import { create, insertMultiple, save, search } from "@orama/orama";
import MiniSearch from "minisearch";
import type { Contender } from "../recall/contender.ts";

const miniSearch: Contender = {
  name: "MiniSearch",
  async fill(messages) {
    const index = new MiniSearch({ fields: ["text"], idField: "nth" });
    index.addAll(messages.map(({ text }, nth) => ({ nth, text })));
    return {
      async find(question, limit) {
        return index
          .search(question)
          .slice(0, limit)
          .map(({ id }) => messages[Number(id)]?.id ?? "");
      },
      async indexBytes() {
        return Buffer.byteLength(JSON.stringify(index));
      },
      async close() {},
    };
  },
};

const orama: Contender = {
  name: "Orama, English stemming",
  async fill(messages) {
    const index = create({
      schema: { text: "string", nth: "number" } as const,
      components: { tokenizer: { language: "english", stemming: true } },
    });
    await insertMultiple(
      index,
      messages.map(({ text }, nth) => ({ text, nth })),
    );
    return {
      async find(question, limit) {
        const { hits } = await search(index, { term: question, properties: ["text"], threshold: 1, limit });
        return hits.map(({ document }) => messages[document.nth]?.id ?? "");
      },
      async indexBytes() {
        const { docs: _, ...rest } = save(index);
        return Buffer.byteLength(JSON.stringify(rest));
      },
      async close() {},
    };
  },
};

export const searchLibraries: readonly Contender[] = [miniSearch, orama];
