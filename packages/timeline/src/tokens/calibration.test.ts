import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Calibration, calibrate, calibrateRefusal, estimatedRoom } from "./calibration.ts";

describe("calibration", () => {
  test("the first report sets the factor, later ones move it a fifth of the way", () => {
    const first = calibrate(undefined, 100, 120);
    expect(first).toEqual({ factor: 1.2, samples: 1, atLeast: 0 });
    expect(calibrate(first, 100, 170).factor).toBeCloseTo(1.3);
  });

  test.each([0, -5, Number.NaN, Number.POSITIVE_INFINITY])("a report of %d has no effect", (figure) => {
    const known: Calibration = { factor: 1.5, samples: 3, atLeast: 0 };
    expect(calibrate(known, 100, figure)).toBe(known);
    expect(calibrate(known, figure, 100)).toBe(known);
    expect(calibrateRefusal(known, 100, figure)).toBe(known);
    expect(calibrate(undefined, 100, figure)).toEqual({ factor: 1, samples: 0, atLeast: 0 });
  });

  test("the factor stays within a quarter and four, whatever is reported", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.double(), fc.double())), (reports) => {
        let known: Calibration | undefined;
        for (const [estimated, reported] of reports) known = calibrate(known, estimated, reported);
        expect(known?.factor ?? 1).toBeGreaterThanOrEqual(0.25);
        expect(known?.factor ?? 1).toBeLessThanOrEqual(4);
      }),
      { numRuns: runs },
    );
  });

  test("a refused request is a lower bound that later reports do not lower", () => {
    const refused = calibrateRefusal(calibrate(undefined, 100, 110), 1_000, 1_800);
    expect(estimatedRoom(refused, 9_000)).toBe(5_000);
    expect(estimatedRoom(calibrate(refused, 100, 100), 9_000)).toBe(5_000);
    expect(calibrateRefusal(refused, 1_000, 1_500)).toEqual(refused);
  });

  test("a model's window holds fewer estimated tokens when the model counts more", () => {
    expect(estimatedRoom(undefined, 8_000)).toBe(8_000);
    expect(estimatedRoom(calibrate(undefined, 100, 200), 8_000)).toBe(4_000);
    expect(estimatedRoom(calibrate(undefined, 100, 50), 8_000)).toBe(16_000);
  });
});
