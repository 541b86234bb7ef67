/** Parts that need optional packages are loaded when a setting asks for them. */
import { CairnError, errorCode } from "@cairn/timeline";

/** Throws `bad_setting` with the command that installs `packages`, if one of them is missing. */
export async function loadOptional<T>(load: () => Promise<T>, setting: string, packages: string): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (errorCode(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new CairnError("bad_setting", `${setting} needs optional packages. Install them: npm install ${packages}`);
  }
}
