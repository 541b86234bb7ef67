/**
 * Shows direction marks in text instead of applying them: `report\u202efdp.exe` would otherwise look like
 * `reportexe.pdf`, and a person would approve something else than is shown.
 */
export function showDirections(text: string): string {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, named);
}

/** For titles and prose: marks that Arabic and Hebrew need are obeyed; those that turn whole runs are shown. */
export function showTurns(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, named);
}

function named(mark: string): string {
  return `⟨U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
