/**
 * The Node processes that system tests start preload this file: an import of a source file that is in the bundle loads
 * the file of the bundle. All imports of a process get the same module, whether they come from the command, from a
 * configuration or from a script of the tests.
 */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

const list = new URL("../../.tests/bundle/modules.json", import.meta.url);
const bundled = new Map(Object.entries(JSON.parse(readFileSync(list, "utf8"))));

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const url = bundled.get(found.url);
    return url === undefined ? found : { ...found, url, format: "module" };
  },
});
