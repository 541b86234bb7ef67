/** The items of a request, with references to earlier answers of the simulator resolved. */
import type { JsonObject } from "@cairn/timeline";
import { type InputItem, inputItem, type ResolvedItem, type ResponsesBody } from "../body/openai-responses.ts";
import { refuse } from "../openai/errors.ts";

export function resolveItems(
  { input }: ResponsesBody,
  storedItem: (id: string) => JsonObject | undefined,
): ResolvedItem[] {
  const items: readonly InputItem[] = typeof input === "string" ? [{ role: "user", content: input }] : input;
  if (items.length === 0)
    throw refuse(
      'One of "input" or "previous_response_id" or "prompt" or "conversation" must be provided.',
      "missing_required_parameter",
      "input",
    );
  return items.map((item) => {
    if (item.type !== "item_reference") return item;
    const found = inputItem.safeParse(storedItem(item.id));
    if (!found.success || found.data.type === "item_reference")
      throw refuse(
        `Item with id '${item.id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
        null,
        "input",
      );
    return found.data;
  });
}
