import type { ReportContent } from './clinical-report.js';
import { isConfirmed } from './review.js';

/** What the software itself disbelieves of a photo. */
const DISBELIEVED = ['uncertain', 'scale_mismatch', 'scale_implausible'] as const;

/** What no policy issues as final before a person has looked: what waits, and what the software itself disbelieves. */
export function isHeldBack({
  findings,
  comparison,
  flags,
  review,
}: Pick<ReportContent, 'findings' | 'comparison' | 'flags' | 'review'>): boolean {
  if (comparison.attention.length > 0) return true;
  if (isConfirmed(review)) return false;
  const { quality, familiarity, outlineSource, ambiguous, woundDetected } = findings;
  return (
    !quality.acceptable ||
    ambiguous ||
    DISBELIEVED.some((warning) => quality.warnings.includes(warning)) ||
    (outlineSource === 'model' && familiarity?.outlineReliable === false) ||
    (!woundDetected && comparison.previous !== null) ||
    flags.some(({ code }) => code === 'size_mismatch')
  );
}
