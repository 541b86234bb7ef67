/** A block of any type that this program does not know: carried, stored and shown as plain text. */
import { defineKind } from "./block-kind.ts";

export const unknownKind = defineKind({ type: "" });
