/**
 * Node loads this module before each program. When the program ends, the module writes the processor time until the
 * first text in milliseconds, and the largest resident memory in kilobytes.
 */
import { writeSync } from "node:fs";

const write = process.stdout.write.bind(process.stdout);
let cpuMs = 0;
process.stdout.write = (...args) => {
  if (cpuMs === 0) {
    const { user, system } = process.cpuUsage();
    cpuMs = (user + system) / 1_000;
  }
  return write(...args);
};
process.on("exit", () => writeSync(3, JSON.stringify({ cpuMs, kilobytes: process.resourceUsage().maxRSS })));
