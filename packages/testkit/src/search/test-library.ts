/** Ten short documents about invented hills, for tests of search that must not depend on the documentation. */
import { fileURLToPath } from "node:url";

export const TEST_LIBRARY = fileURLToPath(new URL("../../library", import.meta.url));
