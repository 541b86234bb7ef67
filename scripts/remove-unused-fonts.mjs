// Runs after `npm install`. Each font package has every weight of its family, and documents use a few of them. The
// Chinese and the Korean family alone would take 150 MB; two weights of each take 33.
import { existsSync, readdirSync, rmSync } from "node:fs";

const USED = ["400Regular", "700Bold"];

for (const family of ["noto-sans-sc", "noto-sans-kr"]) {
  const folder = new URL(`../node_modules/@expo-google-fonts/${family}/`, import.meta.url);
  if (!existsSync(folder)) continue;
  for (const name of readdirSync(folder))
    if (/^\d00/.test(name) && !USED.includes(name)) rmSync(new URL(name, folder), { recursive: true });
}
