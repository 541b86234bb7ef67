/** Timeout in milliseconds, on a busy machine, of a test that waits for disks and sockets thousands of times. */
export const patience = process.env.CAIRN_LONG === "1" ? 10_800_000 : 900_000;
