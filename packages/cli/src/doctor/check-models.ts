/** The models that messages may ask for (`CAIRN_MODELS`): an unavailable one keeps the server from starting. */
import { resolveModel } from "@cairn/agent";
import type { Settings } from "cairn-agent/process";
import type { Terminal } from "../command/terminal.ts";
import type { Finding } from "./finding.ts";

export async function* checkModels({ server }: Settings, env: Terminal["env"]): AsyncGenerator<Finding> {
  for (const name of server.models)
    try {
      await resolveModel(name, env);
      yield { check: "model", ok: true, message: `messages may ask for ${name}` };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      yield { check: "model", ok: false, message, fix: "Follow the message, or remove the model from CAIRN_MODELS." };
    }
}
