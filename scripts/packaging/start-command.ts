/**
 * The `cairn` command of the published package. Even an old Node must be able to parse this file, so that it can print
 * that it is too old.
 */
export function startCommand(oldest: string): string {
  const [major = "", minor = ""] = oldest.replace(/^\D+/, "").split(".");
  return `#!/usr/bin/env node
const [major, minor] = process.versions.node.split(".").map(Number);
if (major > ${major} || (major === ${major} && minor >= ${minor})) await import("../dist/main.js");
else {
  console.error(\`cairn: this is Node \${process.versions.node}, and Cairn needs ${major}.${minor} or newer.\`);
  process.exit(2);
}
`;
}
