import { expect, test } from "vitest";
import { admitFiles } from "./admit-files.ts";

const limits = { upload_bytes: 100, attachments: 2, message_chars: 1000 };
const file = (name: string, size: number) => new File(["x".repeat(size)], name);

test("files are accepted until there are too many or they are too large together; each rejection is named", () => {
  const { admitted, problems } = admitFiles(
    [file("a", 60)],
    [file("big", 50), file("empty", 0), file("b", 40), file("c", 1)],
    limits,
  );
  expect(admitted.map(({ name }) => name)).toEqual(["a", "b"]);
  expect(problems).toEqual([
    "big is too large: the files of a message together can have at most 100 B.",
    "empty is empty.",
    "c: a message can have at most 2 files.",
  ]);
});
