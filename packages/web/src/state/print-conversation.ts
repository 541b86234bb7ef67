/** Prints a whole conversation: loads missing turns first, because the browser prints what is on the page. */
import { sessionOf, tell } from "./app-state.ts";
import { loadOlder } from "./open-conversation.ts";

/** Poll interval while other code loads turns. */
const LOOK_MS = 50;

export async function printConversation(id: string): Promise<void> {
  for (let session = sessionOf(id); session?.hasOlder === true; session = sessionOf(id)) {
    if (session.isLoadingOlder) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    else {
      await loadOlder(id);
      if (sessionOf(id)?.view.turns.length === session.view.turns.length)
        return tell("problem", "The earlier turns could not be loaded. Try again when the server is back.");
    }
  }
  // After the menu has closed.
  setTimeout(() => globalThis.print());
}
