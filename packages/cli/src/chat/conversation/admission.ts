/** The checks that a message must pass before it is stored, the same as on a server: agent, disk space and settings. */
import { type Model, resolveModel } from "@cairn/agent";
import { type OpenedAgent, type OpenedStore, type Settings, scopeLimits } from "cairn-agent/process";
import { Agents, WriteRoom } from "cairn-agent/turns";

export interface Admission {
  readonly agents: Agents;
  /**
   * The agents with all models that a message may ask for, loaded when a message asks for one. Throws the errors of
   * `resolveModel`.
   */
  readonly loadModels: () => Promise<Agents>;
  readonly room: WriteRoom;
  readonly settings: Settings;
  readonly telemetry: { readonly turnRefused: () => void };
}

export function openAdmission(
  settings: Settings,
  store: OpenedStore,
  opened: OpenedAgent,
  env: Readonly<Record<string, string | undefined>>,
): Admission {
  const room = WriteRoom.of(settings, store, scopeLimits(settings).storage);
  let loaded: Agents | null = null;
  const loadModels = async () => {
    const models = new Map<string, Model>();
    if (loaded === null) for (const name of settings.server.models) models.set(name, await resolveModel(name, env));
    loaded ??= Agents.of([opened], models);
    return loaded;
  };
  return { agents: Agents.of([opened]), loadModels, room, settings, telemetry: { turnRefused: () => undefined } };
}
