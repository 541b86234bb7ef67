/** Puts a text on the clipboard. Returns false, and tells the user, if the browser refuses. */
import { tell } from "../state/app-state.ts";

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    tell("problem", "The browser does not allow this page to copy. Select the text instead.");
    return false;
  }
}
