/** Whether the process can run Cairn. Loads nothing that an older Node does not have. */
import { CairnError } from "@cairn/timeline/error";

/** The first version in which `node:sqlite` has all that the store uses. */
const OLDEST = "22.16";

/** Throws `old_node`. Bun and Deno name a version of Node too, but have modules of their own. */
export function checkNode({ node, bun, deno }: NodeJS.ProcessVersions = process.versions): void {
  const isOld = node.localeCompare(OLDEST, "en", { numeric: true }) < 0;
  if (isOld && bun === undefined && deno === undefined)
    throw new CairnError("old_node", `Cairn needs Node ${OLDEST} or newer; this is ${node}.`, { node });
}
