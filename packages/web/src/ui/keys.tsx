/** Keyboard keys: `Mod+K`. `Mod` is the command key on Apple machines and Ctrl elsewhere. */
import { cx } from "./class-names.ts";

const isApple = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "");
const NAMES: Readonly<Record<string, string>> = {
  Mod: isApple ? "⌘" : "Ctrl",
  Shift: isApple ? "⇧" : "Shift",
  Alt: isApple ? "⌥" : "Alt",
  Enter: "↵",
  Escape: "Esc",
  ArrowUp: "↑",
};

export function Keys({ keys, inverted = false }: { readonly keys: string; readonly inverted?: boolean }) {
  return (
    <span className="inline-flex gap-0.5">
      {keys.split("+").map((key) => (
        <kbd
          key={key}
          className={cx(
            "min-w-4.5 rounded border px-1 text-center font-sans text-2xs leading-4",
            inverted ? "border-current/40" : "border-line-strong bg-surface text-soft",
          )}
        >
          {NAMES[key] ?? key}
        </kbd>
      ))}
    </span>
  );
}
