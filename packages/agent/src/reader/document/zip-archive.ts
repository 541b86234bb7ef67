/**
 * The entries of a ZIP archive, unpacked one at a time and within limits. An entry is cut to the size that the
 * archive's directory states, so an archive cannot unpack to more than the sizes that are checked here.
 */
import { CairnError } from "@cairn/timeline/error";
import { unzipSync, zipSync } from "fflate";
import { decodeBytes } from "./charset.ts";
import { attributeOf, walkXml } from "./xml.ts";

export type ArchiveKind = "docx" | "xlsx" | "pptx" | "odt" | "epub" | "archive" | "other";

/** The usual main parts, for office files that name no main part. */
const USUAL_MAIN_PARTS = ["word/document.xml", "xl/workbook.xml", "ppt/presentation.xml"];
const MAX_ENTRIES = 20_000;
const MAX_ENTRY_BYTES = 64_000_000;
const MAX_UNPACKED_BYTES = 200_000_000;

export class ZipArchive {
  readonly #bytes: Uint8Array;
  /** Size of the unpacked bytes of each entry. */
  readonly #sizes: ReadonlyMap<string, number>;
  #unpacked = 0;

  private constructor(bytes: Uint8Array, sizes: ReadonlyMap<string, number>) {
    this.#bytes = bytes;
    this.#sizes = sizes;
  }

  /** Throws `unreadable` for a damaged archive, and `too_large` for one that unpacks to more than the limit. */
  static open(bytes: Uint8Array): ZipArchive {
    const sizes = new Map<string, number>();
    let total = 0;
    unpack(bytes, ({ name, originalSize }) => {
      sizes.set(name, originalSize);
      total += originalSize;
      if (sizes.size > MAX_ENTRIES) throw tooLarge(`it has more than ${MAX_ENTRIES} entries`);
      return false;
    });
    if (total > MAX_UNPACKED_BYTES) throw tooLarge(`it unpacks to ${Math.round(total / 1_000_000)} MB`);
    return new ZipArchive(bytes, sizes);
  }

  has(name: string): boolean {
    return this.#sizes.has(name);
  }

  /** The text of an entry; null when the archive has no entry of that name. */
  text(name: string): string | null {
    const size = this.#sizes.get(name);
    if (size === undefined) return null;
    this.#count(name, size);
    const found = unpack(this.#bytes, (entry) => entry.name === name)[name];
    return found === undefined ? null : decodeBytes(found, undefined, true);
  }

  /**
   * A new archive without compression, with the entries whose names match. A library gets this archive, because it
   * would unpack the original without limits and hang on some damaged entries.
   */
  stored(fits: RegExp): Uint8Array {
    for (const [name, size] of this.#sizes) if (fits.test(name)) this.#count(name, size);
    return zipSync(
      unpack(this.#bytes, ({ name }) => fits.test(name)),
      { level: 0 },
    );
  }

  /** Like `text`, for a part that the document must have. */
  require(name: string): string {
    const text = this.text(name);
    if (text === null) throw new CairnError("unreadable", `The file is damaged: its part ${name} is missing.`);
    return text;
  }

  #count(name: string, size: number): void {
    this.#unpacked += size;
    if (size > MAX_ENTRY_BYTES || this.#unpacked > MAX_UNPACKED_BYTES)
      throw tooLarge(`its part ${name.slice(0, 100)} unpacks to ${Math.round(size / 1_000_000)} MB`);
  }

  /** The entries of the archive, according to its directory. */
  kind(): ArchiveKind {
    const mimetype = this.text("mimetype")?.trim();
    if (mimetype === "application/epub+zip") return "epub";
    if (mimetype?.startsWith("application/vnd.oasis.opendocument.text") === true) return "odt";
    if (mimetype?.startsWith("application/vnd.") === true) return "other";
    if (this.has("META-INF/container.xml")) return "epub";
    if (this.has("META-INF/manifest.xml") && this.has("content.xml")) return this.#kindOfManifest();
    const main = this.mainPart() ?? USUAL_MAIN_PARTS.find((name) => this.has(name));
    if (main?.endsWith(".bin") === true) return "other";
    const kind = this.#kindOfPart(main ?? "");
    return kind ?? (this.has("[Content_Types].xml") ? "other" : "archive");
  }

  /** The format is recognised by the usual name of the main part, otherwise by the content type in the archive. */
  #kindOfPart(main: string): ArchiveKind | null {
    const usual = { word: "docx", xl: "xlsx", ppt: "pptx" } as const;
    for (const [folder, kind] of Object.entries(usual)) if (main.startsWith(`${folder}/`)) return kind;
    let stated = "";
    walkXml(this.text("[Content_Types].xml") ?? "", {
      open: (name, attributes) => {
        if (name === "Override" && attributeOf(attributes, "PartName") === `/${main}`)
          stated = attributeOf(attributes, "ContentType") ?? "";
      },
    });
    if (stated.includes("wordprocessingml")) return "docx";
    if (stated.includes("spreadsheetml")) return "xlsx";
    return stated.includes("presentationml") ? "pptx" : null;
  }

  /** The kind of an OpenDocument file that lacks its media type at the beginning, where the format requires it. */
  #kindOfManifest(): ArchiveKind {
    let stated = "";
    walkXml(this.text("META-INF/manifest.xml") ?? "", {
      open: (_, attributes) => {
        if (attributeOf(attributes, "manifest:full-path") === "/")
          stated = attributeOf(attributes, "manifest:media-type") ?? "";
      },
    });
    return stated.startsWith("application/vnd.oasis.opendocument.text") ? "odt" : "other";
  }

  /** The main part of an office file; null when the file names no main part. */
  mainPart(): string | null {
    return this.relations("").find(({ type }) => type.endsWith("/officeDocument"))?.target ?? null;
  }

  /** The references of a part of an office file within the archive, in order; `""` for the whole file. */
  relations(part: string): readonly Relation[] {
    const slash = part.lastIndexOf("/") + 1;
    const folder = part.slice(0, slash);
    const xml = this.text(`${folder}_rels/${part.slice(slash)}.rels`);
    const found: Relation[] = [];
    if (xml !== null)
      walkXml(xml, {
        open: (name, attributes) => {
          if (name !== "Relationship" || attributeOf(attributes, "TargetMode") === "External") return;
          const [id, type, target] = ["Id", "Type", "Target"].map((key) => attributeOf(attributes, key) ?? "");
          found.push({ id: id ?? "", type: type ?? "", target: resolveEntry(folder, target ?? "") });
        },
      });
    return found;
  }
}

export interface Relation {
  readonly id: string;
  readonly type: string;
  /** Name of the archive entry that the relationship points to. */
  readonly target: string;
}

/** The name of the entry that a relative address within an archive means. */
export function resolveEntry(folder: string, address: string): string {
  const segments = address.startsWith("/") ? [] : folder.split("/").filter((segment) => segment !== "");
  for (const segment of (address.split("#", 1)[0] ?? "").split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "." && segment !== "") segments.push(segment);
  }
  return segments.join("/");
}

function unpack(...given: Parameters<typeof unzipEntries>): Record<string, Uint8Array> {
  try {
    return unzipEntries(...given);
  } catch (error) {
    if (CairnError.is(error)) throw error;
    const why = error instanceof Error ? error.message : "unknown";
    throw new CairnError(
      "unreadable",
      `The file is damaged or was not sent completely: it cannot be unpacked (${why}).`,
    );
  }
}

type EntryFilter = (entry: { readonly name: string; readonly originalSize: number }) => boolean;

function unzipEntries(bytes: Uint8Array, filter: EntryFilter): Record<string, Uint8Array> {
  return unzipSync(bytes, { filter });
}

function tooLarge(why: string): CairnError {
  return new CairnError("too_large", `The file cannot be read: ${why}. Send a smaller file.`);
}
