/**
 * Messages of ordinary chats in twelve languages, each with a label. One half of the messages is for tuning the rules,
 * the other half only for measuring. The half follows from the message's text alone.
 */
import { readFileSync } from "node:fs";

const LABELS = ["order", "preference", "request", "statement", "quotation"] as const;
type Label = (typeof LABELS)[number];

export interface LabelledMessage {
  readonly language: string;
  readonly label: Label;
  readonly text: string;
  readonly part: "tuned on" | "held out";
}

/** Orders and preferences are permanent. */
export function isForGood({ label }: LabelledMessage): boolean {
  return label === "order" || label === "preference";
}

export function readLabelledSet(): LabelledMessage[] {
  const lines = readFileSync(new URL("labelled.txt", import.meta.url), "utf8").split("\n");
  return lines.filter((line) => line !== "" && !line.startsWith("#")).map(readLine);
}

function readLine(line: string): LabelledMessage {
  const [, language = "", name = "", written = ""] = /^(\w+) (\w+) (.+)$/u.exec(line) ?? [];
  const label = LABELS.find((each) => each === name);
  if (label === undefined) throw new Error(`Not a labelled message: ${line}`);
  const text = written.replaceAll("\\n", "\n");
  const sum = [...text].reduce((total, char) => total + (char.codePointAt(0) ?? 0), 0);
  return { language, label, text, part: sum % 2 === 0 ? "tuned on" : "held out" };
}
