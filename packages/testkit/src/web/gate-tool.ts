/** A tool that returns only when the test opens its gate. Until then, a test can check the turn without a race. */
import { type AnyTool, defineTool } from "@cairn/agent";
import { z } from "zod";

export class Gate {
  #opened = Promise.withResolvers<void>();

  /** The model calls it as `gate__wait`. */
  readonly tool: AnyTool = defineTool({
    id: "gate.wait",
    description: "Waits.",
    params: z.object({}),
    timeout: 3_600_000,
    run: async () => {
      await this.#opened.promise;
      return { ok: true, ret: {} };
    },
  });

  /** From this call on, calls of the tool wait again. */
  close(): void {
    this.#opened = Promise.withResolvers();
  }

  open(): void {
    this.#opened.resolve();
  }
}
