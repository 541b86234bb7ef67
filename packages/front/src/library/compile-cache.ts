/**
 * Lets Node keep the compiled code of an installed package, so that the next start of an application does not compile
 * it again. The cache is in `node_modules/.cache/cairn-agent`: anybody who can write there can also change the code
 * itself. Node uses no cache if the folder cannot be written, if `NODE_DISABLE_COMPILE_CACHE` is set, or if the
 * application has chosen another cache.
 */
const INSTALLED = /^(.*[\\/]node_modules)[\\/]/;

export function keepCompiledCode(here: string): void {
  // The modules are not imported, so that `agent` and `tool` can be imported where Node's modules are missing.
  const [, packages] = INSTALLED.exec(process.getBuiltinModule("node:url").fileURLToPath(here)) ?? [];
  // Deno and Bun have no such cache.
  if (packages !== undefined)
    process.getBuiltinModule("node:module").enableCompileCache?.(`${packages}/.cache/cairn-agent`);
}
