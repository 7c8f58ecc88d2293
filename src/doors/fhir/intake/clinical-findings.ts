import { Injectable } from '@nestjs/common';
import type { Observation } from '@medplum/fhirtypes';
import type { AnalysisOptions } from '../../../core/analysis/analysis-request.js';
import { MOST_LISTED, type ClinicianObservations } from '../../../core/analysis/clinician-observations.js';
import { scaleFault } from '../../../core/measurement/scale-plausibility.js';
import type { FhirCall } from '../call/fhir-call.js';
import { ResourceSearch } from '../search/resource-search.js';
import { ResourceStore } from '../../../standards/fhir/store/resource-store.js';
import { findingOf, type Finding } from './clinician-codes.js';
import { idOf } from './local-reference.js';
import { dateInterval } from '../../../standards/fhir/search-index/values/date-interval.js';
import type { PhotoResource } from './photo-resource.js';

/** Far more findings than clinicians note for one photo. */
const LIMIT = 500;

/** The part of an analysis that clinicians' Observations give. */
export type GivenFindings = Pick<AnalysisOptions, 'mmPerPixel' | 'clinicianObservations'>;

/**
 * Findings of clinicians for a photo: Observations derived from it, and those about its wound on the day it was taken. Of several
 * of one kind the latest counts; one that names the photo goes before one that names the wound alone.
 */
@Injectable()
export class ClinicalFindings {
  constructor(
    private readonly searching: ResourceSearch,
    private readonly store: ResourceStore,
  ) {}

  /** `patientId`: null where the patient of the photo is unknown. A finding that is filed under another patient by now is left out. */
  async forPhoto(
    call: FhirCall,
    photo: Pick<PhotoResource, 'reference' | 'patientId' | 'woundId' | 'takenAt'>,
  ): Promise<GivenFindings> {
    const ofPhoto = await this.match(call, `derived-from=${photo.reference}`);
    const day = photo.takenAt?.slice(0, 10);
    const ofWound =
      photo.woundId === null || day?.length !== 10
        ? []
        : (await this.match(call, `focus=BodyStructure/${photo.woundId}&date=${day}`)).filter(
            ({ derivedFrom }) => derivedFrom === undefined,
          );
    const ofPatient = (observation: Observation) => isOf(photo.patientId, observation);
    return merged(ofPhoto.filter(ofPatient), merged(ofWound.filter(ofPatient)));
  }

  /**
   * The list that this Observation and the others of its moment make longer than a report holds; null: none. Locks these lists until the transaction ends.
   */
  async overfullList(call: FhirCall, observation: Observation): Promise<string | null> {
    for (const criteria of placesOf(observation)) {
      await this.store.lockCriteria(call.transaction, 'Observation', criteria);
      const beside = (await this.match(call, criteria)).filter(
        (other) => momentOf(other) === momentOf(observation) && standsBeside(observation, other),
      );
      const overfull = listsOf(beside).find(([, items]) => items.length > MOST_LISTED);
      if (overfull !== undefined) return overfull[0];
    }
    return null;
  }

  private async match(call: FhirCall, criteria: string): Promise<Observation[]> {
    const found = await this.searching.match(call, 'Observation', criteria, LIMIT);
    // The service's own say the same codes of what it measured.
    const observations = found
      .filter(({ createdBy }) => createdBy.kind === 'client')
      .map(({ resource }) => resource as Observation);
    return observations.sort(byMoment);
  }
}

function isOf(patientId: string | null, { subject }: Observation): boolean {
  return patientId === null || subject === undefined || idOf(subject, 'Patient') === patientId;
}

/**
 * The findings of these, later ones over earlier ones, over what was there. A list that several Observations of one moment state is of
 * all of them: a tunnel is an Observation of its own.
 */
export function merged(
  observations: readonly Observation[],
  before: GivenFindings = { mmPerPixel: null, clinicianObservations: null },
): GivenFindings {
  return findingsByMoment(observations).reduce(withFindings, before);
}

/** In the order in which the moments first occur. */
function findingsByMoment(observations: readonly Observation[]): Finding[][] {
  const moments = new Map<number, Finding[]>();
  for (const observation of observations) {
    const finding = findingOf(observation);
    if (finding === null || finding === 'bad') continue;
    const moment = momentOf(observation);
    moments.set(moment, [...(moments.get(moment) ?? []), finding]);
  }
  return [...moments.values()];
}

function withFindings(given: GivenFindings, findings: readonly Finding[]): GivenFindings {
  // A scale that was stored before scales were checked may be implausible.
  const scale = findings.findLast(
    ({ mmPerPixel }) => mmPerPixel !== undefined && scaleFault(mmPerPixel, null) === null,
  );
  const stated = findings.flatMap(({ observations }) => observations ?? []).reduce(joined, {});
  return {
    mmPerPixel: scale?.mmPerPixel ?? given.mmPerPixel,
    clinicianObservations:
      Object.keys(stated).length === 0 ? given.clinicianObservations : { ...given.clinicianObservations, ...stated },
  };
}

/** Where the photos and wounds are looked for that an Observation adds its list to. */
function placesOf({ derivedFrom, focus, effectiveDateTime }: Observation): string[] {
  const referencesOf = (links: Observation['focus'], types: RegExp) => [
    ...new Set((links ?? []).flatMap(({ reference }) => (types.test(reference ?? '') ? reference! : []))),
  ];
  if (derivedFrom !== undefined)
    return referencesOf(derivedFrom, /^(Media|DocumentReference)\//).map((photo) => `derived-from=${photo}`);
  const day = effectiveDateTime?.slice(0, 10);
  if (day?.length !== 10) return [];
  return referencesOf(focus, /^BodyStructure\//).map((wound) => `focus=${wound}&date=${day}`);
}

function standsBeside({ derivedFrom }: Observation, other: Observation): boolean {
  return (derivedFrom === undefined) === (other.derivedFrom === undefined);
}

/** All lists that Observations of one moment state, with every entry. */
function listsOf(observations: readonly Observation[]): [field: string, items: readonly unknown[]][] {
  const lists = new Map<string, Map<string, unknown>>();
  for (const observation of observations) {
    const finding = findingOf(observation);
    if (finding === null || finding === 'bad') continue;
    for (const [field, items] of Object.entries(finding.observations ?? {})) {
      if (!Array.isArray(items)) continue;
      const all = lists.get(field) ?? new Map<string, unknown>();
      for (const item of items) all.set(JSON.stringify(item), item);
      lists.set(field, all);
    }
  }
  return [...lists].map(([field, all]) => [field, [...all.values()]]);
}

/** Both together: the later of two values, and all of two lists; a longer one than a report holds was refused when it came. */
function joined(first: ClinicianObservations, second: ClinicianObservations): ClinicianObservations {
  const lists = Object.entries(second).flatMap(([field, items]) =>
    Array.isArray(items) ? [[field, listed(first[field as keyof ClinicianObservations], items)]] : [],
  );
  return { ...first, ...second, ...(Object.fromEntries(lists) as ClinicianObservations) };
}

function listed(before: unknown, items: readonly unknown[]): unknown[] {
  const all = new Map([...((before ?? []) as unknown[]), ...items].map((item) => [JSON.stringify(item), item]));
  return [...all.values()].slice(0, MOST_LISTED);
}

/** Of one moment in the order in which they came, as their ids have it. */
function byMoment(first: Observation, second: Observation): number {
  return momentOf(first) - momentOf(second) || (first.id! < second.id! ? -1 : 1);
}

function momentOf({ effectiveDateTime, effectivePeriod, issued }: Observation): number {
  return dateInterval(effectiveDateTime ?? effectivePeriod?.start ?? issued ?? '')?.low.getTime() ?? 0;
}
