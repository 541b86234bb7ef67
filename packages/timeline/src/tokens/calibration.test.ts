import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyCalibration, type Calibration, calibrate } from "./calibration.ts";

describe("calibration", () => {
  test("the first report sets the factor, later ones move it a fifth of the way", () => {
    const first = calibrate(undefined, 100, 120);
    expect(first).toEqual({ factor: 1.2, samples: 1 });
    expect(calibrate(first, 100, 170).factor).toBeCloseTo(1.3);
  });

  test.each([0, -5, Number.NaN, Number.POSITIVE_INFINITY])("a figure of %d teaches nothing", (figure) => {
    const known: Calibration = { factor: 1.5, samples: 3 };
    expect(calibrate(known, 100, figure)).toBe(known);
    expect(calibrate(known, figure, 100)).toBe(known);
    expect(calibrate(undefined, 100, figure)).toEqual({ factor: 1, samples: 0 });
  });

  test("the factor stays within half and double, whatever is reported", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.double(), fc.double())), (reports) => {
        let known: Calibration | undefined;
        for (const [estimated, reported] of reports) known = calibrate(known, estimated, reported);
        expect(known?.factor ?? 1).toBeGreaterThanOrEqual(0.5);
        expect(known?.factor ?? 1).toBeLessThanOrEqual(2);
      }),
      { numRuns: runs },
    );
  });

  test("a calibrated estimate is rounded up, and 0 stays 0", () => {
    expect(applyCalibration({ factor: 0.5, samples: 1 }, 1)).toBe(1);
    expect(applyCalibration({ factor: 1.1, samples: 1 }, 100)).toBe(111);
    expect(applyCalibration({ factor: 2, samples: 1 }, 0)).toBe(0);
    expect(applyCalibration(undefined, 7)).toBe(7);
  });
});
