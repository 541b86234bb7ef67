/** The text about tools for a model that calls tools in text. */
import { expect, it } from "vitest";
import { z } from "zod";
import { createRegistry } from "../tool/registry.ts";
import { defineTool } from "../tool/tool.ts";
import { decisionTools } from "./protocol-tools.ts";
import { textProtocol } from "./text-protocol.ts";

it("the tools and how to call them", async () => {
  const find = defineTool({
    id: "shop.find",
    description: "Finds goods by name.",
    params: z.object({ what: z.string().describe("A name or a part of it.") }),
    run: async () => ({ ok: true, ret: null }),
  });
  const { inText } = textProtocol.offer(decisionTools(createRegistry([find]).specs()), "conversation 1");
  await expect(`${inText?.text}\n`).toMatchFileSnapshot("golden/tools-in-text.txt");
});
