import type { DocumentReference, Media, Reference, ResourceType, ServiceRequest } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import type { AnalysisOptions, AnalysisRequest } from '../../../core/analysis/analysis-request.js';
import { isSameWound } from '../../../core/analysis/repeated-job.js';
import { AuthorityDirectory } from '../../../core/patients/authority-table.js';
import { ImageRepository } from '../../../core/images/image.repository.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { FhirCall } from '../call/fhir-call.js';
import { targetOf, withReferences } from '../interactions/reference-walk.js';
import { identifierCriteria, ResourceSearch } from '../search/resource-search.js';
import { ResourceStore } from '../../../standards/fhir/store/resource-store.js';
import { idOf } from './local-reference.js';
import { isCalledBy, numbersOfOrder, withOrder, type OrderNumber } from './order-numbers.js';
import { PhotoCopies } from './photo-copies.js';
import { photoOfDocument, photoOfMedia, type PhotoResource } from './photo-resource.js';
import { isWoundOrder, orderKeyOf } from './wound-order.js';

/** More photos than an order has. */
const PHOTO_LIMIT = 100;
/** More orders than have one number within a patient. */
const ORDER_LIMIT = 20;

/** The intent of an order that was made from a photo: how the one who fulfils sees an order that has not come. */
const BEGUN: ServiceRequest['intent'] = 'filler-order';
const STANDING: readonly ServiceRequest['status'][] = ['active', 'on-hold', 'completed'];

/** A photo of an order, and whether it called the order by its number before the order was here. */
export interface PhotoOfOrder {
  readonly photo: PhotoResource;
  readonly cameFirst: boolean;
}

/** Which photos and orders name each other: by references, or within their patient by the order's placer, filler or accession number. */
@Injectable()
export class PhotoOrders {
  constructor(
    private readonly store: ResourceStore,
    private readonly searching: ResourceSearch,
    private readonly images: ImageRepository,
    private readonly authorities: AuthorityDirectory,
    private readonly copies: PhotoCopies,
  ) {}

  /** What the order names, what refers to it, and what called it by its number before it came: the last refer to it from now on. */
  async photosOf(call: FhirCall, order: ServiceRequest): Promise<PhotoOfOrder[]> {
    const photos = new Map<string, PhotoOfOrder>();
    for (const reference of order.supportingInfo ?? []) {
      const photo = await this.photoAt(call, reference);
      if (photo !== null) photos.set(photo.imageId, { photo, cameFirst: false });
    }
    const basedOn = await this.searching.match(call, 'Media', `based-on=ServiceRequest/${order.id}`, PHOTO_LIMIT);
    for (const { resource } of basedOn)
      photos.set(resource.id!, { photo: photoOfMedia(resource as Media), cameFirst: false });
    for (const photo of await this.waitingFor(call, order)) {
      const linked = await this.link(call, photo, order);
      if (!photos.has(photo.imageId)) photos.set(photo.imageId, { photo: linked, cameFirst: true });
    }
    return [...photos.values()].filter(({ photo }) => !photo.isWithdrawn);
  }

  /** null: a reference to anything but a photo. */
  async photoAt({ transaction }: FhirCall, reference: Reference): Promise<PhotoResource | null> {
    const target = targetOf(reference.reference ?? '');
    if (target?.type === 'Media') {
      const media = await this.store.find<Media>(transaction, 'Media', target.id);
      return media === null ? null : photoOfMedia(media.resource);
    }
    if (target?.type !== 'DocumentReference') return null;
    const document = await this.store.find<DocumentReference>(transaction, 'DocumentReference', target.id);
    return document === null ? null : photoOfDocument(document.resource);
  }

  /** The orders that the photo refers to. */
  async ordersOf(call: FhirCall, photo: PhotoResource): Promise<ServiceRequest[]> {
    const orders: ServiceRequest[] = [];
    for (const orderId of photo.orderIds) {
      const order = await this.orderAt(call, orderKeyOf(orderId));
      if (order !== null) orders.push(order);
    }
    return orders;
  }

  /** By `ServiceRequest/id`; null: there is none. */
  async orderAt({ transaction }: FhirCall, reference: string | null): Promise<ServiceRequest | null> {
    const target = targetOf(reference ?? '');
    if (target?.type !== 'ServiceRequest') return null;
    return (await this.store.find<ServiceRequest>(transaction, 'ServiceRequest', target.id))?.resource ?? null;
  }

  /** A new Media as it is to be kept: with its original, where it is a copy that came back, and with its orders. */
  async asKept(call: FhirCall, media: Media): Promise<Media> {
    return this.withItsOrders(call, await this.copies.asKept(call, media));
  }

  /** A copy that came back of a photo that has its analysis. */
  isOfAnalysed(call: FhirCall, photo: PhotoResource): Promise<boolean> {
    return this.copies.isOfAnalysed(call, photo);
  }

  /** The photo as it is to be kept, with references to the orders of its patient that it calls by their numbers. */
  async withItsOrders<T extends Media | DocumentReference>(call: FhirCall, resource: T): Promise<T> {
    const photo = resource.resourceType === 'Media' ? photoOfMedia(resource) : photoOfDocument(resource);
    if (photo === null || photo.orderNumbers.length === 0 || photo.patientId === null) return resource;
    await this.awaitOthers(call, photo.patientId);
    const orders = await this.ordersNamedBy(call, photo);
    const authorities = await this.authorities.of(call.transaction.tenant);
    return orders.reduce((known, order) => withOrder(authorities, known, order), resource);
  }

  /** Until the transaction ends nobody else files an order or a photo of the patient that calls the other by its number. */
  async awaitOthers({ transaction }: FhirCall, patientId: string): Promise<void> {
    await this.store.lockAllCriteria(transaction, [{ type: 'ServiceRequest', criteria: `meeting=${patientId}` }]);
  }

  /** Those of these analyses that are of the same bytes, wound and stated moment: a sender that did not learn what became of them has sent them again. */
  repeatedBy(
    transaction: TenantTransaction,
    asked: readonly AnalysisRequest[],
    imageId: string,
    { subject, capturedAt }: AnalysisOptions,
  ): Promise<AnalysisRequest[]> {
    const alike = asked.filter(
      ({ options }) => isSameWound(options.subject, subject) && options.capturedAt?.getTime() === capturedAt?.getTime(),
    );
    return this.withSameBytes(transaction, alike, imageId);
  }

  /** Those of these analyses that are of a photo with the same bytes, and did not end before they began. */
  async withSameBytes(
    transaction: TenantTransaction,
    asked: readonly AnalysisRequest[],
    imageId: string,
  ): Promise<AnalysisRequest[]> {
    const digestOf = async (id: string): Promise<string | null> =>
      (await this.images.find(transaction, id))?.sha256 ?? null;
    const others = asked.filter((request) => request.imageId !== null && !isOver(request));
    if (others.length === 0) return [];
    const digest = await digestOf(imageId);
    if (digest === null) return [];
    const same: AnalysisRequest[] = [];
    for (const other of others) if ((await digestOf(other.imageId!)) === digest) same.push(other);
    return same;
  }

  /** Orders that photos of the patient began before this one came, under a number of it: made from results, and nobody ordered them. */
  async begunFor(call: FhirCall, order: ServiceRequest): Promise<ServiceRequest[]> {
    const numbers = numbersOfOrder(order);
    const patientId = idOf(order.subject, 'Patient');
    if (numbers.length === 0 || patientId === null || order.intent === BEGUN) return [];
    const found = await this.ordersWith(call, patientId, numbers);
    const authorities = await this.authorities.of(call.transaction.tenant);
    return found.filter(
      (one) =>
        one.intent === BEGUN &&
        one.id !== order.id &&
        STANDING.includes(one.status) &&
        idOf(one.subject, 'Patient') === patientId &&
        // Another request may be filed under the accession number of the wound's pictures.
        isCalledBy(authorities, numbersOfOrder(one), numbers, { byName: !isWoundOrder(order) }),
    );
  }

  /** `order`, which is about to be inserted, takes the place of one that photos began: these refer to it, and the other ends without its numbers. */
  async handOver({ transaction, ...call }: FhirCall, begun: ServiceRequest, order: ServiceRequest): Promise<void> {
    const [from, to] = [orderKeyOf(begun.id!), orderKeyOf(order.id!)];
    const author = { kind: 'client', keyId: call.caller.keyId } as const;
    const current = await this.store.findForUpdate<ServiceRequest>(transaction, 'ServiceRequest', begun.id!);
    if (current === null) return;
    const identifier = (current.resource.identifier ?? []).map((one) => ({ ...one, use: 'old' as const }));
    await this.store.replace(transaction, current, { ...current.resource, status: 'revoked', identifier }, author);
    for (const { resource } of await this.searching.match(
      { ...call, transaction },
      'Media',
      `based-on=${from}`,
      PHOTO_LIMIT,
    )) {
      const media = await this.store.findForUpdate<Media>(transaction, 'Media', resource.id!);
      if (media === null) continue;
      const next = withReferences(media.resource, (reference) => (reference === from ? to : reference));
      await this.store.replace(transaction, media, next, author);
    }
  }

  /** The photo with this image, in whichever form it is kept. null: none. */
  async photoOf(call: FhirCall, imageId: string | null): Promise<PhotoResource | null> {
    if (imageId === null) return null;
    return (
      (await this.photoAt(call, { reference: `Media/${imageId}` })) ??
      (await this.photoAt(call, { reference: `DocumentReference/${imageId}` }))
    );
  }

  private async ordersNamedBy(call: FhirCall, { orderNumbers, patientId }: PhotoResource): Promise<ServiceRequest[]> {
    const found = await this.ordersWith(call, patientId!, orderNumbers);
    const authorities = await this.authorities.of(call.transaction.tenant);
    const called = found.filter(
      (order) =>
        idOf(order.subject, 'Patient') === patientId && isCalledBy(authorities, numbersOfOrder(order), orderNumbers),
    );
    const named = called.filter((order) =>
      isCalledBy(authorities, numbersOfOrder(order), orderNumbers, { byName: true }),
    );
    if (named.length > 0) return named;
    // Of those that share an accession number the photo is of one, and analysed once.
    return [called.find((order) => isWoundOrder(order) && STANDING.includes(order.status)) ?? called[0] ?? []].flat();
  }

  private async ordersWith(
    call: FhirCall,
    patientId: string,
    numbers: readonly OrderNumber[],
  ): Promise<ServiceRequest[]> {
    const criteria = `subject=Patient/${patientId}&${identifierCriteria(numbers)}`;
    const found = await this.searching.match(call, 'ServiceRequest', criteria, ORDER_LIMIT);
    return found.map(({ resource }) => resource as ServiceRequest);
  }

  /** Photos of the order's patient that call it by a number and do not refer to it. */
  private async waitingFor(call: FhirCall, order: ServiceRequest): Promise<PhotoResource[]> {
    const patientId = idOf(order.subject, 'Patient');
    const numbers = numbersOfOrder(order);
    if (patientId === null || numbers.length === 0) return [];
    const photos = [
      ...(await this.calling(call, 'Media', 'based-on:identifier', patientId, numbers)),
      ...(await this.calling(call, 'Media', 'identifier', patientId, numbers)),
      ...(await this.calling(call, 'DocumentReference', 'related:identifier', patientId, numbers)),
    ];
    const authorities = await this.authorities.of(call.transaction.tenant);
    // A photo that has an order is not another one's by an accession number that both have.
    const isCalled = ({ orderNumbers, orderIds }: PhotoResource): boolean =>
      !orderIds.includes(order.id!) && isCalledBy(authorities, numbers, orderNumbers, { byName: orderIds.length > 0 });
    return photos.filter((photo) => photo.patientId === patientId && isCalled(photo));
  }

  private async calling(
    call: FhirCall,
    type: ResourceType & ('Media' | 'DocumentReference'),
    parameter: string,
    patientId: string,
    numbers: readonly OrderNumber[],
  ): Promise<PhotoResource[]> {
    const named = identifierCriteria(numbers).replace(/^identifier=/, `${parameter}=`);
    const found = await this.searching.match(call, type, `subject=Patient/${patientId}&${named}`, PHOTO_LIMIT);
    return found.flatMap(({ resource }) =>
      resource.resourceType === 'Media'
        ? [photoOfMedia(resource)]
        : (photoOfDocument(resource as DocumentReference) ?? []),
    );
  }

  private async link({ transaction }: FhirCall, photo: PhotoResource, order: ServiceRequest): Promise<PhotoResource> {
    const [type, id] = photo.reference.split('/') as ['Media' | 'DocumentReference', string];
    const current = await this.store.findForUpdate<Media | DocumentReference>(transaction, type, id);
    if (current === null) return photo;
    const next = withOrder(await this.authorities.of(transaction.tenant), current.resource, order);
    await this.store.replace(transaction, current, next, { kind: 'service' });
    return (next.resourceType === 'Media' ? photoOfMedia(next) : photoOfDocument(next)) ?? photo;
  }
}

/** Came to nothing: another photo with the same bytes may be tried. */
function isOver({ state }: AnalysisRequest): boolean {
  return state === 'rejected' || state === 'cancelled';
}
