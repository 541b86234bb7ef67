/** Light, dark, or the system's setting. The choice is stored; `public/theme.js` applies it before the first paint. */
import { createStore, useStore } from "../state/store.ts";
import { useSystemIsDark } from "../ui/use-media.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "cairn.theme";
const store = createStore<Theme>(readTheme());

export function useTheme(): Theme {
  return useStore(store, (theme) => theme);
}

/** Whether the app is dark now. */
export function useIsDark(): boolean {
  const theme = useTheme();
  const systemIsDark = useSystemIsDark();
  return theme === "system" ? systemIsDark : theme === "dark";
}

export function setTheme(theme: Theme): void {
  store.update(() => theme);
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Storage is disabled: the choice lasts as long as the page.
  }
}

/** Switches to the other theme, or back to the system's setting if this has the same effect. */
export function toggleTheme(): void {
  const systemIsDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const isDark = store.get() === "system" ? systemIsDark : store.get() === "dark";
  setTheme(isDark !== systemIsDark ? "system" : isDark ? "light" : "dark");
}

function readTheme(): Theme {
  const kept = globalThis.document?.documentElement.dataset.theme;
  return THEMES.find((theme) => theme === kept) ?? "system";
}
