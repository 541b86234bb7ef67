import { anyCharacter } from "@cairn/testkit/any-character";
import { runs } from "@cairn/testkit/runs";
import { resolvePath } from "@cairn/timeline";
import fc from "fast-check";
import { expect, it } from "vitest";
import { hostingFields } from "../../workspace/hosting-fields.ts";
import type { ArrivedAttachment } from "./arrived-attachment.ts";
import { attachmentBlocks } from "./attachment-blocks.ts";

const key = { tenant: "t", project: "p", user: "u", conversation: "c" };
const arrived = (name: string): ArrivedAttachment => ({
  name,
  mime: "text/plain",
  blockMime: "text/plain",
  size_bytes: 1,
  blob: null,
  measures: {},
  summary: null,
});

it("hosts an attachment under the same scheme as the files of its conversation", () => {
  const { blocks, sources } = attachmentBlocks(key, "turn_1", [arrived("a b.txt")]);
  const hosting = hostingFields(key, "turn_1/attachments/a b.txt");
  expect(hosting.hosted_uri).toBe("cairn://t/p/u/c/turn_1/attachments/a%20b.txt");
  expect(blocks.at(-1)?.meta).toMatchObject(hosting);
  expect(sources).toMatchObject([hosting]);
});

it("every attachment gets its own path that leads to it, whatever its name is", () => {
  const name = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 20 }),
    fc.constantFrom("x@v1", "a.pdf@v2", "@v3", "report.md", "REPORT.md", "..", "a/b@v9", "x@v1@v2"),
  );
  fc.assert(
    fc.property(fc.array(name, { maxLength: 6 }), (names) => {
      const { blocks } = attachmentBlocks(key, "turn_1", names.map(arrived));
      const paths = blocks.filter(({ type }) => type === "user.attachment").map(({ path }) => path ?? "");
      expect(new Set(paths).size).toBe(names.length);
      for (const path of paths) {
        const { logical, physical } = resolvePath(path);
        expect(logical).toBe(path);
        expect(physical).toBe(`turn_1/attachments/${path.slice("fi:turn_1.user.attachments/".length)}`);
      }
    }),
    { numRuns: runs },
  );
});
