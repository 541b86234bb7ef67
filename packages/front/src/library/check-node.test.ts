/** Tests the error for a version of Node that is too old. */
import { expect, it, vi } from "vitest";
import { createCairn } from "../create-cairn.ts";
import { checkNode } from "./check-node.ts";

it.each(["20.20.2", "22.2.0", "22.15.1"])(
  "Node %s is refused, before anything is loaded that it does not have",
  async (node) => {
    vi.spyOn(process, "versions", "get").mockReturnValue({ ...process.versions, node });
    await expect(createCairn({ agents: [] })).rejects.toMatchObject({
      code: "old_node",
      message: `Cairn needs Node 22.16 or newer; this is ${node}.`,
    });
    vi.restoreAllMocks();
  },
);

it.each([{ node: "22.16.0" }, { node: "24.0.1" }, { node: "20.1.0", bun: "1.3.0" }, { node: "20.1.0", deno: "2.5.0" }])(
  "%o is accepted",
  (versions) => expect(() => checkNode({ ...process.versions, ...versions })).not.toThrow(),
);
