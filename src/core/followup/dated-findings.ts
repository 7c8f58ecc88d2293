import type { ClinicianField, ClinicianObservations } from '../analysis/clinician-observations.js';
import { ClinicalTime } from '../times/clinical-time.js';
import type { AssessmentInSeries } from './series-order.js';

const DAY_MS = 86_400_000;
const NOTHING: ReadonlyMap<string, number> = new Map();

/** Each says whether there are signs of infection. */
const SIGNS: readonly string[] = ['infectionSigns', 'infectionSignCodes'] satisfies readonly ClinicianField[];

/**
 * The assessment without the fields of its form that were found at least a day before what another form stated of the same since: who looked later knows better.
 * The very same where there is none.
 * @param earlier photos before it
 */
export function withoutOutdated(now: AssessmentInSeries, earlier: readonly AssessmentInSeries[]): AssessmentInSeries {
  const { observations } = now;
  if (observations?.statedAt === undefined) return now;
  const times = timesOf(now);
  const known = earlier.map(timesOf);
  const isOutdated = (field: string): boolean => {
    const found = times.get(field)!;
    const same = SIGNS.includes(field) ? SIGNS : [field];
    return known.some((form) => same.some((each) => (form.get(each) ?? -Infinity) - found >= DAY_MS));
  };
  const kept = [...times.keys()].filter((field) => !isOutdated(field));
  if (kept.length === times.size) return now;
  const entries = Object.entries(observations).filter(([field]) => field === 'statedAt' || kept.includes(field));
  return { ...now, observations: kept.length === 0 ? null : Object.fromEntries(entries) };
}

/** By form: each is asked by every later one. */
const TIMES = new WeakMap<ClinicianObservations, ReadonlyMap<string, number>>();

/** When each field was found: the last moment that its time can mean, which is the photo's where none is stated. */
function timesOf({ observations, capturedAt }: AssessmentInSeries): ReadonlyMap<string, number> {
  if (observations === null) return NOTHING;
  const known = TIMES.get(observations);
  if (known !== undefined) return known;
  const { statedAt = {}, ...fields } = observations;
  const stated = new Map<string, string>(Object.entries(statedAt));
  const times = new Map(
    Object.entries(fields).flatMap(([field, value]): [string, number][] => {
      const time = ClinicalTime.read(stated.get(field))?.spanIn('UTC').high ?? capturedAt;
      return value === undefined ? [] : [[field, time.getTime()]];
    }),
  );
  TIMES.set(observations, times);
  return times;
}
