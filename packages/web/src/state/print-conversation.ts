/** Prints a whole conversation. It loads missing turns first, because the browser prints only what is on the page. */
import { tell } from "./app-state.ts";
import { loadOlder } from "./open-conversation.ts";
import { sessionOf } from "./open-session.ts";

/** Poll interval while other code loads turns. */
const LOOK_MS = 50;

export async function printConversation(id: string): Promise<void> {
  // Waits until the menu has closed, so that it is not printed.
  if (await loadAllTurns(id)) setTimeout(() => globalThis.print());
}

/** Loads the turns that the page does not have yet. Returns false, and tells the user, if that fails. */
export async function loadAllTurns(id: string): Promise<boolean> {
  for (let session = sessionOf(id); session?.hasOlder === true; session = sessionOf(id)) {
    if (session.isLoadingOlder) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    else {
      await loadOlder(id);
      if (sessionOf(id)?.view.turns.length === session.view.turns.length) {
        tell("problem", "The earlier turns could not be loaded. Try again when the server is back.");
        return false;
      }
    }
  }
  return true;
}
