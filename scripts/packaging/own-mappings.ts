/** Source maps without the libraries, which are minified: a map names our files and lines, and "unknown" for the rest. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { decode, encode, type SourceMapSegment } from "@jridgewell/sourcemap-codec";

interface SourceMap {
  readonly sources: readonly string[];
  readonly mappings: string;
}

/** `file` is a JavaScript file with a map beside it. A file without code of ours loses its map. */
export function keepOwnMappings(file: string): void {
  const map: SourceMap = JSON.parse(readFileSync(`${file}.map`, "utf8"));
  const isOwn = map.sources.map((source) => source.includes("packages/") && !source.includes("node_modules/"));
  if (!isOwn.includes(true)) {
    rmSync(`${file}.map`);
    writeFileSync(file, readFileSync(file, "utf8").replace(/\/\/# sourceMappingURL=.*\n?$/, ""));
    return;
  }
  const lines = decode(map.mappings).map((segments) => {
    const kept: SourceMapSegment[] = [];
    for (const segment of segments) {
      if (segment.length > 1 && isOwn[Number(segment[1])]) kept.push(segment);
      // One segment without a source marks the end of our code.
      else if (kept.at(-1)?.length !== 1) kept.push([segment[0]]);
    }
    return kept;
  });
  writeFileSync(`${file}.map`, JSON.stringify({ ...map, mappings: encode(lines) }));
}
