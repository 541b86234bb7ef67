/**
 * The folder for data of test servers and stores: in the folder of the run, which may be in memory. Sandboxes and
 * durability tests use the system's temporary folder.
 */
import { tmpdir } from "node:os";

export const scratch = process.env.CAIRN_SCRATCH ?? tmpdir();
