/** How long a test that waits for disks and sockets thousands of times may take, in milliseconds, on a busy machine. */
export const patience = process.env.CAIRN_LONG === "1" ? 10_800_000 : 900_000;
