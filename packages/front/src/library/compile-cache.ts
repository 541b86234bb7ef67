/**
 * Lets Node keep the compiled code of an installed package, so that the next start of an application does not compile it
 * again. The cache is in `node_modules/.cache/cairn-agent`, where whoever can write it can also write the code itself.
 * Node leaves it out where the folder cannot be written, where `NODE_DISABLE_COMPILE_CACHE` is set, and where the
 * application has chosen a cache of its own.
 */
import module from "node:module";
import { fileURLToPath } from "node:url";

const INSTALLED = /^(.*[\\/]node_modules)[\\/]/;

export function keepCompiledCode(here: string): void {
  const [, packages] = INSTALLED.exec(fileURLToPath(here)) ?? [];
  // Node only: Deno and Bun have no such cache.
  if (packages !== undefined) module.enableCompileCache?.(`${packages}/.cache/cairn-agent`);
}
