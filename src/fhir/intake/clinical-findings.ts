import { Injectable } from '@nestjs/common';
import type { Observation } from '@medplum/fhirtypes';
import type { AnalysisWish } from '../../core/analysis/analysis-request.js';
import type { FhirCall } from '../interactions/fhir-call.js';
import { ResourceSearch } from '../search/resource-search.js';
import { findingOf, type Finding } from './clinician-codes.js';

/** Far more than a clinician notes for one photo. */
const LIMIT = 50;

/** The part of an analysis that clinicians' Observations give. */
export type GivenFindings = Pick<AnalysisWish, 'mmPerPixel' | 'clinicianObservations'>;

/**
 * What clinicians noted for a photo: Observations derived from it, and those that are about its wound on the day it was taken. Of several
 * of one kind the latest counts; one that names the photo goes before one that names the wound alone.
 */
@Injectable()
export class ClinicalFindings {
  constructor(private readonly searching: ResourceSearch) {}

  async forPhoto(call: FhirCall, photo: { readonly reference: string; readonly woundId: string | null; readonly takenAt: string | null }): Promise<GivenFindings> {
    const ofPhoto = await this.match(call, `derived-from=${photo.reference}`);
    const day = photo.takenAt?.slice(0, 10);
    const ofWound = photo.woundId === null || day?.length !== 10 ? [] : (await this.match(call, `focus=BodyStructure/${photo.woundId}&date=${day}`)).filter(({ derivedFrom }) => derivedFrom === undefined);
    return merged([...ofWound, ...ofPhoto]);
  }

  private async match(call: FhirCall, criteria: string): Promise<Observation[]> {
    const found = await this.searching.match(call, 'Observation', criteria, LIMIT);
    // The service's own say the same codes of what it measured.
    const observations = found.filter(({ createdBy }) => createdBy.kind === 'client').map(({ resource }) => resource as Observation);
    return observations.sort((first, second) => momentOf(first) - momentOf(second));
  }
}

/** The findings of these, later ones over earlier ones, over what was there. */
export function merged(observations: readonly Observation[], before: GivenFindings = { mmPerPixel: null, clinicianObservations: null }): GivenFindings {
  return observations.reduce<GivenFindings>((given, observation) => withFinding(given, findingOf(observation)), before);
}

function withFinding(given: GivenFindings, finding: Finding | 'bad' | null): GivenFindings {
  if (finding === null || finding === 'bad') return given;
  return {
    mmPerPixel: finding.mmPerPixel ?? given.mmPerPixel,
    clinicianObservations: finding.observations === undefined ? given.clinicianObservations : { ...given.clinicianObservations, ...finding.observations },
  };
}

function momentOf({ effectiveDateTime, effectivePeriod, issued }: Observation): number {
  const moment = Date.parse(effectiveDateTime ?? effectivePeriod?.start ?? issued ?? '');
  return Number.isNaN(moment) ? 0 : moment;
}
