/** Keyboard shortcuts: one table, one listener. While the user types, only Escape and modifier shortcuts work. */
import { useEffect, useRef } from "react";

export const SHORTCUTS = {
  help: { keys: "?", label: "Show these shortcuts" },
  newConversation: { keys: "Mod+Shift+O", label: "New conversation" },
  search: { keys: "Mod+K", label: "Search conversations" },
  find: { keys: "Mod+F", label: "Find in this conversation" },
  compose: { keys: "/", label: "Write a message" },
  stop: { keys: "Escape", label: "Stop the agent, if the message is empty" },
  inspect: { keys: "Mod+I", label: "Open or close the inspector" },
  sidebar: { keys: "Mod+B", label: "Show or hide the conversations" },
  theme: { keys: "Mod+Shift+L", label: "Light or dark" },
} as const satisfies Readonly<Record<string, { keys: string; label: string }>>;

export type ShortcutName = keyof typeof SHORTCUTS;

const handlers = new Map<ShortcutName, (() => void)[]>();

/** Calls `run` while the component is mounted. If several components use the shortcut, the latest one gets it. */
export function useShortcut(name: ShortcutName, run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const handler = () => latest.current();
    handlers.set(name, [...(handlers.get(name) ?? []), handler]);
    return () => {
      handlers.set(
        name,
        (handlers.get(name) ?? []).filter((each) => each !== handler),
      );
    };
  }, [name]);
}

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

export function shortcutOf(press: KeyPress, isTyping: boolean): ShortcutName | null {
  for (const [name, { keys }] of Object.entries(SHORTCUTS)) {
    const parts = keys.split("+");
    const key = parts.at(-1) ?? "";
    const needsMod = parts.includes("Mod");
    const needsShift = parts.includes("Shift") || key === "?";
    if (press.key.toLowerCase() !== key.toLowerCase() || press.altKey) continue;
    if (needsMod !== (press.ctrlKey || press.metaKey)) continue;
    if (needsMod && needsShift !== press.shiftKey) continue;
    if (!needsMod && isTyping && key !== "Escape") continue;
    return name as ShortcutName;
  }
  return null;
}

/** In a search field, Escape empties the field. Escape stops the agent only if the field has no text. */
function keepsEscape(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type === "search" || target.value !== "";
  return target instanceof HTMLTextAreaElement && target.value !== "";
}

/** Listens while the app is mounted. A key that closes a dialog, or that was already handled, is ignored. */
export function useShortcuts(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]") !== null) return;
      const { target } = event;
      if (event.key === "Escape" && keepsEscape(target)) return;
      const isTyping =
        target instanceof HTMLElement &&
        (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
      const name = shortcutOf(event, isTyping);
      const handler = name === null ? undefined : handlers.get(name)?.at(-1);
      if (handler === undefined) return;
      event.preventDefault();
      handler();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
