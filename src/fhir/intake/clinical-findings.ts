import { Injectable } from '@nestjs/common';
import type { Observation } from '@medplum/fhirtypes';
import type { AnalysisOptions } from '../../core/analysis/analysis-request.js';
import { scaleFault } from '../../core/measurement/scale-plausibility.js';
import type { FhirCall } from '../call/fhir-call.js';
import { ResourceSearch } from '../search/resource-search.js';
import { findingOf, type Finding } from './clinician-codes.js';
import { idOf } from './local-reference.js';
import type { PhotoResource } from './photo-resource.js';

/** Far more findings than a clinician notes for one photo. */
const LIMIT = 50;

/** The part of an analysis that clinicians' Observations give. */
export type GivenFindings = Pick<AnalysisOptions, 'mmPerPixel' | 'clinicianObservations'>;

/**
 * Findings of clinicians for a photo: Observations derived from it, and those about its wound on the day it was taken. Of several
 * of one kind the latest counts; one that names the photo goes before one that names the wound alone.
 */
@Injectable()
export class ClinicalFindings {
  constructor(private readonly searching: ResourceSearch) {}

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
    return merged([...ofWound, ...ofPhoto].filter((observation) => isOf(photo.patientId, observation)));
  }

  private async match(call: FhirCall, criteria: string): Promise<Observation[]> {
    const found = await this.searching.match(call, 'Observation', criteria, LIMIT);
    // The service's own say the same codes of what it measured.
    const observations = found
      .filter(({ createdBy }) => createdBy.kind === 'client')
      .map(({ resource }) => resource as Observation);
    return observations.sort((first, second) => momentOf(first) - momentOf(second));
  }
}

function isOf(patientId: string | null, { subject }: Observation): boolean {
  return patientId === null || subject === undefined || idOf(subject, 'Patient') === patientId;
}

/** The findings of these, later ones over earlier ones, over what was there. */
export function merged(
  observations: readonly Observation[],
  before: GivenFindings = { mmPerPixel: null, clinicianObservations: null },
): GivenFindings {
  return observations.reduce<GivenFindings>((given, observation) => withFinding(given, findingOf(observation)), before);
}

function withFinding(given: GivenFindings, finding: Finding | 'bad' | null): GivenFindings {
  if (finding === null || finding === 'bad') return given;
  const { mmPerPixel } = finding;
  // A scale that was stored before scales were checked may be implausible.
  const isScale = mmPerPixel !== undefined && scaleFault(mmPerPixel, null) === null;
  return {
    mmPerPixel: isScale ? mmPerPixel : given.mmPerPixel,
    clinicianObservations:
      finding.observations === undefined
        ? given.clinicianObservations
        : { ...given.clinicianObservations, ...finding.observations },
  };
}

function momentOf({ effectiveDateTime, effectivePeriod, issued }: Observation): number {
  const moment = Date.parse(effectiveDateTime ?? effectivePeriod?.start ?? issued ?? '');
  return Number.isNaN(moment) ? 0 : moment;
}
