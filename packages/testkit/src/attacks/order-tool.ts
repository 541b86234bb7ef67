/** A tool that needs approval and records its effects, so that a test sees whether it ran. */
import { type AnyTool, defineTool } from "@cairn/agent";
import { z } from "zod";

export function orderTool(id: string, effects: string[]): AnyTool {
  return defineTool({
    id,
    description: "Orders.",
    params: z.object({ what: z.string() }),
    idempotent: true,
    approval: "always",
    run: async ({ what }) => {
      effects.push(what);
      return { ok: true, ret: "ordered" };
    },
  });
}
