/** Checks that Cairn can run on this Node. Loads no module that an older Node lacks. */
import { CairnError } from "@cairn/timeline/error";

/** The first version in which `node:sqlite` has all functions that the store uses. */
const OLDEST = { major: 22, minor: 16 };

/** Throws `old_node`. Bun and Deno are accepted: they state a version of Node, but have their own modules. */
export function checkNode({ node, bun, deno }: NodeJS.ProcessVersions = process.versions): void {
  // `localeCompare` would load the rules of a language, which takes 5 ms.
  const [major = 0, minor = 0] = node.split(".").map(Number);
  const isOld = major < OLDEST.major || (major === OLDEST.major && minor < OLDEST.minor);
  if (isOld && bun === undefined && deno === undefined)
    throw new CairnError("old_node", `Cairn needs Node ${OLDEST.major}.${OLDEST.minor} or newer; this is ${node}.`, {
      node,
    });
}
