/**
 * `fetch` without the limits of Node's client, which times out after 300 s without headers or without body data. Models
 * may think longer; `silenceMs` of the model sets the timeout.
 *
 * Node's client takes these limits from the process's dispatcher, or with each request. The dispatcher is kept, so that
 * proxies and other settings of the program stay in effect. The package `undici` would also give access to the
 * dispatcher, but loading the package replaces it for the whole process.
 */
interface Dispatcher {
  dispatch(options: object, handler: object): boolean;
}

/** The symbol under which Node and every version of undici store the dispatcher of the process. */
const PLACE = Symbol.for("undici.globalDispatcher.1");

const withoutLimits: Dispatcher = {
  dispatch: (options, handler) =>
    dispatcherOfProcess().dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
};

function dispatcherOfProcess(): Dispatcher {
  return (globalThis as unknown as Readonly<Record<symbol, Dispatcher>>)[PLACE] as Dispatcher;
}

/** Any request, even one that fails, makes Node load its HTTP client and set the dispatcher. */
export const patientFetch: typeof globalThis.fetch = (resource, init) =>
  // Node's `fetch` accepts a dispatcher, which the web's types do not include.
  globalThis.fetch(resource, { ...init, dispatcher: withoutLimits } as RequestInit);
