// Sets the chosen theme before the first paint; the app itself comes later. Kept tiny and free of anything else.
try {
  const theme = localStorage.getItem("cairn.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is switched off: the system's theme stands.
}
