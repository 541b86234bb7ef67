/** Sealed reasoning of the simulators. A seal is valid only for the text it was made for, to the byte. */
import { hashText } from "@cairn/timeline";

const DIGITS = 24;

/** Contains the text, so that it can be checked alone. */
export function seal(text: string): string {
  return `${text}.${sealFor(text)}`;
}

export function isSealed(sealed: string): boolean {
  const dot = sealed.lastIndexOf(".");
  return dot !== -1 && sealed.slice(dot + 1) === sealFor(sealed.slice(0, dot));
}

/** The seal of a text that is sent beside it. */
export function sealFor(text: string): string {
  return hashText(`sealed ${text}`).slice(0, DIGITS);
}
