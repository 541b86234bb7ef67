/**
 * The names of versions, for the turns of the open conversation that have several. The session keeps them by
 * conversation and number of the turn.
 */
import { listBranches, nameVersion } from "../api/client.ts";
import { tell, useApp } from "./app-state.ts";
import { reasonOf } from "./conversation-list.ts";
import { sessionOf, updateSession } from "./open-session.ts";

export async function refreshVersionNames(id: string): Promise<void> {
  try {
    const branches = await listBranches(id);
    const named = branches.flatMap(({ conversation_id, names }) =>
      names.map(({ turn, name }) => [nameKey(conversation_id, turn), name] as const),
    );
    updateSession(id, (session) => ({ ...session, versionNames: new Map(named) }));
  } catch {
    // Without names, versions are shown by their numbers. The banner shows a lost connection.
  }
}

/** Names a version that the open conversation has. An empty name removes the name. */
export async function giveVersionName(openId: string, id: string, turn: number, name: string): Promise<void> {
  try {
    await nameVersion(id, turn, name);
  } catch (error) {
    tell("problem", reasonOf(error));
  }
  if (sessionOf(openId) !== null) await refreshVersionNames(openId);
}

/** Returns a function for the name of a turn's version in a conversation; null without a name. */
export function useVersionNames(turn: number): (id: string) => string | null {
  const names = useApp(({ session }) => session?.versionNames);
  return (id) => names?.get(nameKey(id, turn)) ?? null;
}

function nameKey(id: string, turn: number): string {
  return `${id} ${turn}`;
}
