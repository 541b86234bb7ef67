import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { FileCard } from "../files/file-card.tsx";
import { FileChip } from "../files/file-chip.tsx";
import { showDirections, showTurns } from "./shown-directions.ts";

const TURNS = /[\u202a-\u202e\u2066-\u2069]/;

it("marks that change the direction of a text are shown, and everything else is unchanged", () => {
  expect(showDirections("report\u202efdp.exe")).toBe("report⟨U+202E⟩fdp.exe");
  expect(showDirections("\u2067x\u2069")).toBe("⟨U+2067⟩x⟨U+2069⟩");
  expect(showDirections("مرحبا 👩‍🚀 é")).toBe("مرحبا 👩‍🚀 é");
});

it("a title keeps the marks that Arabic and Hebrew need, and shows those that turn it", () => {
  expect(showTurns("\u202eegap a\u202c (\u200fשלום\u200f)")).toBe("⟨U+202E⟩egap a⟨U+202C⟩ (\u200fשלום\u200f)");
});

it.each(["\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"])(
  "no name of a file turns the text around it by %j, in a chip or on a card",
  (mark) => {
    const name = `report${mark}fdp.exe`;
    const file = { name, mime: "text/plain", physical_path: null, version: 1, size_bytes: 3 } as never;
    const chips = [
      <FileChip key="shown" name={name} mime={null} size={3} />,
      <FileChip key="opened" name={name} mime={null} size={3} onOpen={() => undefined} />,
      <FileChip key="removed" name={name} mime={null} size={3} onRemove={() => undefined} />,
      <FileCard key="card" conversationId="c" file={file} onOpen={() => undefined} />,
    ];
    for (const chip of chips) {
      const html = renderToStaticMarkup(chip);
      expect(html).toContain("⟨U+");
      expect(html).not.toMatch(TURNS);
    }
  },
);
