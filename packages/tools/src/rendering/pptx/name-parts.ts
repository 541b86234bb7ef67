/** Removes missing parts from a presentation's list of parts: strict readers would call the file damaged. */
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
