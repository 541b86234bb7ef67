import { describe, expect, it } from "vitest";
import { checkDurability } from "./check-durability.ts";
import { parseTrace } from "./system-calls.ts";

const wal = "7</data/cairn.db-wal>";
const append = (n: number) => [
  `1 pwrite64(${wal}, "..."..., 4096, 0) = 4096`,
  `1 fsync(${wal}) = 0`,
  `1 write(1<pipe:[9]>, "ack ${n}\\n", 6) = 6`,
];
const blob = [
  `1 write(8</data/blobs/t1.tmp>, "x", 1) = 1`,
  `2 fsync(8</data/blobs/t1.tmp>) = 0`,
  `2 rename("/data/blobs/t1.tmp", "/data/blobs/ab") = 0`,
  `2 fsync(9</data/blobs>) = 0`,
];
const judge = (lines: readonly string[]) => checkDurability(parseTrace(lines.join("\n")), "/data");

describe("the durability checker", () => {
  it("finds nothing wrong when every sync is where it must be", () => {
    const findings = judge([...append(1), ...blob, ...append(2)]);
    expect(findings).toEqual({ acknowledged: 2, moves: 1, defects: [] });
  });

  it("reports each sync that is missing, late or failed", () => {
    const without = (lines: readonly string[], at: number) => lines.filter((_, index) => index !== at);
    expect(judge(without(append(1), 1)).defects).toHaveLength(1);
    expect(judge([...without(blob, 1), ...append(1)]).defects).toHaveLength(1);
    expect(judge([...without(blob, 3), ...append(1)]).defects).toHaveLength(1);
    expect(judge(append(1).map((line) => line.replace("= 0", "= -1 EIO"))).defects).toHaveLength(1);
    const [write = "", sync = "", ack = ""] = append(1);
    expect(judge([write, ack, sync]).defects).toHaveLength(1);
    expect(judge([sync, write, ack]).defects).toHaveLength(1);
    expect(judge([ack]).defects).toHaveLength(1);
    expect(judge([`1 mkdir("/data/blobs", 0777) = 0`, ...append(1)]).defects).toHaveLength(1);
  });

  it("joins the two halves of a call that another thread interrupted", () => {
    const [write = "", , ack = ""] = append(1);
    const halves = [write, `1 fsync(${wal} <unfinished ...>`, "2 futex(0x1) = 0", "1 <... fsync resumed>) = 0", ack];
    expect(judge(halves).defects).toEqual([]);
    expect(judge([write, `1 fsync(${wal} <unfinished ...>`, ack, "1 <... fsync resumed>) = 0"]).defects).toHaveLength(
      1,
    );
  });
});
