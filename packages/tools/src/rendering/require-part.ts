/** Heavy parts are optional: whoever makes no documents installs none. One that is missing is named when it is needed. */
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { CairnError } from "@cairn/timeline";

export async function requirePart<T>(load: () => Promise<T>, name: string): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) throw error;
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

/** Where an optional package lies; null when it is not installed. */
export function partFolder(name: string): string | null {
  try {
    return dirname(require.resolve(`${name}/package.json`));
  } catch (error) {
    if (isNotFound(error)) return null;
    // A package may keep its manifest to itself; its entry then says that it is there.
    return dirname(require.resolve(name));
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND";
}
