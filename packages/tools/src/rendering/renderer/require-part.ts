/** Large dependencies are optional. A missing one is named when it is needed. */
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { CairnError, errorCode } from "@cairn/timeline/error";

export async function requirePart<T>(load: () => Promise<T>, name: string): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (errorCode(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new CairnError("renderer_missing", `This format needs the package ${name}. Run: npm install ${name}`, {
      package: name,
    });
  }
}

const require = createRequire(import.meta.url);

/** Whether an optional package is installed. */
export function hasPart(name: string): boolean {
  return partFolder(name) !== null;
}

/** The folder of an optional package; null when it is not installed. */
export function partFolder(name: string): string | null {
  try {
    return dirname(require.resolve(`${name}/package.json`));
  } catch (error) {
    if (errorCode(error) === "MODULE_NOT_FOUND") return null;
    // If a package does not export its manifest, its entry point shows that it is installed.
    return dirname(require.resolve(name));
  }
}
