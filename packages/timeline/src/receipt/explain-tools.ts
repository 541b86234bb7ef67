/** Explains why two lists of tools differ: the first place where they do, and what happened there. */
import { isJsonObject, parseJsonObject } from "../base/json.ts";
import type { Difference } from "./difference.ts";
import type { SentRequest } from "./sent-request.ts";
import { describeChange, isSameJson } from "./text-change.ts";

type Tools = SentRequest["tools"];

export function differenceOfTools(before: Tools, after: Tools): Difference | null {
  const most = Math.max(before.length, after.length);
  for (let index = 0; index < most; index++) {
    const [old, now] = [before[index], after[index]];
    if (old?.name === now?.name && old?.hash === now?.hash) continue;
    return describe(before, after, index);
  }
  return null;
}

function describe(before: Tools, after: Tools, index: number): Difference {
  const [old, now] = [before[index], after[index]];
  const at = (name: string) => ({ part: "tools" as const, index, name });
  if (old !== undefined && now !== undefined && old.name === now.name) return describeDefinition(old, now, index);
  if (old !== undefined && !after.some(({ name }) => name === old.name))
    return { at: at(old.name), detail: `Tool ${old.name} was removed.` };
  if (now !== undefined && !before.some(({ name }) => name === now.name))
    return { at: at(now.name), detail: `Tool ${now.name} was added at place ${index}.` };
  const name = now?.name ?? old?.name ?? "";
  const [from, to] = [before, after].map((tools) => tools.map((tool) => tool.name).join(", "));
  return {
    at: at(name),
    detail: `The order of the tools changed: ${name} now stands at place ${index}. Send them in a fixed order.`,
    before: clip(from ?? ""),
    after: clip(to ?? ""),
  };
}

function describeDefinition(old: Tools[number], now: Tools[number], index: number): Difference {
  const { name } = old;
  const at = { part: "tools" as const, index, name };
  if (old.text === undefined || now.text === undefined)
    return { at, detail: `The definition of tool ${name} changed.` };
  const fields = changedFields(old.text, now.text);
  const { how, before, after } = describeChange(old.text, now.text);
  const what = fields.length === 0 ? "definition" : fields.join(" and ");
  return { at, detail: `The ${what} of tool ${name} changed: ${how}.`, before, after };
}

function changedFields(before: string, after: string): string[] {
  const [old, now] = [parseJsonObject(before), parseJsonObject(after)];
  if (!isJsonObject(old) || !isJsonObject(now)) return [];
  const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...keys].filter((key) => !isSameJson(old[key], now[key]));
}

const LIST_LENGTH = 200;

function clip(text: string): string {
  return text.length > LIST_LENGTH ? `${text.slice(0, LIST_LENGTH).toWellFormed()}…` : text;
}
