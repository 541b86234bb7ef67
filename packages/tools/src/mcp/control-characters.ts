/** Invisible characters: control characters except line breaks and tabs, and those that change the text direction. */
export const CONTROLS = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;
