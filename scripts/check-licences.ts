/** `node scripts/check-licences.ts`: fails on a library of the published package whose licence is not allowed. */
import { isAllowed, librariesOfUsers } from "./packaging/licences.ts";

const libraries = librariesOfUsers();
const refused = libraries.filter((library) => !isAllowed(library));
for (const { name, licence } of refused) console.error(`${name}: ${licence ?? "states no licence"}`);
const counts = new Map<string, number>();
for (const { licence } of libraries) counts.set(licence ?? "none", (counts.get(licence ?? "none") ?? 0) + 1);
console.log([...counts].map(([licence, count]) => `${count} ${licence}`).join(", "));
console.log(`${libraries.length} libraries, ${refused.length} not allowed`);
if (refused.length > 0)
  console.error("Use another library, or read its licence and add it to scripts/packaging/licences.ts.");
process.exitCode = refused.length === 0 ? 0 : 1;
