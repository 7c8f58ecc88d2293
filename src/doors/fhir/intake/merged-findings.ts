import type { Observation } from '@medplum/fhirtypes';
import type { AnalysisOptions } from '../../../core/analysis/analysis-request.js';
import {
  MOST_LISTED,
  type ClinicianField,
  type ClinicianObservations,
} from '../../../core/analysis/clinician-observations.js';
import { withoutContradictions } from '../../../core/analysis/infection-sign-codes.js';
import { scaleFault } from '../../../core/measurement/scale-plausibility.js';
import { ClinicalTime } from '../../../core/times/clinical-time.js';
import { findingOf, type Finding } from './clinician-codes.js';

/** The part of an analysis that clinicians' Observations give. */
export type GivenFindings = Pick<AnalysisOptions, 'mmPerPixel' | 'clinicianObservations'>;

/** The photo that findings are for, and the clocks of its place. */
export interface PhotoMoment {
  readonly takenAt: ClinicalTime;
  /** IANA zone of days and of moments without an offset. */
  readonly timeZone: string;
}

/**
 * The findings of these, later ones over earlier ones, over what was there. A list that several Observations of one moment state is of
 * all of them: a tunnel is an Observation of its own.
 */
export function merged(
  observations: readonly Observation[],
  photo: PhotoMoment | null = null,
  before: GivenFindings = { mmPerPixel: null, clinicianObservations: null },
): GivenFindings {
  const isOfOtherDay = (observation: Observation): boolean =>
    photo !== null && timeOf(observation)?.isOnDayOf(photo.takenAt, photo.timeZone) === false;
  const ordered = observations.toSorted((a, b) => Number(isOfOtherDay(b)) - Number(isOfOtherDay(a)));
  return findingsByMoment(ordered).reduce(
    (given, { stated, findings }) => withFindings(given, findings, isOfOtherDay(stated) ? timeOf(stated)!.text : null),
    before,
  );
}

/** The findings of one moment, and the first Observation that states it. */
interface FindingsOfMoment {
  readonly stated: Observation;
  readonly findings: readonly Finding[];
}

/** In the order in which the moments first occur. */
function findingsByMoment(observations: readonly Observation[]): FindingsOfMoment[] {
  const moments = new Map<number, FindingsOfMoment>();
  for (const observation of observations) {
    const finding = findingOf(observation);
    if (finding === null || finding === 'bad') continue;
    const moment = momentOf(observation);
    const { stated, findings } = moments.get(moment) ?? { stated: observation, findings: [] };
    moments.set(moment, { stated, findings: [...findings, finding] });
  }
  return [...moments.values()];
}

/** `statedAt`: the time of the findings, where that is another day than the photo's. */
function withFindings(given: GivenFindings, findings: readonly Finding[], statedAt: string | null): GivenFindings {
  // A scale that was stored before scales were checked may be implausible.
  const scale = findings.findLast(
    ({ mmPerPixel }) => mmPerPixel !== undefined && scaleFault(mmPerPixel, null) === null,
  );
  const stated = findings.flatMap(({ observations }) => observations ?? []).reduce(joined, {});
  return {
    mmPerPixel: scale?.mmPerPixel ?? given.mmPerPixel,
    clinicianObservations:
      Object.keys(stated).length === 0
        ? given.clinicianObservations
        : dated({ ...given.clinicianObservations, ...stated }, Object.keys(stated) as ClinicianField[], statedAt),
  };
}

/** With the time of these fields; null: that of the photo. */
function dated(
  { statedAt: before = {}, ...observations }: ClinicianObservations,
  fields: readonly ClinicianField[],
  time: string | null,
): ClinicianObservations {
  const kept = Object.entries(before).filter(([field]) => !fields.includes(field as ClinicianField));
  const statedAt = Object.fromEntries([...kept, ...(time === null ? [] : fields.map((field) => [field, time]))]);
  return Object.keys(statedAt).length === 0 ? observations : { ...observations, statedAt };
}

/** Both together: the later of two values, and all of two lists; a longer one than a report holds was refused when it came. */
function joined(first: ClinicianObservations, second: ClinicianObservations): ClinicianObservations {
  const lists = Object.entries(second).flatMap(([field, items]) =>
    Array.isArray(items) ? [[field, listed(first[field as keyof ClinicianObservations], items)]] : [],
  );
  const all = { ...first, ...second, ...(Object.fromEntries(lists) as ClinicianObservations) };
  const signs = [...(first.infectionSignCodes ?? []), ...(second.infectionSignCodes ?? [])];
  return signs.length === 0 ? all : { ...all, infectionSignCodes: withoutContradictions(signs) };
}

function listed(before: unknown, items: readonly unknown[]): unknown[] {
  const all = new Map([...((before ?? []) as unknown[]), ...items].map((item) => [JSON.stringify(item), item]));
  return [...all.values()].slice(0, MOST_LISTED);
}

/** In ms since 1970; of a day its beginning in UTC, so that all of one day are of one moment. */
export function momentOf(observation: Observation): number {
  return (timeOf(observation) ?? ClinicalTime.read(observation.issued))?.spanIn('UTC').low.getTime() ?? 0;
}

/** null: none is stated, or none that is one moment or day. */
export function timeOf({ effectiveDateTime, effectiveInstant, effectivePeriod }: Observation): ClinicalTime | null {
  return ClinicalTime.read(effectiveDateTime ?? effectiveInstant ?? effectivePeriod?.start);
}
