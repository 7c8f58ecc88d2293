import type { Media } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { ImageRecord } from '../../../core/images/image.js';
import { ImageService } from '../../../core/images/image.service.js';
import { JobRepository } from '../../../core/analysis/job.repository.js';
import { PatientRepository } from '../../../core/patients/patient.repository.js';
import { ClinicalTime } from '../../../core/times/clinical-time.js';
import { WoundRepository } from '../../../core/followup/wound.repository.js';
import type { FhirCall } from '../call/fhir-call.js';
import { woundExtensionOf, type PhotoResource } from './photo-resource.js';
import { notFound, notPossible, refuseMerged } from '../../../standards/fhir/outcome/outcome-error.js';

/** The patient and the wound of a photo, which must agree before it is analysed and may not change afterwards. */
@Injectable()
export class PhotoSubject {
  constructor(
    private readonly images: ImageService,
    private readonly patients: PatientRepository,
    private readonly jobs: JobRepository,
    private readonly wounds: WoundRepository,
  ) {}

  /** Files the image under the patient. `fhir.business_rule` for the wound of another patient and for a record that was joined into another, `fhir.subject_fixed` for an image that was analysed for one. */
  async file(
    call: FhirCall,
    photo: PhotoResource,
    image: ImageRecord,
    type: 'Media' | 'DocumentReference',
  ): Promise<void> {
    const { transaction } = call;
    await this.requireOwnWound(call, photo, type);
    if (photo.patientId === null || photo.patientId === image.patientId) return;
    if (image.patientId !== null && (await this.jobs.wasAnalysed(transaction, image.id)))
      throw new SuturaError('fhir.subject_fixed');
    const patient = await this.patients.find(transaction, photo.patientId);
    if (patient === null) throw notFound(`${type}.subject.reference`, 'There is no such Patient.');
    refuseMerged(patient, `${type}.subject`);
    await this.images.assignPatient(transaction, image.id, photo.patientId);
  }

  /**
   * Keeps the subject of an analysed photo: `fhir.subject_fixed` where it would get another patient or wound, `fhir.analysed` where it would be of
   * another time or entered in error.
   */
  async requireSame({ transaction }: FhirCall, current: PhotoResource, next: PhotoResource): Promise<void> {
    const isOther = current.patientId !== next.patientId || current.woundId !== next.woundId;
    const isChanged = !isSameMoment(current.takenAt, next.takenAt) || (next.isWithdrawn && !current.isWithdrawn);
    if (!isOther && !isChanged) return;
    if (await this.jobs.wasAnalysed(transaction, current.imageId))
      throw new SuturaError(isOther ? 'fhir.subject_fixed' : 'fhir.analysed');
  }

  /**
   * The photo under the wound that its analysis filed it under, where its sender names none: they repeat what they know of it, and the wound
   * was not known yet.
   */
  async withItsWound({ transaction }: FhirCall, current: Media, next: Media): Promise<Media> {
    const wound = woundExtensionOf(current);
    if (wound === undefined || woundExtensionOf(next) !== undefined) return next;
    if (!(await this.jobs.wasAnalysed(transaction, current.id!))) return next;
    return { ...next, extension: [...(next.extension ?? []), wound] };
  }

  private async requireOwnWound(
    { transaction }: FhirCall,
    { woundId, patientId }: PhotoResource,
    type: string,
  ): Promise<void> {
    if (woundId === null) return;
    const wound = await this.wounds.find(transaction, woundId);
    if (wound === null) throw notFound(type, 'There is no such wound.');
    if (patientId !== null && wound.patientId !== patientId)
      throw notPossible(`${type}.subject`, 'The wound is another patient’s.');
  }
}

/** A day is another time than its first moment: nobody stated an hour. */
function isSameMoment(current: string | null, next: string | null): boolean {
  const [one, other] = [ClinicalTime.read(current), ClinicalTime.read(next)];
  return current === next || (one !== null && other !== null && one.isSameAs(other));
}
