/**
 * Calibration: how many tokens a model really counts for each one estimated, learnt from the usage it reports.
 *
 * One factor a model, kept by the caller. Each report moves it by a fifth of the way to `reported / estimated`, so that
 * the factor follows a model within a few requests and no single one throws it off; the first report sets it. Ratios
 * are clamped to [0.5, 2], beyond which estimate and report were not about the same content. Estimates are given as the
 * tokenizer made them, before calibration.
 */
export interface Calibration {
  readonly factor: number;
  /** Reports learnt from. */
  readonly samples: number;
}

const WEIGHT = 0.2;
const LOWEST = 0.5;
const HIGHEST = 2;

const UNCALIBRATED: Calibration = { factor: 1, samples: 0 };

/** Learns from one request. A figure that is no positive number teaches nothing. */
export function calibrate(previous: Calibration | undefined, estimated: number, reported: number): Calibration {
  const known = previous ?? UNCALIBRATED;
  if (!isCount(estimated) || !isCount(reported)) return known;
  const ratio = Math.min(HIGHEST, Math.max(LOWEST, reported / estimated));
  const factor = known.samples === 0 ? ratio : known.factor + WEIGHT * (ratio - known.factor);
  return { factor, samples: known.samples + 1 };
}

/** An estimate in the model's own tokens, rounded up: nothing that costs tokens becomes free. */
export function applyCalibration(calibration: Calibration | undefined, tokens: number): number {
  return Math.ceil(tokens * (calibration ?? UNCALIBRATED).factor);
}

function isCount(value: number): boolean {
  return Number.isFinite(value) && value > 0;
}
