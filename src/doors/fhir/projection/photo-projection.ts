import { Injectable } from '@nestjs/common';
import type { DocumentReference, Media } from '@medplum/fhirtypes';
import type { AnalysisJob } from '../../../core/analysis/analysis-job.js';
import { isSuturaError } from '../../../core/errors/sutura-error.js';
import type { ImageRecord } from '../../../core/images/image.js';
import { ImageRepository } from '../../../core/images/image.repository.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { WoundRepository } from '../../../core/followup/wound.repository.js';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import { Settings } from '../../../platform/config/settings.js';
import { profileUrl, toConcept } from '../../../reports/index.js';
import type { PhotoFacts as PhotoBytes } from '../photo/photo-facts.js';
import { PhotoRecords } from '../photo/photo-records.js';
import type { StoredResource } from '../../../standards/fhir/store/resource-store.js';
import { ServiceResources, type ServiceChange } from './service-resources.js';
import { isSameContent } from '../../../standards/fhir/types/same-content.js';
import { toMedia, toPhotoDocument, woundExtension, type PhotoFacts } from './minimal-resources.js';

/**
 * Photos that came in natively, as Media, and mirrored as DocumentReference where the operator wants it. R4's DiagnosticReport.media takes
 * nothing but Media, so there is one in any case.
 */
@Injectable()
export class PhotoProjection {
  constructor(
    private readonly resources: ServiceResources,
    private readonly images: ImageRepository,
    private readonly photos: PhotoRecords,
    private readonly wounds: WoundRepository,
    private readonly settings: Settings,
  ) {}

  /** The photo of a job that has no report yet, to be written. */
  async toShow(transaction: TenantTransaction, job: AnalysisJob, patientId: string): Promise<Media> {
    const bodySite = toConcept(
      { snomed: this.settings.fhir.snomed },
      job.subject?.bodySite ?? null,
      job.subject?.laterality ?? null,
    );
    const { capturedAt, capturedAsStated } = job;
    return this.make(transaction, job.imageId, { patientId, woundId: null, capturedAt, capturedAsStated, bodySite });
  }

  /**
   * The photo of a report, with its wound, and the change that this is to what is kept; null: none, or it was written. A reassignment moves it to the
   * right patient, a merge to the wound that now stands; a wound that a client named otherwise stays. `current` is locked.
   */
  async showAssessed(
    transaction: TenantTransaction,
    report: ClinicalReport,
    patientId: string | null,
    current: StoredResource<Media> | null,
  ): Promise<{ readonly media: Media; readonly change: ServiceChange | null }> {
    const { subject, capturedAt: taken, capturedAsStated } = report.content;
    if (current === null) {
      const bodySite = toConcept({ snomed: this.settings.fhir.snomed }, subject.bodySite, subject.laterality);
      const capturedAt = new Date(taken);
      const woundId = patientId === null ? null : subject.woundRef;
      const facts: PhotoFacts = { patientId, woundId, capturedAt, capturedAsStated, bodySite };
      return { media: await this.ensure(transaction, report.imageId, facts), change: null };
    }
    // A photo of a first version may have been sent before the operator wanted documents beside it.
    if (current.version === 1) await this.mirror(transaction, current.resource);
    const media = current.resource;
    // R4 has no wound without its patient.
    if (report.status === 'entered-in-error' || patientId === null) return { media, change: null };
    const moved = report.replaces !== null && report.version === 1;
    const named = media.extension?.find(({ url }) => url === profileUrl('wound'))?.valueReference?.reference;
    const follows = moved || named === undefined || (await this.isPartOf(transaction, named, subject.woundRef));
    if (!follows) return { media, change: null };
    const next: Media = {
      ...(moved ? moveTo(media, patientId) : media),
      extension: withWound(media, subject.woundRef),
    };
    await this.mirror(transaction, next);
    return { media: next, change: isSameContent(media, next) ? null : { current, next } };
  }

  /** Beside it as DocumentReference, where the operator wants that. */
  async mirror(transaction: TenantTransaction, media: Media): Promise<void> {
    if (this.settings.fhir.photoAs === 'media' || media.id === undefined) return;
    const known = await this.resources.find<DocumentReference>(transaction, 'DocumentReference', media.id);
    // A client that sent the photo as a document has written that itself.
    if (known?.createdBy.kind === 'client') return;
    await this.resources.put<DocumentReference>(transaction, toPhotoDocument(media));
  }

  private async ensure(transaction: TenantTransaction, imageId: string, facts: PhotoFacts): Promise<Media> {
    const make = () => this.make(transaction, imageId, facts);
    const stored = await this.resources.ensure<Media>(transaction, 'Media', imageId, make, null);
    if (stored.version === 1) await this.mirror(transaction, stored.resource);
    return stored.resource;
  }

  private async make(transaction: TenantTransaction, imageId: string, facts: PhotoFacts): Promise<Media> {
    const image = await this.images.find(transaction, imageId);
    if (image === null) throw new Error('A job without its image.');
    return toMedia(image, facts, await this.bytesOf(image));
  }

  /** null where the photo was deleted meanwhile. */
  private async bytesOf(image: ImageRecord): Promise<PhotoBytes | null> {
    try {
      return image.status === 'stored' ? await this.photos.factsOf(image) : null;
    } catch (error) {
      if (isSuturaError(error, 'image.unavailable')) return null;
      throw error;
    }
  }

  private async isPartOf(transaction: TenantTransaction, reference: string, rootId: string): Promise<boolean> {
    const wound = await this.wounds.find(transaction, reference.slice('BodyStructure/'.length));
    if (wound === null) return false;
    return (await this.wounds.rootOf(transaction, wound.id)).id === rootId;
  }
}

function withWound({ extension = [] }: Media, woundId: string): NonNullable<Media['extension']> {
  return [...extension.filter(({ url }) => url !== profileUrl('wound')), woundExtension(woundId)];
}

/** Encounter and order were the wrong patient's. */
function moveTo({ encounter: _encounter, basedOn: _basedOn, ...media }: Media, patientId: string): Media {
  return { ...media, subject: { reference: `Patient/${patientId}` } };
}
