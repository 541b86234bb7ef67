import { join } from "node:path";
import { defineTool, openStoreWorkspace } from "@cairn/agent";
import { callOf, playTurn, TurnBench } from "@cairn/testkit/turns";
import { expect, it } from "vitest";
import { z } from "zod";
import { receiveFile } from "./received-file.ts";

it("a received file that cannot be shown is found again on another machine, and is not treated as a picture", async () => {
  const receive = defineTool({
    id: "test.receive",
    description: "Receives.",
    params: z.object({}),
    run: async (_, context) => {
      const file = await receiveFile({ name: "a.png", mime: "image/png", bytes: Buffer.from("no picture") }, context);
      return (scribe) => file.write(scribe);
    },
  });
  await using bench = await TurnBench.open({ agent: { tools: [receive] } });
  const { blocks, contents } = await playTurn(bench, [callOf("test.receive", {})]);
  const block = blocks.find(({ path }) => path?.startsWith("fi:"));
  expect(block?.mime).toBe("application/octet-stream");
  const [digest] = contents("react.tool.result tc:T1.C1.result");
  expect(digest).toMatchObject({ mime: "image/png", visibility: "external" });
  const elsewhere = await openStoreWorkspace(bench.store, bench.key, join(bench.folder, "elsewhere"));
  const [found] = await bench.store.turns(bench.key).then(({ items }) => items[0]?.view.files ?? []);
  expect(Buffer.from((await elsewhere.read(found?.physical_path ?? "")) ?? []).toString()).toBe("no picture");
});

it("a received file keeps the words of its name, however many blanks the server puts around and between them", async () => {
  const many = " ".repeat(1_000_000);
  const names = [`${many}.a.png-${many}`, `1-${many}b.png`, many, "-. c d .pdf"];
  const receive = defineTool({
    id: "test.receive",
    description: "Receives.",
    params: z.object({}),
    run: async (_, context) => {
      const bytes = Buffer.from("text");
      for (const name of names)
        paths.push((await receiveFile({ name, mime: "text/plain", bytes }, context)).artifact_path);
      return () => undefined;
    },
  });
  const paths: string[] = [];
  await using bench = await TurnBench.open({ agent: { tools: [receive] } });
  await playTurn(bench, [callOf("test.receive", {})]);
  expect(paths.map((path) => path.split("/").at(-1))).toEqual(["a.png", `1-${" ".repeat(78)}`, "file", "c d .pdf"]);
});
