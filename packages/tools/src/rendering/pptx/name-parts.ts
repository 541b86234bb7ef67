/**
 * The list of a presentation's parts, without those that are not there: pptxgenjs names a master for every slide, and has
 * one. Whoever checks a file strictly calls it damaged for that.
 */
import type JSZip from "jszip";

const LIST = "[Content_Types].xml";

export async function nameParts(zip: JSZip): Promise<void> {
  const list = await zip.file(LIST)?.async("string");
  if (list === undefined) return;
  zip.file(
    LIST,
    list.replace(/<Override PartName="\/([^"]+)"[^>]*\/>/g, (named, part: string) =>
      zip.file(part) === null ? "" : named,
    ),
  );
}
