import { describe, expect, it } from "vitest";
import { Undo } from "./undo.ts";

describe("undoing a start", () => {
  const start = async (fails: boolean, closed: string[]) => {
    await using onFailure = new Undo();
    const store = onFailure.adopt("store", (name) => closed.push(name));
    onFailure.defer(async () => {
      closed.push("queue");
      throw new Error("The queue does not close.");
    });
    onFailure.defer(() => closed.push("listener"));
    if (fails) throw new Error("The start failed.");
    onFailure.cancel();
    return store;
  };

  it("closes everything that was opened, the last first, even if one does not close", async () => {
    const closed: string[] = [];
    await expect(start(true, closed)).rejects.toThrow();
    expect(closed).toEqual(["listener", "queue", "store"]);
  });

  it("closes nothing after a start that succeeded", async () => {
    const closed: string[] = [];
    expect(await start(false, closed)).toBe("store");
    expect(closed).toEqual([]);
  });

  it("reports the error of the start, and with it the error of a step that failed", async () => {
    await expect(start(true, [])).rejects.toMatchObject({
      suppressed: { message: "The start failed." },
      error: { message: "The queue does not close." },
    });
  });
});
