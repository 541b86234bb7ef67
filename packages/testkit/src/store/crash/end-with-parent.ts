/**
 * Imported by every child: when the parent dies, its end of the pipe closes, and the child exits. The open pipe keeps a
 * child alive, so it ends by `process.exit`.
 */
process.stdin.on("end", () => process.exit(1));
process.stdin.resume();
