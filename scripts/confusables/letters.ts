/**
 * Which code points read as which letters of a header.
 *
 * A character has up to four readings: what it looks like, what its lower or upper case looks like, and what it is
 * without its form (full-width, circled, mathematical). Marks on it do not count. Letters that one character may both
 * stand for are one class, named by its first member. People can distinguish some letters of one class. Treating these
 * letters as one does no harm, because all letters of a header must match.
 */

/** A letter, or the dot that occurs in a header. */
const LETTER = /^(?:[a-z]{1,3}|\.)$/;
/** Small capitals, which neither decompose nor have a case. */
const SMALL_CAPITALS = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡ ʏᴢ";
/** Letters in black circles and squares, and letters of flags: alphabets that begin at these code points. */
const ALPHABETS = [0x1f150, 0x1f170, 0x1f1e6];

/** Code points by the letters they read as. */
export function foldedLetters(confusables: ReadonlyMap<number, string>): Map<string, number[]> {
  const readings = new Map<number, Set<string>>();
  for (let point = 0; point <= 0x10ffff; point++) {
    const found = readingsOf(point, confusables);
    if (found.size > 0) readings.set(point, found);
  }
  const nameOf = letterClasses(readings.values());
  const folded = new Map<string, number[]>();
  for (const [point, [first = ""]] of readings) {
    const key = canonical(first, nameOf);
    const points = folded.get(key);
    if (points === undefined) folded.set(key, [point]);
    else points.push(point);
  }
  return folded;
}

function readingsOf(point: number, confusables: ReadonlyMap<number, string>): Set<string> {
  if (point >= 0xd800 && point <= 0xdfff) return new Set();
  const character = String.fromCodePoint(point);
  if (/[\p{M}\p{C}\p{Z}]/u.test(character) && !/\p{L}/u.test(character)) return new Set();
  const spellings = [character, character.toLowerCase(), character.toUpperCase(), character.normalize("NFKD")];
  const looks = [...spellings, ...spellings.map((each) => skeleton(each, confusables))];
  return new Set([...looks.flatMap((look) => [look, knownForm(look)]).map(bare)].filter((look) => LETTER.test(look)));
}

function skeleton(text: string, confusables: ReadonlyMap<number, string>): string {
  return [...text.normalize("NFD")].map((each) => confusables.get(each.codePointAt(0) ?? 0) ?? each).join("");
}

/** The text without marks, joiners and the parentheses of parenthesised letters, in lower case. */
function bare(text: string): string {
  const plain = text
    .normalize("NFKD")
    .replace(/[\p{M}\p{C}]/gu, "")
    .toLowerCase();
  return /^\(.\)$/u.test(plain) ? plain.slice(1, -1) : plain;
}

function knownForm(text: string): string {
  return [...text.normalize("NFKD").replace(/\p{M}/gu, "")].map(letterOfForm).join("");
}

function letterOfForm(character: string): string {
  const small = [...SMALL_CAPITALS].indexOf(character);
  if (small !== -1) return "abcdefghijklmnopqrstuvw yz"[small] ?? character;
  const point = character.codePointAt(0) ?? 0;
  const start = ALPHABETS.find((each) => point >= each && point < each + 26);
  return start === undefined ? character : String.fromCharCode(97 + point - start);
}

/** Letters that look like each other, each with the name of its class. */
function letterClasses(readings: Iterable<ReadonlySet<string>>): Map<string, string> {
  const nameOf = new Map([..."abcdefghijklmnopqrstuvwxyz."].map((letter) => [letter, letter]));
  const merge = (a: string, b: string) => {
    const [from = a, to = b] = [nameOf.get(a), nameOf.get(b)].sort().reverse();
    for (const [letter, name] of nameOf) if (name === from) nameOf.set(letter, to);
  };
  for (const looks of readings) {
    const [first, ...others] = [...looks].filter((look) => look.length === 1);
    if (first !== undefined) for (const other of others) merge(first, other);
  }
  return nameOf;
}

/** The letters of a reading as names of their classes; m is written r n, and w is written v v. */
function canonical(reading: string, nameOf: ReadonlyMap<string, string>): string {
  const spelled = reading.replaceAll("m", "rn").replaceAll("w", "vv");
  return [...spelled].map((letter) => nameOf.get(letter) ?? letter).join("");
}
