/**
 * Where servers and stores of tests keep their data: in the folder of the run, which may lie in memory. Sandboxes and
 * tests of what reaches the disk keep to the system's temporary folder.
 */
import { tmpdir } from "node:os";

export const scratch = process.env.CAIRN_SCRATCH ?? tmpdir();
