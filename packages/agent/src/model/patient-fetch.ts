/**
 * `fetch` without the limits of Node's client, which gives up after 300 s without headers or without a piece of the body.
 * Models may think longer; how long is waited for them is `silenceMs` of the model.
 *
 * The process's own dispatcher is used, so that proxies and whatever else a program set up stay in effect.
 */
import { type Dispatcher, getGlobalDispatcher, fetch as undiciFetch } from "undici";

const withoutLimits: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler);

// The package's `fetch`, not Node's own: a dispatcher works with the `fetch` of its version only.
const fetchWith = undiciFetch as unknown as (
  resource: Parameters<typeof globalThis.fetch>[0],
  init: RequestInit & { readonly dispatcher: Dispatcher },
) => Promise<Response>;

export const patientFetch: typeof globalThis.fetch = (resource, init) =>
  fetchWith(resource, { ...init, dispatcher: getGlobalDispatcher().compose(withoutLimits) });
