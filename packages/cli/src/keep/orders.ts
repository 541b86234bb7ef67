/** `cairn orders`: the standing orders of a conversation, to list, correct and delete. */
import { randomUUID } from "node:crypto";
import { changeOrder, listOrders, type OrderChange } from "@cairn/agent";
import { ORDER_KINDS, type OrderKind } from "@cairn/timeline";
import { type Command, readArgs } from "../command/command.ts";
import { EXIT, usageError } from "../command/exit-code.ts";
import { keyOf, openData } from "../command/open-data.ts";
import { paint, plainLine, writeJson } from "../command/terminal.ts";

export const orders: Command = {
  summary: "list, add, correct or delete the user's standing orders",
  usage:
    "orders <id> [--add <text>] [--set <order> --text <text>] [--remove <order>] [--kind <kind>] [--json]\n\n" +
    "  --add <text>      add an order\n" +
    "  --set <order>     correct an order; --text gives its new words\n" +
    "  --remove <order>  delete an order\n" +
    `  --kind <kind>     what the order is about: ${ORDER_KINDS.join(", ")}`,
  run: async (args, terminal) => {
    const text = { type: "string" } as const;
    const options = { add: text, set: text, text, remove: text, kind: text, json: { type: "boolean" } } as const;
    const { values, positionals } = readArgs(args, options, ["<id>"]);
    const change = readChange(values);
    await using data = await openData(terminal);
    const key = keyOf(terminal, positionals[0] ?? "");
    const input = { key: randomUUID(), ts: new Date().toISOString() };
    const held =
      change === null ? await listOrders(data.store, key) : await changeOrder(data.store, key, change, input);
    const { stdout } = terminal;
    for (const order of held)
      if (values.json === true) writeJson(stdout, order);
      else
        stdout.write(
          `${paint(stdout, "dim", order.id)}  ${order.kind.padEnd(10)}  ${plainLine(order.text)}${order.by === "agent" ? paint(stdout, "dim", "  (noted by the agent)") : ""}\n`,
        );
    return EXIT.ok;
  },
};

type Values = Partial<Readonly<Record<"add" | "set" | "text" | "remove" | "kind", string>>>;

/** Returns the requested change, or null when the orders are only listed. */
function readChange({ add, set, text, remove, kind }: Values): OrderChange | null {
  const about = kind === undefined ? {} : { kind: readKind(kind) };
  const asked = [add, set, remove].filter((each) => each !== undefined);
  if (asked.length > 1) throw usageError("Give only one of --add, --set and --remove.");
  if (add !== undefined) return { text: add, ...about };
  if (remove !== undefined) return { id: remove };
  if (set === undefined) return null;
  if (text === undefined) throw usageError("--set needs --text with the new words of the order.");
  return { id: set, text, ...about };
}

function readKind(kind: string): OrderKind {
  const known = ORDER_KINDS.find((each) => each === kind);
  if (known === undefined) throw usageError(`There is no kind ${kind}. Use ${ORDER_KINDS.join(", ")}.`);
  return known;
}
