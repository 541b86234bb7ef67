/** Checks which files may be attached, by their number and sizes. Other files are rejected with the reason. */
import { formatBytes } from "../text/format-time.ts";

export interface AttachmentLimits {
  /** Maximum size of all files of a message together. */
  readonly upload_bytes: number;
  readonly attachments: number;
  readonly message_chars: number;
}

export interface Admission {
  readonly admitted: readonly File[];
  readonly problems: readonly string[];
}

export function admitFiles(present: readonly File[], added: readonly File[], limits: AttachmentLimits): Admission {
  const admitted = [...present];
  const problems: string[] = [];
  let total = present.reduce((sum, { size }) => sum + size, 0);
  for (const file of added) {
    if (admitted.length >= limits.attachments)
      problems.push(`${file.name}: a message can have at most ${limits.attachments} files.`);
    else if (total + file.size > limits.upload_bytes)
      problems.push(
        `${file.name} is too large: the files of a message together can have at most ${formatBytes(limits.upload_bytes)}.`,
      );
    else if (file.size === 0) problems.push(`${file.name} is empty.`);
    else {
      admitted.push(file);
      total += file.size;
    }
  }
  return { admitted, problems };
}
