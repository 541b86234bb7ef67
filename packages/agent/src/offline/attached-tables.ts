/** The tables among the attachments that were read: CSV and TSV files, and sheets of spreadsheets. */
import { isJsonObject, parseJsonObject } from "@cairn/timeline";
import { splitParts } from "../reader/document/parts.ts";
import { nameOf } from "./passages.ts";
import { readTable, type TableData } from "./read-table.ts";
import type { ToolFinding } from "./read-view.ts";
import type { Situation } from "./situation.ts";

export interface AttachedTable {
  readonly path: string;
  /** The name of the file, and of the sheet. */
  readonly name: string;
  readonly sid: number | null;
  /** Whether only the beginning of the file is in view. */
  readonly isPart: boolean;
  readonly data: TableData;
}

const TABLE = /\.(?:csv|tsv|xlsx|ods)$/i;

/** Tables that the message names come first, then attachments of the message, then the newest tables. */
export function attachedTables({ pasted, phrases, said, timeline, turn }: Situation): AttachedTable[] {
  const own = pasted === null ? null : readTable(pasted.text.trim());
  const [name, sid] = [phrases.yourMessage, null];
  const inMessage = own === null ? [] : [{ path: name, name, sid, isPart: false, data: own }];
  const findings = timeline.turns.flatMap((each) => each.findings);
  const partly = new Set(findings.flatMap(pathsShownInPart));
  const latest = new Map(
    findings
      .filter(({ path, tool }) => tool === "react.read" && path.startsWith("fi:") && TABLE.test(path))
      .map((finding) => [finding.path, finding]),
  );
  const message = said.toLowerCase();
  const rank = ({ path }: ToolFinding) =>
    message.includes(nameOf(path).toLowerCase()) ? 0 : turn.attachments.some((each) => each.path === path) ? 1 : 2;
  const ranked = [...latest.values()].reverse().sort((a, b) => rank(a) - rank(b));
  const read = ranked.flatMap(({ path, text, isClipped }) =>
    splitParts(text).flatMap(({ part, text: rows }) => {
      const data = readTable(rows);
      if (data === null) return [];
      const known = timeline.pool.find(({ place }) => place === path)?.sid ?? null;
      const label = part === null ? nameOf(path) : `${nameOf(path)}, ${part}`;
      return [{ path, name: label, sid: known, isPart: isClipped || partly.has(path), data }];
    }),
  );
  return [...inMessage, ...read];
}

/** The status of a read names the lines that are shown of each text that is shown in part. */
function pathsShownInPart({ path, text, tool }: ToolFinding): string[] {
  if (tool !== "react.read" || !path.startsWith("tc:")) return [];
  const lines = parseJsonObject(text)?.lines;
  return isJsonObject(lines) ? Object.keys(lines) : [];
}
