/** Addresses of the server, which may serve the app and its API below a path of another application. */
import { addressOf, type Endpoint, type ParamsOf } from "@cairn/api";

/** Path at which the app is mounted, such as `/support`; empty at the root. The page has it in `data-prefix`. */
export const PREFIX = prefixOf(globalThis.document?.documentElement.dataset.prefix);

export function serverAddress<E extends Endpoint>(
  endpoint: E,
  params: ParamsOf<E>,
  query?: Readonly<Record<string, string | number | undefined>>,
): string {
  return `${PREFIX}${addressOf(endpoint, params, query)}`;
}

/** If no server has set the attribute, the page is at the root. */
function prefixOf(written: string | undefined): string {
  return written?.startsWith("/") === true ? written.replace(/\/$/, "") : "";
}
