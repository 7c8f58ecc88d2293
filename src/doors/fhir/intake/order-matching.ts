import type { DocumentReference, Media, Reference, ServiceRequest, Task } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import type { AnalysisOptions, AnalysisRequest } from '../../../core/analysis/analysis-request.js';
import { AnalysisRequestService, isOpen } from '../../../core/analysis/analysis-request.service.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { OrganizationRepository } from '../../../core/organizations/organization.repository.js';
import type { FhirCall } from '../call/fhir-call.js';
import { statedSubject } from '../interactions/stated-subject.js';
import type { StoredResource } from '../../../standards/fhir/store/resource-store.js';
import { AnalysisTasks, sourceOf } from './analysis-tasks.js';
import { idOf } from './local-reference.js';
import { numbersOfOrder } from './order-numbers.js';
import { PhotoOrders } from './photo-orders.js';
import type { PhotoResource } from './photo-resource.js';
import { notPossible } from '../../../standards/fhir/outcome/outcome-error.js';
import { BegunAnalyses } from './begun-analyses.js';
import { AnalysisRequestBuilder, type AnalysisRequestSource } from './analysis-request.builder.js';
import { isWoundOrder, orderKeyOf, whyNoOrder, whyNothingFollows } from './wound-order.js';

/** An analysis that a client asks for by a Task of its own. */
export interface AskedTask {
  readonly id: string;
  readonly photo: PhotoResource;
  readonly orderId: string | null;
  readonly clinicalContext: string | undefined;
}

/** A further photo for a completed order is a further analysis: it is never dropped silently. */
const TAKES_PHOTOS: readonly ServiceRequest['status'][] = ['active', 'completed'];

const COPIED =
  'The photo is a copy of one that has its analysis (extension copy-of). It is kept, and not analysed a second time; for another analysis, ask for it by $analyze or an order of its own.';
const ORDER_TO_COME =
  'No order with the number that the photo names is here for its patient. The photo is kept, and analysed once an order of a wound assessment with that number comes.';

/**
 * Brings orders and photos together, whichever came first: each photo of an order is one analysis, with one Task. An order without a photo is an
 * analysis that waits for one. All within the caller's transaction, so that a quota that is used up refuses the whole of it.
 */
@Injectable()
export class OrderMatching {
  constructor(
    private readonly requests: AnalysisRequestService,
    private readonly tasks: AnalysisTasks,
    private readonly builder: AnalysisRequestBuilder,
    private readonly organizations: OrganizationRepository,
    private readonly photoOrders: PhotoOrders,
    private readonly begun: BegunAnalyses,
  ) {}

  /** An order was made, or names more than before. Orders of anything else, and those that are not active, ask for nothing. */
  async orderPlaced(call: FhirCall, order: ServiceRequest): Promise<void> {
    if (order.status !== 'active' || !isWoundOrder(order) || whyNoOrder(order) !== null) return;
    const photos = await this.photoOrders.photosOf(call, order);
    for (const { photo, cameFirst } of photos)
      if (!(cameFirst && (await this.begun.goOnUnder(call, order, photo)))) await this.fulfil(call, order, photo);
    if (photos.length > 0) return;
    const asked = await this.requests.ofOrder(call.transaction, orderKeyOf(order.id!));
    if (asked.length === 0) await this.ask(call, { order, photo: null });
  }

  /** A photo arrived. It belongs to the orders that it names; `unordered`: without one it is analysed if the organization wants that. */
  async photoArrived(
    call: FhirCall,
    photo: PhotoResource,
    { unordered }: { readonly unordered: boolean },
  ): Promise<void> {
    if (photo.isWithdrawn) return;
    const { transaction, caller } = call;
    const orders = await this.woundOrdersOf(call, photo);
    for (const order of orders) if (takesPhotos(order)) await this.fulfil(call, order, photo);
    // A photo that an order excludes is not analysed as an unordered one.
    if (!unordered || orders.length > 0 || (await this.requests.ofImage(transaction, photo.imageId)).length > 0) return;
    if (await this.photoOrders.isOfAnalysed(call, photo)) return;
    const organization = await this.organizations.find(transaction, caller.organizationId);
    if (organization?.autoAnalyze === true) await this.ask(call, { order: null, photo });
  }

  /** Why each order of a wound assessment that the photo names has it not analysed: warnings for the photo's sender. */
  async whyNotAnalysed(call: FhirCall, photo: PhotoResource): Promise<readonly string[]> {
    if (photo.isWithdrawn) return [];
    const isAsked = (await this.requests.ofImage(call.transaction, photo.imageId)).length > 0;
    if (!isAsked && (await this.photoOrders.isOfAnalysed(call, photo))) return [COPIED];
    const orders = await this.woundOrdersOf(call, photo);
    const isUnknown = photo.orderNumbers.length > 0 && photo.orderIds.length === 0;
    if (isUnknown && !isAsked) return [ORDER_TO_COME];
    const reasons = orders.flatMap((order) => whyNothingFollows(order) ?? []);
    return [...new Set(reasons)].map(
      (reason) => `The photo is kept, and is not analysed for the order it names. ${reason}`,
    );
  }

  /** A photo was changed. Where its patient is known only now, what it waits for by itself goes on under its orders, before it begins. */
  async photoChanged(call: FhirCall, before: PhotoResource, photo: PhotoResource): Promise<void> {
    if (before.awaitsPatient && photo.patientId !== null && !photo.isWithdrawn)
      for (const order of await this.woundOrdersOf(call, photo))
        if (takesPhotos(order)) await this.begun.goOnUnder(call, order, photo);
    await this.reconsider(call, photo);
    await this.photoArrived(call, photo, { unordered: false });
  }

  /** Applies a change of a photo: requests that have not begun are made anew from it, or end where it was entered in error. */
  private async reconsider(call: FhirCall, photo: PhotoResource): Promise<void> {
    const { transaction } = call;
    if (photo.isWithdrawn) return this.photoWithdrawn(call, photo);
    for (const request of (await this.requests.ofImage(transaction, photo.imageId)).filter(isOpen)) {
      const order = await this.photoOrders.orderAt(call, request.orderKey);
      await this.renew(call, request, { order, photo });
    }
  }

  /** Applies to the analyses of an order, with their photos or without, that its patient is known now. */
  async patientFound(call: FhirCall, order: ServiceRequest): Promise<void> {
    for (const request of (await this.requests.ofOrder(call.transaction, orderKeyOf(order.id!))).filter(isOpen)) {
      const photo = await this.photoOrders.photoOf(call, request.imageId);
      await this.renew(call, request, { order, photo });
    }
  }

  /** Makes a request that has not begun anew from what is known now, and lets it begin where it only waited for its patient. */
  private async renew(call: FhirCall, request: AnalysisRequest, source: AnalysisRequestSource): Promise<void> {
    const { transaction } = call;
    if (source.photo !== null) {
      const options = await this.builder.optionsOf(call, source);
      await this.requests.revise(transaction, source.photo.imageId, (before) => ({
        ...before,
        ...options,
        source: before.source,
      }));
    }
    const followed = await this.requests.awaitPatient(transaction, request.id, isAwaited(source));
    const task = followed === null ? null : await this.tasks.find(call, request.id);
    if (followed === null || task === null) return;
    const patient = patientOf(source.order, source.photo);
    await this.tasks.write(call, followed, { ...sourceOf(task.resource), patient });
  }

  /** Applies a change of clinicians' findings to requests that have not begun. */
  async findingsChanged(call: FhirCall, photo: PhotoResource): Promise<void> {
    const { transaction } = call;
    for (const request of (await this.requests.ofImage(transaction, photo.imageId)).filter(isOpen)) {
      const given = await this.builder.findingsOf(call, {
        order: await this.photoOrders.orderAt(call, request.orderKey),
        photo,
      });
      await this.requests.revise(transaction, photo.imageId, (options) => ({ ...options, ...given }));
    }
  }

  /** Requests the analysis of a photo by itself. A request that still waits is not repeated; `fresh`: none can exist, since the photo has just come. */
  async analyze(
    call: FhirCall,
    source: AnalysisRequestSource & { readonly photo: PhotoResource },
    { fresh }: { readonly fresh: boolean },
  ): Promise<StoredResource<Task>> {
    const { transaction } = call;
    refuseWithdrawn(source.photo, 'Media.status');
    const asked = (await this.requests.ofImage(transaction, source.photo.imageId)).find(
      (request) => fresh || isOpen(request),
    );
    const known = asked === undefined ? null : await this.tasks.find(call, asked.id);
    return known ?? this.ask(call, source);
  }

  /** Requests the analysis of a client's own Task. `fhir.business_rule` where the order has that photo's Task, or waits for it with one. */
  async askForTask(call: FhirCall, { id, photo, orderId, clinicalContext }: AskedTask): Promise<void> {
    const { transaction } = call;
    refuseWithdrawn(photo, 'Task.focus');
    const order = await this.photoOrders.orderAt(call, orderId === null ? null : orderKeyOf(orderId));
    const refusal = order === null || !isWoundOrder(order) ? null : whyNothingFollows(order);
    if (refusal !== null) throw notPossible('Task.focus', refusal);
    const asked = orderId === null ? [] : await this.requests.ofOrder(transaction, orderKeyOf(orderId));
    const taken = asked.some(
      ({ imageId, state }) =>
        imageId === photo.imageId || (imageId === null && (state === 'waiting' || state === 'held')),
    );
    if (taken)
      throw notPossible('Task.focus', 'The order has its Task already. Its photo belongs to it by Media.basedOn.');
    await this.ask(call, { id, photo, order, clinicalContext });
  }

  /**
   * Applies a change of an order: analyses that have not begun are made anew from it. Over HL7 v2, whose senders expect an answer, `fhir.task_state` if all of them have begun or ended; not where it
   * `completes` an order that its photo began: what was asked stays, and the rest of it is news.
   */
  async orderRevised(
    call: FhirCall,
    order: ServiceRequest,
    { completes }: { readonly completes: boolean } = { completes: false },
  ): Promise<void> {
    const { transaction } = call;
    const asked = await this.requests.ofOrder(transaction, orderKeyOf(order.id!));
    const open = asked.filter(isOpen);
    if (call.door === 'hl7v2' && !completes && asked.length > 0 && open.length === 0)
      throw new SuturaError('fhir.task_state', {
        detail: 'The analysis of this order has begun or ended; what it was asked with stays.',
      });
    for (const { photo } of await this.photoOrders.photosOf(call, order)) {
      if (!open.some(({ imageId }) => imageId === photo.imageId)) continue;
      const options = await this.builder.optionsOf(call, { order, photo });
      await this.requests.revise(transaction, photo.imageId, (before) => ({ ...before, ...options }));
      for (const { id, imageId } of open)
        if (imageId === photo.imageId) await this.tasks.ask(call, id, options.clinicalContext);
    }
  }

  /** The order is off, or waits: so does what it asked for and has not begun. Ids of those that had begun. */
  async stop(call: FhirCall, orderId: string, how: 'cancel' | 'hold'): Promise<string[]> {
    const { transaction } = call;
    const begun: string[] = [];
    for (const request of await this.requests.ofOrder(transaction, orderKeyOf(orderId))) {
      const { id } = request;
      if (how === 'hold') await this.hold(call, request);
      else if ((await this.requests.cancel(transaction, id)) === 'too_late') begun.push(id);
      else await this.tasks.cancel(call, id);
    }
    return begun;
  }

  private async hold(call: FhirCall, request: AnalysisRequest): Promise<void> {
    if (!(await this.requests.hold(call.transaction, request.id))) return;
    const task = await this.tasks.find(call, request.id);
    if (task !== null)
      await this.tasks.write(call, { request: { ...request, state: 'held' }, job: null }, sourceOf(task.resource));
  }

  async resume(call: FhirCall, order: ServiceRequest): Promise<void> {
    const { transaction } = call;
    for (const { id } of await this.requests.ofOrder(transaction, orderKeyOf(order.id!))) {
      const released = await this.requests.release(transaction, id, call.quota);
      const task = released === null ? null : await this.tasks.find(call, id);
      if (released !== null && task !== null) await this.tasks.write(call, released, sourceOf(task.resource));
    }
  }

  private async photoWithdrawn(call: FhirCall, { imageId }: PhotoResource): Promise<void> {
    const { transaction } = call;
    for (const { id } of (await this.requests.ofImage(transaction, imageId)).filter(isOpen)) {
      if ((await this.requests.cancel(transaction, id)) === 'cancelled') await this.tasks.cancel(call, id);
    }
  }

  /** The order as it is to be kept: see BegunAnalyses. */
  inPlaceOfBegun(call: FhirCall, order: ServiceRequest): Promise<ServiceRequest> {
    return this.begun.inPlaceOfBegun(call, order);
  }

  /** Photos that are being filed and may call the order by its number are there, or come behind it. */
  async awaitPhotos(call: FhirCall, order: ServiceRequest): Promise<void> {
    const patientId = idOf(order.subject, 'Patient');
    if (patientId !== null && numbersOfOrder(order).length > 0) await this.photoOrders.awaitOthers(call, patientId);
  }

  /** A new Media as it is to be kept: see PhotoOrders. */
  asKept(call: FhirCall, media: Media): Promise<Media> {
    return this.photoOrders.asKept(call, media);
  }

  /** The photo as it is to be kept: see PhotoOrders. */
  withItsOrders<T extends Media | DocumentReference>(call: FhirCall, photo: T): Promise<T> {
    return this.photoOrders.withItsOrders(call, photo);
  }

  /** null: a reference to anything but a photo. */
  photoAt(call: FhirCall, reference: Reference): Promise<PhotoResource | null> {
    return this.photoOrders.photoAt(call, reference);
  }

  private async woundOrdersOf(call: FhirCall, photo: PhotoResource): Promise<ServiceRequest[]> {
    return (await this.photoOrders.ordersOf(call, photo)).filter(isWoundOrder);
  }

  /** Adds a photo to an order, once, and the same bytes of the same wound and moment once, too, unless that failed: it fills the place that waits for one, or is an analysis of its own. */
  private async fulfil(call: FhirCall, order: ServiceRequest, photo: PhotoResource): Promise<void> {
    const { transaction } = call;
    const asked = await this.requests.ofOrder(transaction, orderKeyOf(order.id!));
    if (asked.some(({ imageId }) => imageId === photo.imageId)) return;
    const ofOriginal = asked.filter(({ imageId }) => imageId !== null && imageId === photo.copyOf);
    if (await this.begun.isAnyAlive(transaction, ofOriginal)) return;
    const empty = asked.find((request) => request.imageId === null && isOpen(request));
    const options = await this.builder.optionsOf(call, { order, photo });
    const repeated = await this.photoOrders.repeatedBy(transaction, asked, photo.imageId, options);
    if (await this.begun.isAnyAlive(transaction, repeated)) return;
    if (empty !== undefined) await this.requests.awaitPatient(transaction, empty.id, isAwaited({ order, photo }));
    const attached =
      empty === undefined
        ? null
        : await this.requests.attach(transaction, empty.id, photo.imageId, options, call.quota);
    const source = { order: `ServiceRequest/${order.id}`, image: photo.reference, patient: patientOf(order, photo) };
    if (attached !== null) await this.tasks.write(call, attached, source);
    else await this.ask(call, { order, photo });
  }

  private async ask(
    call: FhirCall,
    source: AnalysisRequestSource & { readonly id?: string },
  ): Promise<StoredResource<Task>> {
    const { order, photo, id } = source;
    const options = await this.builder.optionsOf(call, source);
    const repeated = order === null && id === undefined ? await this.taskOfFirst(call, photo, options) : null;
    if (repeated !== null) return repeated;
    const orderKey = order === null ? null : orderKeyOf(order.id!);
    const requested = await this.requests.request(call.transaction, {
      ...(id === undefined ? {} : { id }),
      imageId: photo?.imageId ?? null,
      orderKey,
      options,
      awaitsPatient: isAwaited(source),
      quota: call.quota,
    });
    const links = { order: orderKey, image: photo?.reference ?? null, patient: patientOf(order, photo) };
    // Only a client's own Task exists before its analysis.
    return id === undefined ? this.tasks.open(call, requested, links) : this.tasks.write(call, requested, links);
  }

  /** The Task of the analysis that a photo had when it was sent for the first time; null: there was none. */
  private async taskOfFirst(
    call: FhirCall,
    photo: PhotoResource | null,
    options: AnalysisOptions,
  ): Promise<StoredResource<Task> | null> {
    // A moment that nobody stated is the one of sending.
    if (photo === null || photo.takenAt === null || photo.awaitsPatient) return null;
    const first = await this.requests.firstOf(call.transaction, photo.imageId, options);
    return first === null ? null : this.tasks.find(call, first.id);
  }
}

function takesPhotos(order: ServiceRequest): boolean {
  return TAKES_PHOTOS.includes(order.status) && whyNoOrder(order) === null;
}

/** True where photo or order state a patient who is not known here, and neither names one who is. */
function isAwaited({ order, photo }: Pick<AnalysisRequestSource, 'order' | 'photo'>): boolean {
  if (patientOf(order, photo) !== null) return false;
  return photo?.awaitsPatient === true || (order !== null && statedSubject(order) !== null);
}

/** A Patient of this server; null: none is known. */
function patientOf(order: ServiceRequest | null, photo: PhotoResource | null): string | null {
  const patientId = photo?.patientId ?? idOf(order?.subject, 'Patient');
  return patientId === null ? null : `Patient/${patientId}`;
}

function refuseWithdrawn({ isWithdrawn }: PhotoResource, expression: string): void {
  if (isWithdrawn) throw notPossible(expression, 'The photo was entered in error, and is not analysed.');
}
