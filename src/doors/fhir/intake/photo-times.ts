import type { Condition, DocumentReference, Media, Observation } from '@medplum/fhirtypes';
import { captureFault } from '../../../core/analysis/photo-fault.js';
import { OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';
import { ClinicalTime } from '../../../core/times/clinical-time.js';
import { isPhotoDocument } from './photo-resource.js';
import { keptStage } from './wound-condition.js';

/** A time that a resource states: FHIRPath, and a FHIR date, dateTime or instant. */
type GivenTime = readonly [expression: string, text: string | undefined];

/** `capture.future` at each place that states a future time for the photo or finding. */
export function refuseFuture(resource: Media | DocumentReference | Observation | Condition, now: Date): void {
  const issues = timesOf(resource).flatMap(([expression, text]) => {
    const time = ClinicalTime.read(text);
    const fault = time === null ? null : captureFault(time.earliest, now);
    return fault === null ? [] : [{ severity: 'error', code: 'value', expression, details: fault.detail } as const];
  });
  if (issues.length > 0) throw new OutcomeError('capture.future', issues);
}

function timesOf(resource: Media | DocumentReference | Observation | Condition): GivenTime[] {
  switch (resource.resourceType) {
    case 'Media':
      return [
        ['Media.createdDateTime', resource.createdDateTime],
        ['Media.createdPeriod.start', resource.createdPeriod?.start],
      ];
    case 'Observation':
      return [
        ['Observation.effectiveDateTime', resource.effectiveDateTime],
        ['Observation.effectiveInstant', resource.effectiveInstant],
        ['Observation.effectivePeriod.start', resource.effectivePeriod?.start],
      ];
    case 'Condition': {
      const stated = keptStage(resource);
      return stated === null ? [] : [[`Condition.stage[${stated.index}]`, stated.statedAt ?? undefined]];
    }
    case 'DocumentReference':
      // In any other document these may state a plan.
      return isPhotoDocument(resource)
        ? [
            ['DocumentReference.content[0].attachment.creation', resource.content?.[0]?.attachment?.creation],
            ['DocumentReference.context.period.start', resource.context?.period?.start],
            ['DocumentReference.date', resource.date],
          ]
        : [];
  }
}
