import type { ClinicianObservations } from '../analysis/clinician-observations.js';
import { ClinicalTime } from '../times/clinical-time.js';
import type { AssessmentInSeries } from './series-order.js';

const DAY_MS = 86_400_000;

/**
 * The assessment without the fields of its form that were found at least a day before what another form stated since: who looked later knows better. The very
 * same where there is none.
 * @param earlier photos before it
 */
export function withoutOutdated(now: AssessmentInSeries, earlier: readonly AssessmentInSeries[]): AssessmentInSeries {
  const { observations } = now;
  if (observations?.statedAt === undefined) return now;
  const newest = Math.max(...earlier.map(({ observations: form, capturedAt }) => foundAt(form, capturedAt)));
  const isOutdated = (field: string) => newest - timeOf(observations, field, now.capturedAt) >= DAY_MS;
  const kept = fieldsOf(observations).filter((field) => !isOutdated(field));
  if (kept.length === fieldsOf(observations).length) return now;
  const entries = Object.entries(observations).filter(([field]) => field === 'statedAt' || kept.includes(field));
  return { ...now, observations: kept.length === 0 ? null : Object.fromEntries(entries) };
}

/** When somebody last looked who filled it in; before all time where nobody stated anything. */
function foundAt(form: ClinicianObservations | null, capturedAt: Date): number {
  if (form === null) return -Infinity;
  return Math.max(...fieldsOf(form).map((field) => timeOf(form, field, capturedAt)));
}

function fieldsOf(form: ClinicianObservations): string[] {
  return Object.entries(form).flatMap(([field, value]) => (field === 'statedAt' || value === undefined ? [] : [field]));
}

/** The last moment that its time can mean, which is the photo's where none is stated. */
function timeOf({ statedAt }: ClinicianObservations, field: string, capturedAt: Date): number {
  const stated = ClinicalTime.read(new Map(Object.entries(statedAt ?? {})).get(field));
  return (stated?.spanIn('UTC').high ?? capturedAt).getTime();
}
