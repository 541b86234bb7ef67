/**
 * Lets Node keep the compiled code of an installed package, so that the next start of an application does not compile
 * it again. The cache is in `node_modules/.cache/cairn-agent`: anybody who can write there can also change the code
 * itself. Node uses no cache if the folder cannot be written, if `NODE_DISABLE_COMPILE_CACHE` is set, or if the
 * application has chosen another cache.
 */
import module from "node:module";
import { fileURLToPath } from "node:url";

const INSTALLED = /^(.*[\\/]node_modules)[\\/]/;

export function keepCompiledCode(here: string): void {
  const [, packages] = INSTALLED.exec(fileURLToPath(here)) ?? [];
  // Deno and Bun have no such cache.
  if (packages !== undefined) module.enableCompileCache?.(`${packages}/.cache/cairn-agent`);
}
