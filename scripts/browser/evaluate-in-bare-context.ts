/** The process behind `evaluateWithBundle`: reads `{chunks, entry, source}` as JSON, writes the result as JSON. */
import { text } from "node:stream/consumers";
import { createContext, type Module, SourceTextModule } from "node:vm";

interface Job {
  readonly chunks: readonly (readonly [name: string, text: string])[];
  readonly entry: string;
  readonly source: string;
}

/** Web APIs that every browser has and the engine may use. */
const webGlobals = { TextEncoder, TextDecoder, URL, structuredClone, AbortController, AbortSignal, btoa, atob };

const { chunks, entry, source }: Job = JSON.parse(await text(process.stdin));
const texts = new Map([...chunks, ["main", source]]);
const context = createContext({ ...webGlobals });
const modules = new Map<string, SourceTextModule>();

function moduleFor(specifier: string): SourceTextModule {
  const name = specifier === "bundle" ? entry : specifier.replace(/^\.\//, "");
  const known = modules.get(name);
  if (known !== undefined) return known;
  const code = texts.get(name);
  if (code === undefined) throw new Error(`there is no module "${specifier}"`);
  const module = new SourceTextModule(code, { context, identifier: name, importModuleDynamically: loadLazily });
  modules.set(name, module);
  return module;
}

async function loadLazily(specifier: string): Promise<Module> {
  const module = moduleFor(specifier);
  if (module.status === "unlinked") await module.link(moduleFor);
  await module.evaluate();
  return module;
}

const main = await loadLazily("main");
console.log(JSON.stringify((await Reflect.get(main.namespace, "default")) ?? null));
