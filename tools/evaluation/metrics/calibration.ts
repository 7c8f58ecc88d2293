/** A stated probability and what came of it. */
export interface Statement {
  readonly confidence: number;
  readonly isTrue: boolean;
}

/** Statements of similar confidence. */
export interface CalibrationBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** null in an empty bin. */
  readonly meanConfidence: number | null;
  readonly shareTrue: number | null;
}

const CALIBRATION_BINS = 10;

/** Ten bins of equal width over 0..1; each holds its lower end, the last one also 1. */
export function calibrationBins(statements: readonly Statement[]): CalibrationBin[] {
  const bins = Array.from({ length: CALIBRATION_BINS }, () => ({ count: 0, confidence: 0, true: 0 }));
  for (const { confidence, isTrue } of statements) {
    const bin = bins[Math.min(CALIBRATION_BINS - 1, Math.max(0, Math.floor(confidence * CALIBRATION_BINS)))]!;
    bin.count += 1;
    bin.confidence += confidence;
    bin.true += isTrue ? 1 : 0;
  }
  return bins.map((bin, index) => ({
    from: index / CALIBRATION_BINS,
    to: (index + 1) / CALIBRATION_BINS,
    count: bin.count,
    meanConfidence: bin.count === 0 ? null : bin.confidence / bin.count,
    shareTrue: bin.count === 0 ? null : bin.true / bin.count,
  }));
}

/** Mean distance between stated confidence and share that was true, weighted by the bins' counts (Naeini et al., AAAI 2015). null of no statements. */
export function expectedCalibrationError(statements: readonly Statement[]): number | null {
  if (statements.length === 0) return null;
  const distances = calibrationBins(statements).map(
    ({ count, meanConfidence, shareTrue }) => count * Math.abs((meanConfidence ?? 0) - (shareTrue ?? 0)),
  );
  return distances.reduce((total, distance) => total + distance, 0) / statements.length;
}
