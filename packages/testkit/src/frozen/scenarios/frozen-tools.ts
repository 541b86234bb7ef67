/**
 * The tools that the frozen conversations call. A resumed conversation gets the same tools, so their ids, and whether a
 * tool may run twice or needs approval, must never change.
 */
import { type AnyTool, Asking, defineTool, reactTools } from "@cairn/agent";
import type { SourceInput } from "@cairn/timeline";
import { z } from "zod";
import { tokensOf } from "../../turns/trace.ts";

export interface OutsideWorld {
  /** Called each time `site.order` or `site.send` takes effect. */
  effect(name: string): void;
  /** Called while the tool `site.ask` runs. */
  ask(): Promise<void>;
}

export function frozenTools(world: OutsideWorld): readonly AnyTool[] {
  const what = z.object({ what: z.string() });
  const act = async (name: string) => {
    world.effect(name);
    return { ok: true, ret: { done: name } };
  };
  return [
    ...reactTools(),
    defineTool({
      id: "site.look",
      description: "Looks something up and returns so many words about it.",
      params: z.object({ what: z.string(), words: z.number() }),
      idempotent: true,
      run:
        async ({ what, words }) =>
        (scribe) =>
          scribe.result(tokensOf(what, words), "text/plain"),
    }),
    defineTool({
      id: "site.search",
      description: "Searches the web.",
      params: z.object({ query: z.string(), count: z.number() }),
      idempotent: true,
      run:
        async ({ query, count }) =>
        (scribe) => {
          const sources = Array.from({ length: count }, (_, nth) => sourceOf(query, nth));
          scribe.mergeSources(sources);
          scribe.result(JSON.stringify(sources.map(({ url, title }) => ({ url, title }))), "application/json");
        },
    }),
    defineTool({
      id: "site.order",
      description: "Orders something.",
      params: what,
      approval: "always",
      run: ({ what }) => act(`order ${what}`),
    }),
    defineTool({
      id: "site.send",
      description: "Sends something.",
      params: what,
      run: ({ what }) => act(`send ${what}`),
    }),
    defineTool({
      id: "site.fail",
      description: "Fails.",
      params: what,
      run: async ({ what }) => ({
        ok: false,
        error: { code: "out_of_stock", message: `There is no ${what}.` },
        ret: { asked: what },
      }),
    }),
    defineTool({
      id: "site.ask",
      description: "Asks people.",
      params: z.object({}),
      idempotent: true,
      run: async () => {
        await world.ask();
        return { ok: true, ret: "They agree." };
      },
    }),
  ];
}

/** Further tools of the conversations that were added after the first set. */
export const laterTools: readonly AnyTool[] = [
  defineTool({
    id: "site.place",
    description: "Tells where the user is. The client runs it.",
    params: z.object({}),
    traits: { client: true },
    run: () => {
      throw new Error("The client runs this tool.");
    },
  }),
  defineTool({
    id: "site.confirm",
    description: "Asks the user for a size, and then for a colour.",
    params: z.object({ what: z.string() }),
    run: async ({ what }, { answered }) => {
      const { size } = (answered?.state ?? {}) as { readonly size?: string };
      if (answered === undefined) return new Asking({ message: "Which size?", form: formOf("size") }, {});
      if (answered.action !== "accept") return { ok: true, ret: { what, refused: answered.action } };
      if (size === undefined)
        return new Asking(
          { message: "Which colour?", form: formOf("colour") },
          { size: answered.content.size ?? null },
        );
      return { ok: true, ret: { what, size, ...answered.content } };
    },
  }),
];

function formOf(field: string) {
  return { type: "object", properties: { [field]: { type: "string", default: "any" } } };
}

function sourceOf(query: string, nth: number): SourceInput {
  return {
    source_type: "web",
    url: `https://site.example/${encodeURIComponent(query)}/${nth}`,
    title: `${query}, part ${nth}`,
    text: `About ${query}: ${tokensOf(`${query} ${nth}`, 30)}`,
  };
}
