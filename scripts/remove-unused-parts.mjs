/**
 * Removes parts of files that nothing in this repository reads. A file that has another format, or no such part any
 * more, stays as it is. The new file replaces the old one, because the program that runs may be the file.
 */
import { linkSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Smaller files by the inode of the program that each replaces: npm gives the program of Node two names. */
const replaced = new Map();

/**
 * Removes the names of functions that a program for Linux keeps for debuggers: everything after the segments, because
 * the system loads only the segments.
 */
export function removeSymbols(file) {
  const { ino, mode } = statSync(file);
  const smaller = replaced.get(ino);
  if (smaller !== undefined) return replace(file, (path) => linkSync(smaller, path));
  const program = readFileSync(file);
  const isElf64 = program.readUInt32BE(0) === 0x7f454c46 && program[4] === 2 && program[5] === 1;
  if (!isElf64 || program.readBigUInt64LE(40) === 0n) return;
  const segments = Number(program.readBigUInt64LE(32));
  let end = 0;
  for (let n = 0; n < program.readUInt16LE(56); n++) {
    const at = segments + n * program.readUInt16LE(54);
    end = Math.max(end, Number(program.readBigUInt64LE(at + 8) + program.readBigUInt64LE(at + 32)));
  }
  // Without the table of sections, its place, length and names are 0.
  program.writeBigUInt64LE(0n, 40);
  program.writeUInt32LE(0, 60);
  replace(file, (path) => writeFileSync(path, program.subarray(0, end), { mode }));
  replaced.set(ino, fileURLToPath(file));
}

/** Removes the pictures in SVG from a font that draws the same pictures with outlines. */
export function removePictures(file) {
  const font = readFileSync(file);
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, n) => {
    const entry = font.subarray(12 + 16 * n, 28 + 16 * n);
    const at = entry.readUInt32BE(8);
    return { tag: entry.toString("latin1", 0, 4), entry, bytes: font.subarray(at, at + entry.readUInt32BE(12)) };
  });
  const kept = tables.filter(({ tag }) => tag !== "SVG ");
  if (kept.length === tables.length || !kept.some(({ tag }) => tag === "COLR")) return;
  const header = Buffer.from(font.subarray(0, 12));
  const power = Math.floor(Math.log2(kept.length));
  [kept.length, 16 * 2 ** power, power, 16 * (kept.length - 2 ** power)].forEach((value, n) => {
    header.writeUInt16BE(value, 4 + 2 * n);
  });
  let end = 12 + 16 * kept.length;
  const parts = kept.map(({ entry, bytes }) => {
    const place = Buffer.from(entry);
    place.writeUInt32BE(end, 8);
    const padded = Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
    end += padded.length;
    return { place, padded };
  });
  const whole = [header, ...parts.map(({ place }) => place), ...parts.map(({ padded }) => padded)];
  replace(file, (path) => writeFileSync(path, Buffer.concat(whole)));
}

function replace(file, write) {
  const beside = `${fileURLToPath(file)}.new`;
  write(beside);
  renameSync(beside, file);
}
