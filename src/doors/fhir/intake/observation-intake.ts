import type { Coding, Observation } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { AnalysisRequestService } from '../../../core/analysis/analysis-request.service.js';
import { scaleFault } from '../../../core/measurement/scale-plausibility.js';
import { ClinicalClock } from '../../../core/ports/clinical-clock.js';
import { JobRepository } from '../../../core/analysis/job.repository.js';
import type { FhirCall } from '../call/fhir-call.js';
import { OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';
import type { ResourceTarget, StoredResource } from '../../../standards/fhir/store/resource-store.js';
import { MOST_LISTED } from '../../../core/analysis/clinician-observations.js';
import { ClinicalFindings } from './clinical-findings.js';
import { merged } from './merged-findings.js';
import { isModelCardId } from '../../../reports/index.js';
import { clinicianCodeOf, findingOf, isInUse } from './clinician-codes.js';
import { idsOf } from './local-reference.js';
import { OrderMatching } from './order-matching.js';
import { isFieldCode } from './clinician-finding.js';
import { PhotoRecords } from '../photo/photo-records.js';
import { notPossible } from '../../../standards/fhir/outcome/outcome-error.js';
import { ResourceIntake } from '../interactions/resource-intake.js';
import { refuseFuture } from './photo-times.js';

/**
 * Takes Observations of clinicians only: the service's own measurements have no other author. The scale of a photo and findings at the bedside go
 * into the analysis of the Media that the Observation is derived from, as long as that has not begun.
 */
@Injectable()
export class ObservationIntake extends ResourceIntake<Observation> {
  readonly type = 'Observation';

  constructor(
    private readonly requests: AnalysisRequestService,
    private readonly jobs: JobRepository,
    private readonly orders: OrderMatching,
    private readonly findings: ClinicalFindings,
    private readonly photos: PhotoRecords,
    private readonly clock: ClinicalClock,
  ) {
    super();
  }

  override takes(resource: unknown): boolean {
    const coding = (resource as { code?: { coding?: unknown } } | null)?.code?.coding;
    return (
      !Array.isArray(coding) ||
      clinicianCodeOf({ coding: coding.filter((each) => typeof each === 'object' && each !== null) as Coding[] }) !==
        null
    );
  }

  override standsAlone(resource: Observation): boolean {
    return imagesOf(resource).length === 0 && !isListed(resource);
  }

  override async admit(call: FhirCall, resource: Observation): Promise<Observation> {
    if (clinicianCodeOf(resource.code) === null) {
      const details =
        'Findings of a clinician are taken, by the codes that the documentation lists. What the service measures is read from its reports.';
      throw new OutcomeError('fhir.business_rule', [
        { severity: 'error', code: 'business-rule', expression: 'Observation.code', details },
      ]);
    }
    const finding = findingOf(resource);
    if (finding === 'bad')
      throw notPossible(
        'Observation.value',
        'The value is not one that this finding can have: centimetres (cm, mm) from 0 to 200, of undermining and tunnels at most 30, with clock positions from 1 to 12; pain from 0 to 10; signs of infection as one line of at most 200 characters; or a scale with the UCUM code mm/{pixel}.',
      );
    refuseFuture(resource, await this.clock.now(call.transaction));
    if (finding?.mmPerPixel !== undefined) await this.refuseImplausible(call, resource, finding.mmPerPixel);
    return resource;
  }

  /** A finding is corrected, and withdrawn as entered in error, by clinicians; what the service measured, by a decision about its report. */
  override amend(
    call: FhirCall,
    { resource: current, createdBy }: StoredResource<Observation>,
    next: Observation,
  ): Promise<Observation> {
    if (createdBy.kind === 'service')
      throw notPossible('Observation', 'What the service measured is corrected with $attest on its report.');
    if (next.status === 'entered-in-error' && clinicianCodeOf(next.code) === clinicianCodeOf(current.code))
      return Promise.resolve(next);
    return this.admit(call, next);
  }

  /** Analyses that have not begun are made anew from the present findings. */
  override async changed(
    call: FhirCall,
    before: StoredResource<Observation>,
    after: StoredResource<Observation>,
  ): Promise<void> {
    await this.refuseOverfull(call, after.resource);
    await this.readAnew(call, [...photosOf(before.resource), ...photosOf(after.resource)]);
  }

  /** A finding or scale that went into an analysis is withdrawn as entered in error, and not taken away from under the report. */
  override photosOf(resource: Observation): readonly ResourceTarget[] {
    return imagesOf(resource).map((id) => ({ type: 'Media', id }));
  }

  /** Analyses that have not begun are made without it. */
  override async deleted(call: FhirCall, { resource }: StoredResource<Observation>): Promise<void> {
    await this.readAnew(call, photosOf(resource));
  }

  private async readAnew(call: FhirCall, photos: readonly string[]): Promise<void> {
    for (const reference of new Set(photos)) {
      const photo = await this.orders.photoAt(call, { reference });
      if (photo !== null) await this.orders.findingsChanged(call, photo);
    }
  }

  override async advice(
    { transaction }: FhirCall,
    { resource }: StoredResource<Observation>,
  ): Promise<readonly string[]> {
    const analysed = await Promise.all(
      imagesOf(resource).map((imageId) => this.jobs.wasAnalysed(transaction, imageId)),
    );
    const late = analysed.includes(true)
      ? [
          'The photo was analysed with what was noted before. Its report does not follow this finding: reject it with $attest where it must not stand, and have the photo analysed again.',
        ]
      : [];
    const code = clinicianCodeOf(resource.code);
    const isUnread = code !== null && isFieldCode(code) && isInUse(resource) && findingOf(resource) === null;
    return isUnread
      ? [
          ...late,
          'The finding is kept. Reports do not state it: its value says that there is none, or was not understood.',
        ]
      : late;
  }

  /** A part of a list counts together with the others of its moment: those are read anew. */
  override async settle(call: FhirCall, { resource }: StoredResource<Observation>): Promise<void> {
    await this.refuseOverfull(call, resource);
    if (isListed(resource)) return this.readAnew(call, photosOf(resource));
    const momentOf = await this.findings.momentsOf(call);
    for (const imageId of imagesOf(resource)) {
      await this.requests.revise(call.transaction, imageId, (options) => ({
        ...options,
        ...merged([resource], momentOf(options.capturedAsStated), options),
      }));
    }
  }

  /** Nothing that a clinician wrote is left out of a report silently. */
  private async refuseOverfull(call: FhirCall, resource: Observation): Promise<void> {
    const field = isListed(resource) ? await this.findings.overfullList(call, resource) : null;
    if (field === null) return;
    const place = (resource.component ?? []).length > MOST_LISTED ? 'Observation.component' : 'Observation';
    throw notPossible(
      place,
      `Of ${field}, a report holds ${MOST_LISTED} entries of one moment; with this one there would be more. Correct or withdraw another one first.`,
    );
  }

  /** A scale is that of each photo whose size is known by now; those that come later are looked at before they are analysed. */
  private async refuseImplausible(call: FhirCall, resource: Observation, mmPerPixel: number): Promise<void> {
    const images = await Promise.all(imagesOf(resource).map((imageId) => this.photos.find(call, imageId)));
    const sizes = images.flatMap((image) => (image?.verdict?.readable === true ? [image.verdict] : []));
    const fault = [null, ...sizes].map((size) => scaleFault(mmPerPixel, size)).find((found) => found !== null);
    if (fault !== undefined)
      throw new OutcomeError('calibration.implausible', [
        { severity: 'error', code: 'value', expression: 'Observation.valueQuantity.value', details: fault.detail },
      ]);
  }
}

/** True for a part of a list, of which a photo may have several Observations. */
function isListed(observation: Observation): boolean {
  const finding = findingOf(observation);
  return finding !== null && finding !== 'bad' && Object.values(finding.observations ?? {}).some(Array.isArray);
}

function photosOf(observation: Observation): string[] {
  const references = (observation.derivedFrom ?? []).flatMap(({ reference }) => reference ?? []);
  return references.filter((reference) => /^(Media|DocumentReference)\//.test(reference));
}

function imagesOf({ derivedFrom }: Observation): string[] {
  return [...new Set([...idsOf(derivedFrom, 'Media'), ...idsOf(derivedFrom, 'DocumentReference')])].filter(
    (id) => !isModelCardId(id),
  );
}
