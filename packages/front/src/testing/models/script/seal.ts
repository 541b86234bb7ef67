/** Sealed reasoning of the simulators. A seal is valid only for exactly the text for which it was made. */
import { hashText } from "@cairn/timeline";

const DIGITS = 24;

/** A seal that contains its text, so that it can be checked without another copy of the text. */
export function seal(text: string): string {
  return `${text}.${sealFor(text)}`;
}

export function isSealed(sealed: string): boolean {
  const dot = sealed.lastIndexOf(".");
  return dot !== -1 && sealed.slice(dot + 1) === sealFor(sealed.slice(0, dot));
}

/** The seal of a text that is sent separately. */
export function sealFor(text: string): string {
  return hashText(`sealed ${text}`).slice(0, DIGITS);
}
