/**
 * Shows direction marks in text instead of applying them: `report\u202efdp.exe` would otherwise look like
 * `reportexe.pdf`, and a person would approve something else than is shown.
 */
export function showDirections(text: string): string {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, named);
}

/**
 * For titles and other prose. Marks that only place a comma or a bracket are obeyed, as Arabic and Hebrew need them; those
 * that turn whole runs of text are shown.
 */
export function showTurns(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, named);
}

function named(mark: string): string {
  return `⟨U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
