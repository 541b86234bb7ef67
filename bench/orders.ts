/**
 * `npm run bench:orders`: how well standing orders are distinguished from other sentences of a chat, on labelled
 * messages in twelve languages (`bench/orders/labelled.txt`). `--errors` lists the errors in the half with which the
 * rules were tuned; no option lists those in the other half.
 */
import { parseArgs } from "node:util";
import { isForGood, readLabelledSet } from "./orders/labelled-set.ts";
import { type JudgedMessage, judgeMessages, measureOrders } from "./orders/measure-orders.ts";
import { grid, number } from "./table.ts";

const { values } = parseArgs({ options: { errors: { type: "boolean" } } });
const judged = judgeMessages(readLabelledSet());
console.log(values.errors ? printErrors() : printTable());

function printTable(): string {
  const heldOut = judged.filter(({ message }) => message.part === "held out");
  const tunedOn = judged.filter(({ message }) => message.part === "tuned on");
  const byLanguage = [...Map.groupBy(heldOut, ({ message }) => message.language)];
  return grid([
    ["standing orders in chat", "messages", "precision", "recall"],
    row("tuned on", tunedOn),
    row("held out", heldOut),
    ...byLanguage.map(([language, own]) => row(`held out, ${language}`, own)),
  ]);
}

function row(name: string, own: readonly JudgedMessage[]): string[] {
  const { messages, precision, recall } = measureOrders(own);
  return [name, number(messages), percent(precision), percent(recall)];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function printErrors(): string {
  return judged
    .filter(({ message, isOrder }) => message.part === "tuned on" && isOrder !== isForGood(message))
    .map(
      ({ message, isOrder }) => `${isOrder ? "false" : "missed"} ${message.language} ${message.label}: ${message.text}`,
    )
    .join("\n");
}
