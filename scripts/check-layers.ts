/** `node scripts/check-layers.ts`: fails on an import against the layer order, a cycle, or a clock in the engine. */
import { join } from "node:path";
import { checkLayers } from "./layers/layer-violations.ts";

const { files, violations } = checkLayers(join(import.meta.dirname, ".."));
for (const violation of violations) console.error(violation);
console.log(`${files} files, ${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
