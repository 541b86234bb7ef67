/**
 * Ways out through the interpreter itself: from Python to JavaScript, by modules, threads and hidden runtime features.
 */
import type { Attack } from "./attack.ts";

const text = JSON.stringify;

export const INTERPRETER: readonly Attack[] = [
  {
    name: "interpreter internals: from pyodide to JavaScript, to files",
    language: "python",
    control: "pyodide",
    ways: ["Deno", "run_js", "process", "write", "constructor"],
    code: ({ secretFile, secret, outside }) => `
def attack():
    import js
    from pyodide.code import run_js
    won, last = [], None
    for name, way in (
        ("Deno", lambda: js.Deno.readTextFileSync(${text(secretFile)})),
        ("run_js", lambda: run_js("Deno.readTextFileSync(${secretFile})".replace("(/", "('/").replace(")", "')"))),
        ("process", lambda: js.process.getBuiltinModule("node:fs").readFileSync(${text(secretFile)}, "utf8")),
        ("write", lambda: js.Deno.writeTextFileSync(${text(`${outside}/pyodide`)}, ${text(secret)}) or ${text(secret)}),
        ("constructor", lambda: js.Function.new("return Deno.readTextFileSync(" + repr(${text(secretFile)}) + ")")()),
    ):
        try:
            if str(way()) == ${text(secret)}:
                won.append(name)
        except BaseException as error:
            last = error
    if not won:
        raise last
    return won`,
  },
  {
    name: "interpreter internals: from pyodide to JavaScript, to programs and libraries",
    language: "python",
    control: "pyodide",
    ways: ["Command", "dlopen", "kill"],
    code: ({ outside, victimPid }) => `
def attack():
    import js
    from pyodide.ffi import to_js
    won, last = [], None
    def command():
        options = to_js({"args": [${text(`${outside}/touched`)}]}, dict_converter=js.Object.fromEntries)
        return js.Deno.Command.new("touch", options).outputSync().success
    for name, way in (
        ("Command", command),
        ("dlopen", lambda: js.Deno.dlopen("libc.so.6", js.JSON.parse('{"getpid":{"parameters":[],"result":"i32"}}'))),
        ("kill", lambda: js.Deno.kill(${victimPid}, "SIGCONT") or True),
    ):
        try:
            if way():
                won.append(name)
        except BaseException as error:
            last = error
    if not won:
        raise last
    return won`,
  },
  {
    name: "interpreter internals: a file as a module",
    language: "js",
    control: "node",
    code: ({ secretJson, secret }) => `
const attack = async () => (await import("file://${secretJson}", { with: { type: "json" } })).default.secret === ${text(secret)};`,
  },
  {
    name: "interpreter internals: a file as a module, imported before anything runs",
    language: "js",
    control: "node",
    isWhole: true,
    code: ({ secretJson, secret }) => `
import secrets from "file://${secretJson}" with { type: "json" };
console.log(secrets.secret === ${text(secret)} ? "ESCAPED" : "CONTAINED");`,
  },
  {
    name: "interpreter internals: require of a file",
    language: "js",
    control: "node",
    code: ({ secretJson, secret }) => `
const attack = async () => require(${text(secretJson)}).secret === ${text(secret)};`,
  },
  {
    name: "interpreter internals: a worker with rights of its own",
    language: "js",
    control: "deno",
    code: ({ secretFile, secret }) => `
const attack = () => new Promise((resolve, reject) => {
  const code = "try { self.postMessage(Deno.readTextFileSync(" + ${text(text(secretFile))} + ")) } catch (error) { self.postMessage(error.message) }";
  const worker = new Worker("data:application/javascript," + encodeURIComponent(code), {
    type: "module",
    deno: { permissions: { read: true, write: true, net: true, run: true } },
  });
  const end = (act) => { worker.terminate(); act(); };
  worker.onmessage = ({ data }) => end(() => (data === ${text(secret)} ? resolve(true) : reject(new Error(data))));
  worker.onerror = (event) => { event.preventDefault(); end(() => reject(new Error(event.message))); };
});`,
  },
  {
    name: "interpreter internals: a thread",
    language: "js",
    control: "node",
    code: ({ secretFile, secret }) => `
import { Worker } from "node:worker_threads";
const attack = () => new Promise((resolve, reject) => {
  const code = "require('node:worker_threads').parentPort.postMessage(require('node:fs').readFileSync(" + ${text(text(secretFile))} + ", 'utf8'))";
  const worker = new Worker(code, { eval: true });
  worker.on("message", (data) => resolve(data === ${text(secret)}));
  worker.on("error", reject);
});`,
  },
  {
    name: "interpreter internals: what Deno keeps to itself",
    language: "js",
    control: "deno",
    ways: ["permissions", "ffi", "run", "vm", "symlink"],
    code: ({ secretFile, secret }) => `
const path = ${text(secretFile)};
const ways = {
  permissions: async () => { await Deno.permissions.request({ name: "read", path }); return Deno.readTextFileSync(path); },
  ffi: () => { Deno.dlopen("libc.so.6", { getpid: { parameters: [], result: "i32" } }); return ${text(secret)}; },
  run: () => new TextDecoder().decode(new Deno.Command("cat", { args: [path] }).outputSync().stdout),
  vm: () => require("node:vm").runInNewContext("read(path)", { path, read: require("node:fs").readFileSync }).toString(),
  symlink: () => { Deno.symlinkSync(path, OUTPUT_DIR + "/turn_0/files/way"); return Deno.readTextFileSync(OUTPUT_DIR + "/turn_0/files/way"); },
};
const attack = async () => {
  const won = [];
  let last;
  for (const [name, way] of Object.entries(ways)) try { if ((await way()) === ${text(secret)}) won.push(name); } catch (error) { last = error; }
  if (won.length === 0) throw last;
  return won.join(" ");
};`,
  },
  {
    name: "interpreter internals: a link made by WASI",
    language: "js",
    control: "deno",
    code: ({ secretFile, secret }) => `
import { readFileSync } from "node:fs";
const attack = async () => {
  const { WASI } = await import("node:wasi");
  const wasi = new WASI({ version: "preview1", preopens: { "/": OUTPUT_DIR + "/turn_0/files" } });
  const memory = new WebAssembly.Memory({ initial: 1 });
  wasi.initialize({ exports: { memory } });
  const put = (at, text) => new TextEncoder().encodeInto(text, new Uint8Array(memory.buffer, at)).written;
  const status = wasi.wasiImport.path_symlink(0, put(0, ${text(secretFile)}), 3, 4096, put(4096, "by-wasi"));
  if (status !== 0) throw new Error("WASI answered " + status);
  return readFileSync(OUTPUT_DIR + "/turn_0/files/by-wasi", "utf8") === ${text(secret)};
};`,
  },
  {
    // Environment variables can make system libraries load other libraries.
    name: "interpreter internals: variables that have libraries loaded",
    language: "js",
    control: "deno",
    ways: ["set", "process", "file"],
    code: () => `
import { writeFileSync } from "node:fs";
const file = OUTPUT_DIR + "/turn_0/files/.env";
const ways = {
  set: (name) => Deno.env.set(name, file),
  process: (name) => { process.env[name] = file; },
  file: (name) => { writeFileSync(file, name + "=" + file); process.loadEnvFile(file); },
};
const attack = async () => {
  const won = [];
  let last = new Error("nothing was set");
  for (const [way, set] of Object.entries(ways))
    try { set("VK_DRIVER_FILES_" + way); if (Deno.env.get("VK_DRIVER_FILES_" + way) === file) won.push(way); } catch (error) { last = error; }
  if (won.length === 0) throw last;
  return won.join(" ");
};`,
  },
  {
    name: "interpreter internals: variables that have libraries loaded",
    language: "python",
    control: "pyodide",
    code: () => `
def attack():
    import js
    js.Deno.env.set("VK_DRIVER_FILES", "/tmp/driver.json")
    return js.Deno.env.get("VK_DRIVER_FILES") == "/tmp/driver.json"`,
  },
  {
    // The control is directed to the canary for packages; a request there counts as success.
    name: "interpreter internals: packages from elsewhere",
    language: "js",
    control: "deno",
    evidence: "canary",
    code: ({ httpPort }) => `
process.env.NPM_CONFIG_REGISTRY = "http://127.0.0.1:${httpPort}/";
const attack = async () => {
  let last;
  for (const name of ["npm:cairn-canary", "jsr:@cairn/canary", "http://127.0.0.1:${httpPort}/x.mjs"])
    try { await import(name); } catch (error) { last = error; }
  throw last;
};`,
  },
];
