/**
 * Calibration: the ratio of a model's real token count to our estimate, learned from the usage it reports.
 *
 * Each report moves the factor a fifth of the way to `reported / estimated`, so it follows a model within a few
 * requests, and a single report cannot distort it; the first report sets the factor. Ratios are clamped to [0.25, 4],
 * beyond which estimate and report were not about the same content. Estimates are given as the tokenizer made them,
 * before calibration.
 *
 * A request that was refused as too large has no report. Such a request sets a lower bound instead, which later reports
 * do not reduce, so that a request of a rejected size is not sent again.
 */
export interface Calibration {
  readonly factor: number;
  /** Number of provider reports that the calibration is based on. */
  readonly samples: number;
  /** Lower bound of the factor; 0 unless a request was rejected. */
  readonly atLeast: number;
}

const WEIGHT = 0.2;
const MIN_RATIO = 0.25;
const MAX_RATIO = 4;

const UNCALIBRATED: Calibration = { factor: 1, samples: 0, atLeast: 0 };

/** Learns from one request. Figures that are not positive numbers are ignored. */
export function calibrate(previous: Calibration | undefined, estimated: number, reported: number): Calibration {
  const known = previous ?? UNCALIBRATED;
  if (!isCount(estimated) || !isCount(reported)) return known;
  const ratio = clamp(reported / estimated);
  const factor = known.samples === 0 ? ratio : known.factor + WEIGHT * (ratio - known.factor);
  return { ...known, factor, samples: known.samples + 1 };
}

/** Learns from a request that was rejected as too large: the model counted at least `counted` tokens in it. */
export function calibrateRefusal(previous: Calibration | undefined, estimated: number, counted: number): Calibration {
  const known = previous ?? UNCALIBRATED;
  if (!isCount(estimated) || !isCount(counted)) return known;
  return { ...known, atLeast: Math.max(known.atLeast, clamp(counted / estimated)) };
}

/** The size of a model's window in estimated tokens. */
export function estimatedRoom(calibration: Calibration | undefined, modelTokens: number): number {
  const { factor, atLeast } = calibration ?? UNCALIBRATED;
  return Math.floor(modelTokens / Math.max(factor, atLeast));
}

function clamp(ratio: number): number {
  return Math.min(MAX_RATIO, Math.max(MIN_RATIO, ratio));
}

function isCount(value: number): boolean {
  return Number.isFinite(value) && value > 0;
}
