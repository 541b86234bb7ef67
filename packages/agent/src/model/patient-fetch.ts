/**
 * `fetch` without the limits of Node's client, which gives up after 300 s without headers or without a piece of the body.
 * Models may think longer; how long is waited for them is `silenceMs` of the model.
 *
 * Node's client takes these limits from the process's dispatcher, or with each request. The dispatcher is kept, so that
 * proxies and whatever else a program has set up stay in effect. The package `undici` would give access to it too, but
 * loading it replaces the dispatcher of the whole process.
 */
interface Dispatcher {
  dispatch(options: object, handler: object): boolean;
}

/** Where Node and every version of undici keep the dispatcher of the process. */
const PLACE = Symbol.for("undici.globalDispatcher.1");

const withoutLimits: Dispatcher = {
  dispatch: (options, handler) =>
    dispatcherOfProcess().dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
};

function dispatcherOfProcess(): Dispatcher {
  return (globalThis as unknown as Readonly<Record<symbol, Dispatcher>>)[PLACE] as Dispatcher;
}

/** A request that is under way has loaded Node's client, and with it the dispatcher. */
export const patientFetch: typeof globalThis.fetch = (resource, init) =>
  // Node's `fetch` takes a dispatcher; the web's types do not know of it.
  globalThis.fetch(resource, { ...init, dispatcher: withoutLimits } as RequestInit);
