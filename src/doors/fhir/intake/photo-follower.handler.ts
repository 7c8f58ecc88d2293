import type { Attachment, DocumentReference, Media } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import type { DeliveredEvent, DomainEventKind } from '../../../core/domain-events/domain-event.js';
import type { ImageRecord } from '../../../core/images/image.js';
import { ImageRepository } from '../../../core/images/image.repository.js';
import { DomainEventHandler } from '../../../core/domain-events/domain-event.handler.js';
import { UnitOfWork, type TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { AwaitedPatients } from '../../../standards/fhir/store/awaited-patients.js';
import { ResourceStore } from '../../../standards/fhir/store/resource-store.js';
import { completed } from './media-intake.js';
import { storedAttachment, type PhotoFacts } from '../photo/photo-facts.js';
import { PhotoRecords } from '../photo/photo-records.js';

const SERVICE = { kind: 'service' } as const;

/** Completes a Media or DocumentReference once the bytes of its photo have come, or records that they will not come or are gone. Idempotent. */
@Injectable()
export class PhotoFollower extends DomainEventHandler {
  readonly name = 'fhir-photo';
  readonly kinds: readonly DomainEventKind[] = ['image.stored', 'image.lost', 'image.deleted'];

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly images: ImageRepository,
    private readonly photos: PhotoRecords,
    private readonly store: ResourceStore,
    private readonly awaited: AwaitedPatients,
  ) {
    super();
  }

  async handle({ kind, tenant, subjectId }: DeliveredEvent): Promise<void> {
    const image = await this.unitOfWork.inTenant(tenant, (transaction) => this.images.find(transaction, subjectId));
    if (image === null) return;
    if (kind === 'image.deleted')
      return this.unitOfWork.inTenant(tenant, (transaction) => this.forget(transaction, image.id));
    // Read before the transaction: the store may be slow.
    const facts = kind === 'image.stored' && image.status === 'stored' ? await this.photos.factsOf(image) : null;
    await this.unitOfWork.inTenant(tenant, async (transaction) => {
      await this.followMedia(transaction, image, facts);
      if (facts !== null) await this.followDocument(transaction, image, facts);
    });
  }

  /** The bytes are gone for good: nothing points at them any more, nor says how they hashed. */
  private async forget(transaction: TenantTransaction, imageId: string): Promise<void> {
    // Nothing is left for a patient to have.
    for (const type of ['Media', 'DocumentReference']) await this.awaited.drop(transaction, { type, id: imageId });
    const media = await this.store.findForUpdate<Media>(transaction, 'Media', imageId);
    if (media?.resource.content.url !== undefined)
      await this.store.replace<Media>(
        transaction,
        media,
        { ...media.resource, content: withoutBytes(media.resource.content) as Media['content'] },
        SERVICE,
      );
    const document = await this.store.findForUpdate<DocumentReference>(transaction, 'DocumentReference', imageId);
    const content = document?.resource.content?.[0];
    if (document === null || content?.attachment?.url === undefined) return;
    await this.store.replace<DocumentReference>(
      transaction,
      document,
      { ...document.resource, content: [{ ...content, attachment: withoutBytes(content.attachment) }] },
      SERVICE,
    );
  }

  private async followMedia(
    transaction: TenantTransaction,
    image: ImageRecord,
    facts: PhotoFacts | null,
  ): Promise<void> {
    const stored = await this.store.findForUpdate<Media>(transaction, 'Media', image.id);
    if (stored?.resource.status !== 'preparation') return;
    // An image without facts was lost, or cannot be read.
    const next: Media = facts === null ? { ...stored.resource, status: 'not-done' } : completed(stored.resource, facts);
    await this.store.replace<Media>(transaction, stored, next, SERVICE);
  }

  private async followDocument(transaction: TenantTransaction, image: ImageRecord, facts: PhotoFacts): Promise<void> {
    const stored = await this.store.findForUpdate<DocumentReference>(transaction, 'DocumentReference', image.id);
    const content = stored?.resource.content?.[0];
    if (stored === null || content === undefined || content.attachment?.hash === facts.sha1) return;
    const attachment = storedAttachment(content.attachment ?? {}, image.id, facts);
    await this.store.replace<DocumentReference>(
      transaction,
      stored,
      { ...stored.resource, content: [{ ...content, attachment }] },
      SERVICE,
    );
  }
}

function withoutBytes({ url: _url, data: _data, size: _size, hash: _hash, ...said }: Attachment): Attachment {
  return said;
}
