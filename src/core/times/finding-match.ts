import type { ClinicalTime } from './clinical-time.js';

/** A finding made at a moment belongs to no photo further away. */
export const FURTHEST_FINDING_MS = 12 * 3_600_000;

/** A photo of a wound, by the resource that has it. */
export interface TimedPhoto {
  readonly id: string;
  readonly takenAt: ClinicalTime;
}

/**
 * Whether a finding about a wound is one of this photo, rather than of another of the same wound or of none. A moment belongs to the nearest
 * photo within 12 hours, the earlier of two that are equally near; a day to each photo of that day, by the photo's own clocks, else by those of
 * `timeZone` (IANA). A photo whose day alone is known takes the moments of that day. Months and years belong to no photo.
 */
export function isFindingOf(
  finding: ClinicalTime,
  photo: TimedPhoto,
  others: readonly TimedPhoto[],
  timeZone: string,
): boolean {
  if (!finding.hasTimeOfDay) return finding.precision === 'day' && photo.takenAt.dayIn(timeZone) === finding.text;
  const own = distanceMs(finding, photo.takenAt, timeZone);
  if (own === null) return false;
  return others.every((other) => {
    const rival = other.id === photo.id ? null : distanceMs(finding, other.takenAt, timeZone);
    if (rival === null || rival > own) return true;
    return rival === own && standsBefore(photo, other, timeZone);
  });
}

/** null: too far away to belong to it. */
function distanceMs(finding: ClinicalTime, takenAt: ClinicalTime, timeZone: string): number | null {
  const moment = finding.earliest.getTime();
  if (takenAt.hasTimeOfDay) {
    const distance = Math.abs(moment - takenAt.earliest.getTime());
    return distance <= FURTHEST_FINDING_MS ? distance : null;
  }
  return takenAt.precision === 'day' && finding.dayIn(timeZone) === takenAt.text ? 0 : null;
}

function standsBefore(photo: TimedPhoto, other: TimedPhoto, timeZone: string): boolean {
  const [own, rival] = [photo, other].map(({ takenAt }) => takenAt.spanIn(timeZone).low.getTime()) as [number, number];
  return own === rival ? true : own < rival;
}
