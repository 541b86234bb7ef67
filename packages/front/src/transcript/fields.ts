/** Reads the parts of messages that other systems wrote. They may have any form. */
import { isJsonObject, type JsonObject } from "@cairn/timeline";

/** An entry of the imported messages, with its place for error reports. */
export interface Placed {
  readonly at: string;
  readonly value: JsonObject;
}

/** The objects of a list. A string becomes one text part. `skip` is called for any other value. */
export function partsOf(value: unknown, at: string, skip: (at: string) => void): readonly Placed[] {
  if (value === undefined || value === null) return [];
  if (typeof value === "string") return [{ at, value: { type: "text", text: value } }];
  if (!Array.isArray(value)) {
    skip(at);
    return [];
  }
  return value.flatMap((each: unknown, index) => {
    const place = `${at}[${index}]`;
    if (typeof each === "string") return [{ at: place, value: { type: "text", text: each } }];
    if (isJsonObject(each)) return [{ at: place, value: each }];
    skip(place);
    return [];
  });
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
