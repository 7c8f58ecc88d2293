import type { Observation } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { AnalysisRequestService } from '../../core/analysis/analysis-request.service.js';
import type { FhirCall } from '../interactions/fhir-call.js';
import { OutcomeError } from '../outcome/index.js';
import type { StoredResource } from '../store/resource-store.js';
import { merged } from './clinical-findings.js';
import { clinicianCodeOf, findingOf } from './clinician-codes.js';
import { idsOf } from './local-reference.js';
import { notPossible } from './refusal.js';
import { ResourceIntake } from './resource-intake.js';

/**
 * Observations of clinicians alone: what the service measures, nobody else writes. The scale of a photo and what was noted at the bedside go
 * into the analysis of the Media that the Observation is derived from, as long as that has not begun.
 */
@Injectable()
export class ObservationIntake extends ResourceIntake<Observation> {
  readonly type = 'Observation';

  constructor(private readonly requests: AnalysisRequestService) {
    super();
  }

  override standsAlone(resource: Observation): boolean {
    return imagesOf(resource).length === 0;
  }

  override admit(_call: FhirCall, resource: Observation): Promise<Observation> {
    if (clinicianCodeOf(resource.code) === null) {
      const details = 'Findings of a clinician are taken, by the codes that the documentation lists. What the service measures is read from its reports.';
      return Promise.reject(new OutcomeError('fhir.business_rule', [{ severity: 'error', code: 'business-rule', expression: 'Observation.code', details }]));
    }
    if (findingOf(resource) === 'bad') return Promise.reject(notPossible('Observation.value', 'The value is not one that this finding can have: centimetres (cm, mm) from 0 to 200, or mm/{pixel} above 0 up to 100.'));
    return Promise.resolve(resource);
  }

  override async settle({ transaction, caller }: FhirCall, { resource }: StoredResource<Observation>): Promise<void> {
    for (const imageId of imagesOf(resource)) {
      await this.requests.revise(transaction, caller, imageId, (wish) => ({ ...wish, ...merged([resource], wish) }));
    }
  }
}

function imagesOf({ derivedFrom }: Observation): string[] {
  return [...new Set([...idsOf(derivedFrom, 'Media'), ...idsOf(derivedFrom, 'DocumentReference')])];
}
