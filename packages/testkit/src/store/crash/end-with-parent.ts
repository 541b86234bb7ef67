/**
 * Every child imports this file: when the parent dies, its end of the pipe closes, and the child exits. An open pipe
 * keeps a child alive, so a child ends by `process.exit`.
 */
process.stdin.on("end", () => process.exit(1));
process.stdin.resume();
