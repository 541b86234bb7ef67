/** The traits that a tool declares, and the traits that a call records. */
import { isJsonObject, type JsonObject, type RoundLabel, type ToolTraits } from "@cairn/timeline";

export interface DeclaredTraits extends Omit<ToolTraits, "label"> {
  /** A function computes the label from the parameters. It gets invalid parameters, too, and must not throw. */
  readonly label?: RoundLabel | ((params: JsonObject) => RoundLabel);
}

/** The field of a call block's meta that records the traits; empty for a tool without traits. */
export function traitsField(traits: DeclaredTraits | undefined, params: unknown): { readonly traits?: JsonObject } {
  if (traits === undefined) return {};
  const { label } = traits;
  const said = typeof label === "function" ? label(isJsonObject(params) ? params : {}) : label;
  return { traits: JSON.parse(JSON.stringify({ ...traits, label: said })) as JsonObject };
}
