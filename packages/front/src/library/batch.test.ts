/** Tests batches of items. */
import { describe, expect, it } from "vitest";
import { Application } from "../../test/open-application.ts";
import { agent } from "../define/agent.ts";
import { scriptedModel } from "../testing/scripted-model.ts";

describe("a batch", () => {
  it("without ids of its items is refused", async () => {
    await using app = await Application.open([agent({ name: "a", instructions: "Help." })]);
    await expect(app.cairn.batch(["a"], {} as never)).rejects.toMatchObject({
      code: "bad_request",
      details: { field: "id" },
    });
  });

  it("runs each item once, returns results in order, and reports failures beside them", async () => {
    const model = scriptedModel(({ view }) => {
      const said = JSON.stringify(view.messages());
      return said.includes("grade 3") ? { call: "none" } : { say: "Good." };
    });
    const grader = agent({ name: "grader", model, instructions: "Grade.", budgets: { iterations: 1 } });
    await using app = await Application.open([grader]);
    const items = Array.from({ length: 6 }, (_, nth) => ({ id: `d${nth}`, text: `grade ${nth}` }));
    const options = {
      id: ({ id }: { id: string }) => id,
      prompt: ({ text }: { text: string }) => text,
      concurrency: 3,
    };
    const results = await app.cairn.batch(items, options);
    expect(results.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
    expect(results.filter((each) => each.ok && each.text === "Good.")).toHaveLength(5);
    const asked = model.requests.length;
    expect(await app.cairn.batch(items, options)).toEqual(results);
    expect(model.requests).toHaveLength(asked);
    const [changed] = await app.cairn.batch([{ id: "d3", text: "Something else" }], options);
    expect(changed).toMatchObject({
      ok: false,
      error: { code: "idempotency_conflict", message: expect.stringMatching(/^The item "d3" .* a new id/) },
    });
    expect(model.requests).toHaveLength(asked);
    await expect(app.cairn.batch([1, 1], { id: String })).rejects.toMatchObject({ code: "bad_request" });
  });

  it("throws the error of an item that fails while the next one is awaited, after the other items ended", async () => {
    const model = scriptedModel(() => ({ say: "Good." }));
    await using app = await Application.open([agent({ name: "a", model, instructions: "Help." })]);
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", note);
    async function* items() {
      yield "one";
      yield "two";
      // A rejection without a handler would be reported before this line.
      await new Promise(setImmediate);
      yield "three";
    }
    const prompt = (item: string) => {
      if (item === "two") throw new TypeError("no prompt");
      return item;
    };
    try {
      await expect(app.cairn.batch(items(), { id: String, prompt })).rejects.toThrow("no prompt");
      await expect(app.cairn.batch(["x", "two", "x"], { id: String, prompt })).rejects.toThrow("Two items have the id");
      await new Promise(setImmediate);
    } finally {
      process.off("unhandledRejection", note);
    }
    expect(unhandled).toEqual([]);
    for (const id of ["one", "three", "x"]) expect(await app.cairn.conversation(id).resume()).toBeNull();
  });
});
