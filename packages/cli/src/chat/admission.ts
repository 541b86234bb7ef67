/** What a message of this process is checked against, as on a server: its agent, the space on the disk, the settings. */
import { type OpenedAgent, type OpenedStore, type Settings, scopeLimits } from "cairn-agent/process";
import { Agents, WriteRoom } from "cairn-agent/turns";

export interface Admission {
  readonly agents: Agents;
  readonly room: WriteRoom;
  readonly settings: Settings;
  readonly telemetry: { readonly turnRefused: () => void };
}

export function openAdmission(settings: Settings, store: OpenedStore, opened: OpenedAgent): Admission {
  const room = WriteRoom.of(settings, store, scopeLimits(settings).storage);
  return { agents: Agents.of([opened]), room, settings, telemetry: { turnRefused: () => undefined } };
}
