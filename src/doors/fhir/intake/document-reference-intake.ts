import type { Attachment, DocumentReference } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { ClinicalClock } from '../../../core/ports/clinical-clock.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import type { FhirCall } from '../call/fhir-call.js';
import type { StoredResource } from '../../../standards/fhir/store/resource-store.js';
import { AttachedPhoto } from './attached-photo.js';
import { DocumentAttachments } from './document-attachments.js';
import { OrderMatching } from './order-matching.js';
import { isPhotoDocument, photoOfDocument } from './photo-resource.js';
import { PhotoSubject } from './photo-subject.js';
import { storedAttachment, type PhotoFacts } from '../photo/photo-facts.js';
import { notPossible } from '../../../standards/fhir/outcome/outcome-error.js';
import { ResourceIntake, type Prepared } from '../interactions/resource-intake.js';
import { isModelCardId } from '../../../reports/index.js';
import { refuseFuture } from './photo-times.js';

const ATTACHMENT = 'DocumentReference.content[0].attachment';

/**
 * A photo in the form of a document goes the way of a Media; its id is that of core's image. Any other document keeps its attachments,
 * whose inline bytes are put where Binaries are.
 */
@Injectable()
export class DocumentReferenceIntake extends ResourceIntake<DocumentReference> {
  readonly type = 'DocumentReference';

  constructor(
    private readonly photos: AttachedPhoto,
    private readonly subjects: PhotoSubject,
    private readonly orders: OrderMatching,
    private readonly attachments: DocumentAttachments,
    private readonly clock: ClinicalClock,
  ) {
    super();
  }

  override prepare(caller: Caller, resource: DocumentReference): Promise<Prepared<DocumentReference>> {
    return isPhotoDocument(resource) ? this.preparePhoto(caller, resource) : this.attachments.prepare(caller, resource);
  }

  override async bind(call: FhirCall, resource: DocumentReference): Promise<string | undefined> {
    if (!isPhotoDocument(resource)) return undefined;
    return (await this.photos.resolve(call, onlyAttachment(resource), ATTACHMENT)).id;
  }

  override async admit(call: FhirCall, resource: DocumentReference): Promise<DocumentReference> {
    const photo = photoOfDocument(resource);
    if (photo === null) return resource;
    refuseFuture(resource, await this.clock.now(call.transaction));
    const { image, facts } = await this.photos.bound(call, photo.imageId, ATTACHMENT);
    await this.subjects.file(call, photo, image, 'DocumentReference');
    return this.orders.withItsOrders(call, completed(resource, photo.imageId, facts));
  }

  override async amend(
    call: FhirCall,
    { resource: current }: StoredResource<DocumentReference>,
    sent: DocumentReference,
  ): Promise<DocumentReference> {
    if (isModelCardId(current.id!))
      throw notPossible('DocumentReference', 'The card of a model comes with the model, and nobody changes it here.');
    const pointing = await this.attachments.pointing(call, current, sent);
    const [before, sentPhoto] = [photoOfDocument(current), photoOfDocument(pointing)];
    if (before === null && sentPhoto === null) return pointing;
    refuseFuture(pointing, await this.clock.now(call.transaction));
    if (before === null || sentPhoto === null || onlyAttachment(pointing).url !== onlyAttachment(current).url)
      throw notPossible(ATTACHMENT, 'The photo of a document is not exchanged. Send it as a new DocumentReference.');
    const { image, facts } = await this.photos.bound(call, before.imageId, ATTACHMENT);
    const next = await this.orders.withItsOrders(call, completed(pointing, before.imageId, facts));
    const photo = photoOfDocument(next)!;
    await this.subjects.requireSame(call, before, photo);
    await this.subjects.file(call, photo, image, 'DocumentReference');
    await this.orders.photoChanged(call, before, photo);
    return next;
  }

  override async settle(call: FhirCall, { resource }: StoredResource<DocumentReference>): Promise<void> {
    const photo = photoOfDocument(resource);
    if (photo !== null) await this.orders.photoArrived(call, photo, { unordered: true });
  }

  private async preparePhoto(caller: Caller, resource: DocumentReference): Promise<Prepared<DocumentReference>> {
    const attachment = onlyAttachment(resource);
    const staged = await this.photos.prepare(caller, attachment, ATTACHMENT);
    if (staged === null) return { resource };
    const { id, facts, keep, discard } = staged;
    return { id, keep, discard, resource: withAttachment(resource, storedAttachment(attachment, id, facts)) };
  }
}

/** The facts of the photo itself replace what was stated; the camera's time is used only where no other was stated. */
function completed(document: DocumentReference, imageId: string, facts: PhotoFacts | null): DocumentReference {
  const attachment = onlyAttachment(document);
  const untimed = attachment.creation === undefined && document.context?.period?.start === undefined;
  const taken = untimed && facts !== null && facts.takenAt !== null ? { creation: facts.takenAt } : {};
  return withAttachment(document, { ...storedAttachment(attachment, imageId, facts), ...taken });
}

function onlyAttachment({ content }: DocumentReference): Attachment {
  if (content?.length !== 1)
    throw notPossible(
      'DocumentReference.content',
      'A photo of a wound is one attachment. Send each photo as a DocumentReference of its own.',
    );
  return content[0]!.attachment ?? {};
}

function withAttachment(resource: DocumentReference, attachment: Attachment): DocumentReference {
  return { ...resource, content: [{ ...resource.content![0]!, attachment }] };
}
