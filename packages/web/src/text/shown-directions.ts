/**
 * Shows direction marks in text instead of applying them: `report\u202efdp.exe` would otherwise look like
 * `reportexe.pdf`, and a person would approve another name than the one that they see.
 */
export function showDirections(text: string): string {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, named);
}

/**
 * Shows direction marks in titles and prose: only marks that reverse whole runs of text. Marks that Arabic and Hebrew
 * need keep their effect.
 */
export function showTurns(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, named);
}

function named(mark: string): string {
  return `⟨U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
