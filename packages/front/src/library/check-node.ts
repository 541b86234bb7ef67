/** Checks that Cairn can run on this Node. Loads no module that an older Node lacks. */
import { CairnError } from "@cairn/timeline/error";

/** The first version in which `node:sqlite` has all functions that the store uses. */
const OLDEST = "22.16";

/** Throws `old_node`. Bun and Deno are accepted: they state a version of Node, but have their own modules. */
export function checkNode({ node, bun, deno }: NodeJS.ProcessVersions = process.versions): void {
  const isOld = node.localeCompare(OLDEST, "en", { numeric: true }) < 0;
  if (isOld && bun === undefined && deno === undefined)
    throw new CairnError("old_node", `Cairn needs Node ${OLDEST} or newer; this is ${node}.`, { node });
}
