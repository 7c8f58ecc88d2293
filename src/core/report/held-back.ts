import type { ReportContent } from './clinical-report.js';
import { isConfirmed } from './review.js';

/** What the software itself disbelieves of a photo. */
const DISBELIEVED = ['uncertain', 'scale_mismatch', 'scale_implausible'] as const;

/**
 * What no policy issues as final before a person has looked: what waits, what the software itself disbelieves, and photos of children, on
 * whom no model was tested.
 */
export function isHeldBack(content: Pick<ReportContent, 'findings' | 'comparison' | 'flags' | 'review'>): boolean {
  return isDisbelieved(content) || (content.comparison.ageGroup !== undefined && !isConfirmed(content.review));
}

/** Something contradicts, or the software itself disbelieves the photo. */
export function isDisbelieved({
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
    // It stands last in the series, which may be long after the others in truth, or before them.
    (quality.warnings.includes('camera_time_unused') && comparison.previous !== null) ||
    (outlineSource === 'model' && familiarity?.outlineReliable === false) ||
    (!woundDetected && comparison.previous !== null) ||
    flags.some(({ code }) => code === 'size_mismatch')
  );
}
