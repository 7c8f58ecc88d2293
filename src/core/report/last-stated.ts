import type { ClinicianField, ClinicianObservations } from '../analysis/clinician-observations.js';
import type { ClinicalReport } from './clinical-report.js';

/** One thing that was stated of the wound before, and when. */
export interface LastStated {
  readonly value: NonNullable<ClinicianObservations[ClinicianField]>;
  /** Of the photo with which it came; RFC 3339, UTC. */
  readonly capturedAt: string;
  /** As its sender stated it; absent: they stated nothing. */
  readonly capturedAsStated?: string;
  /** `ClinicalTime`, of what was stated on another day than the photo's. */
  readonly statedAt?: string;
}

export type LastTime = Readonly<Partial<Record<ClinicianField, LastStated>>>;

const DAY_MS = 86_400_000;
const isField = (name: string): name is ClinicianField => name !== 'statedAt';

/**
 * Of each thing that can be stated, what was stated last at an earlier visit of the same episode: what was before the wound was closed is of another.
 * Nothing is taken from it by itself, and nothing is told of a photo that waits for a person: it may be of another wound.
 * @param reports of the wound, oldest photo first, one for each photo
 */
export function lastStatedBefore(report: ClinicalReport, reports: readonly ClinicalReport[]): LastTime {
  const now = Date.parse(report.content.capturedAt);
  const { closure } = report.content.comparison;
  const begun = closure === null ? -Infinity : Date.parse(closure.closedAt);
  const last: Partial<Record<ClinicianField, LastStated>> = {};
  for (const { id, content } of reports) {
    const at = Date.parse(content.capturedAt);
    if (id === report.id || now - at < DAY_MS || at <= begun) continue;
    // It waits for a person, and may be of another wound.
    if (content.comparison.attention.length > 0) continue;
    const { capturedAt, capturedAsStated, clinicianObservations } = content;
    const { statedAt = {} } = clinicianObservations ?? {};
    for (const [field, value] of Object.entries(clinicianObservations ?? {})) {
      if (!isField(field)) continue;
      const told = value as LastStated['value'];
      const asStated = capturedAsStated === undefined ? {} : { capturedAsStated };
      const stated = statedAt[field] === undefined ? {} : { statedAt: statedAt[field] };
      last[field] = { value: told, capturedAt, ...asStated, ...stated };
    }
  }
  return last;
}
