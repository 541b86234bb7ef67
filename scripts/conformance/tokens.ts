/** The tokenizer, loaded when the first operation needs it: most runs never do. */
import { type CountTokens, loadTokenizer } from "@cairn/timeline";

let loading: Promise<CountTokens> | undefined;

export function countTokens(): Promise<CountTokens> {
  if (loading === undefined) loading = loadTokenizer();
  return loading;
}
