import type { CodeableConcept, Media } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { ClinicalClock } from '../../../core/ports/clinical-clock.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { IMAGE, identifierSystem } from '../../../reports/index.js';
import type { FhirCall } from '../call/fhir-call.js';
import type { StoredResource } from '../../../standards/fhir/store/resource-store.js';
import { AttachedPhoto } from './attached-photo.js';
import { BinaryContent } from '../interactions/binary-content.js';
import { KeptBytes } from './kept-bytes.js';
import { OrderMatching } from './order-matching.js';
import { refuseRegion } from './photo-region.js';
import { stillCopy } from './photo-copies.js';
import { photoOfMedia } from './photo-resource.js';
import { PhotoSubject } from './photo-subject.js';
import { storedAttachment, type PhotoFacts } from '../photo/photo-facts.js';
import { notPossible } from '../../../standards/fhir/outcome/outcome-error.js';
import { ResourceIntake, type Prepared } from '../interactions/resource-intake.js';
import { refuseFuture } from './photo-times.js';

const CONTENT = 'Media.content';
const IMAGE_ID = identifierSystem('image-id');

/** A Media is a photo: its id is that of core's image. What is kept points at its bytes and never holds them. */
@Injectable()
export class MediaIntake extends ResourceIntake<Media> {
  readonly type = 'Media';

  constructor(
    private readonly photos: AttachedPhoto,
    private readonly subjects: PhotoSubject,
    private readonly orders: OrderMatching,
    private readonly content: BinaryContent,
    private readonly kept: KeptBytes,
    private readonly clock: ClinicalClock,
  ) {
    super();
  }

  override async prepare(caller: Caller, resource: Media): Promise<Prepared<Media>> {
    const staged = await this.photos.prepare(caller, resource.content, CONTENT);
    if (staged === null) return { resource };
    const { id, facts, keep, discard } = staged;
    return { id, keep, discard, resource: { ...resource, content: storedAttachment(resource.content, id, facts) } };
  }

  override async bind(call: FhirCall, resource: Media): Promise<string> {
    return (await this.photos.resolve(call, resource.content, CONTENT)).id;
  }

  override async admit(call: FhirCall, resource: Media): Promise<Media> {
    refuseFuture(resource, await this.clock.now(call.transaction));
    const { image, facts } = await this.photos.bound(call, resource.id!, CONTENT);
    refuseRegion(resource, facts);
    const complete = completed(resource, facts);
    await this.subjects.file(call, photoOfMedia(complete), image, 'Media');
    return this.orders.asKept(call, complete);
  }

  override async amend(call: FhirCall, { resource: current }: StoredResource<Media>, sent: Media): Promise<Media> {
    const pointing = {
      ...sent,
      content: await this.kept.pointing(call, sent.content, current.content, CONTENT),
    } as Media;
    refuseOtherPhoto(current, pointing);
    refuseFuture(pointing, await this.clock.now(call.transaction));
    const { image, facts } = await this.photos.bound(call, current.id!, CONTENT);
    refuseRegion(pointing, facts);
    const content = { ...pointing.content, url: current.content.url } as Media['content'];
    const withWound = await this.subjects.withItsWound(call, current, pointing);
    const sentOn = { ...stillCopy(current, withWound), content };
    const next = await this.orders.withItsOrders(call, completed(sentOn, facts));
    const photo = photoOfMedia(next);
    await this.subjects.requireSame(call, photoOfMedia(current), photo);
    await this.subjects.file(call, photo, image, 'Media');
    await this.orders.photoChanged(call, photoOfMedia(current), photo);
    return next;
  }

  override async inline(call: FhirCall, { resource }: StoredResource<Media>): Promise<Media> {
    if (resource.status === 'preparation') return resource;
    const { bytes } = await (await this.content.open(call, resource.id!, 'all')).load();
    const { url: _url, ...content } = resource.content;
    return { ...resource, content: { ...content, data: bytes.toString('base64') } as Media['content'] };
  }

  override settle(call: FhirCall, { resource }: StoredResource<Media>): Promise<void> {
    return this.orders.photoArrived(call, photoOfMedia(resource), { unordered: true });
  }

  override advice(call: FhirCall, { resource }: StoredResource<Media>): Promise<readonly string[]> {
    return this.orders.whyNotAnalysed(call, photoOfMedia(resource));
  }
}

/** The facts of the photo itself replace what was stated; the camera's time is used only where no other was stated. */
export function completed(media: Media, facts: PhotoFacts | null): Media {
  const said = media.identifier ?? [];
  const named = said.some(({ system }) => system === IMAGE_ID)
    ? said
    : [...said, { system: IMAGE_ID, value: media.id }];
  const untimed = media.createdDateTime === undefined && media.createdPeriod === undefined;
  const isOpen = media.status === 'preparation' || media.status === 'in-progress';
  return {
    ...media,
    identifier: named,
    type: imageType(media.type),
    status:
      media.status === 'entered-in-error'
        ? media.status
        : facts === null
          ? 'preparation'
          : isOpen
            ? 'completed'
            : media.status,
    ...(facts !== null && untimed && facts.takenAt !== null ? { createdDateTime: facts.takenAt } : {}),
    ...(facts === null ? {} : { height: facts.heightPx, width: facts.widthPx }),
    content: storedAttachment(media.content, media.id!, facts),
  } as Media;
}

/** Nothing but an image is taken, whatever its sender calls it or leaves out: readers by its profile find it by that code. */
function imageType(said: CodeableConcept | undefined): CodeableConcept {
  const others = (said?.coding ?? []).filter(({ system }) => system !== IMAGE.system);
  const named = said?.coding?.find(({ system, code }) => system === IMAGE.system && code === IMAGE.code);
  return { ...said, coding: [named ?? { ...IMAGE }, ...others] };
}

function refuseOtherPhoto({ content: current }: Media, { content: next }: Media): void {
  if (next.url !== undefined && !(next.url === current.url || next.url.endsWith(`/${current.url}`)))
    throw notPossible(`${CONTENT}.url`, 'The photo of a Media is not exchanged. Send it as a new Media.');
}
