/**
 * A text as passages: pieces of about one screen that are found and shown separately. The text is cut at blank lines
 * where there are any, else at line ends, sentences or spaces. All passages together, in order, are the text.
 */
const WANTED = 1_200;
const MAX_PASSAGE_CHARS = 1_800;

export function splitPassages(text: string): string[] {
  const passages: string[] = [];
  let start = 0;
  while (text.length - start > MAX_PASSAGE_CHARS) {
    const end = start + cutAt(text.slice(start, start + MAX_PASSAGE_CHARS));
    passages.push(text.slice(start, end));
    start = end;
  }
  if (start < text.length) passages.push(text.slice(start));
  return passages;
}

/** The last good place to cut, after at least a third of the target length. */
function cutAt(piece: string): number {
  const wanted = piece.slice(0, WANTED);
  for (const gap of [/\n\s*\n/g, /\n/g, /[.!?。！？]["'”’)]?\s/g, /\s/g]) {
    let last = -1;
    for (const { index, 0: found } of wanted.matchAll(gap)) last = index + found.length;
    if (last > WANTED / 3) return last;
  }
  // The cut never splits a surrogate pair.
  const end = piece.length;
  const code = piece.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}
