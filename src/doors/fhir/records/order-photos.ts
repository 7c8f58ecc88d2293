import type { Media, ServiceRequest } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import type { AnalysisRequest } from '../../../core/analysis/analysis-request.js';
import { AnalysisRequestService, isOpen } from '../../../core/analysis/analysis-request.service.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { ImageRepository } from '../../../core/images/image.repository.js';
import { JobRepository } from '../../../core/analysis/job.repository.js';
import { AuthorityDirectory } from '../../../core/patients/authority-table.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { FhirCall } from '../call/fhir-call.js';
import { isSameNumber, numbersOfOrder, type OrderNumber } from '../intake/order-numbers.js';
import { photoOfMedia } from '../intake/photo-resource.js';
import { orderKeyOf } from '../intake/wound-order.js';
import { identifierCriteria } from '../search/resource-search.js';
import { ResourceStore } from '../../../standards/fhir/store/resource-store.js';
import { IdentifiedResources, type RecordIdentifier } from './identified-resources.js';

/** A photo by its bytes. */
export interface OrderPhoto {
  readonly orderId: string;
  /** Hex. */
  readonly sha256: string;
}

/** A photo of a patient, by its bytes (SHA-256, hex) or its id. */
export interface PhotoOfPatient {
  readonly patientId: string;
  readonly photo: { readonly sha256: string } | { readonly id: string };
}

/** A photo in a patient's record, and whether its analysis was asked for: `ended` where that came to nothing; `withdrawn`: entered in error, or deleted. */
export interface FiledPhoto {
  readonly id: string;
  readonly orderIds: readonly string[];
  /** Numbers by which it calls orders, which may not be here. */
  readonly orderNumbers: readonly OrderNumber[];
  readonly analysis: 'none' | 'alive' | 'ended' | 'withdrawn';
}

/** More photos of the same bytes than anybody files. */
const MOST_COPIES = 100;

/** The photos of orders. A photo that comes first completes its order, a later one belongs to another, and the same bytes are not analysed twice. */
@Injectable()
export class OrderPhotos {
  constructor(
    private readonly requests: AnalysisRequestService,
    private readonly images: ImageRepository,
    private readonly jobs: JobRepository,
    private readonly store: ResourceStore,
    private readonly identified: IdentifiedResources,
    private readonly authorities: AuthorityDirectory,
  ) {}

  /** The Media of an order with these bytes, by its id. null: none, or none whose analysis is under way or done, so that it may be tried again. */
  async find(transaction: TenantTransaction, { orderId, sha256 }: OrderPhoto): Promise<string | null> {
    for (const request of await this.requests.ofOrder(transaction, orderKeyOf(orderId))) {
      if (request.imageId === null || !(await this.isAlive(transaction, request))) continue;
      const image = await this.images.find(transaction, request.imageId);
      if (image?.status !== 'stored' || image.sha256 !== sha256) continue;
      const media = await this.store.find<Media>(transaction, 'Media', image.id);
      if (media !== null && media.resource.status !== 'entered-in-error') return image.id;
    }
    return null;
  }

  /** The patient's photos with these bytes, oldest first. */
  async filed(transaction: TenantTransaction, { patientId, photo }: PhotoOfPatient): Promise<FiledPhoto[]> {
    const ids = 'id' in photo ? [photo.id] : await this.images.listByDigest(transaction, photo.sha256, MOST_COPIES);
    const filed: FiledPhoto[] = [];
    for (const id of ids) {
      const media = await this.store.find<Media>(transaction, 'Media', id);
      if (media === null) {
        // Deleted as a resource, or no photo of FHIR's at all: then it is nothing that a message brought.
        const wasFiled = (await this.images.find(transaction, id))?.patientId === patientId;
        if (wasFiled) filed.push({ id, orderIds: [], orderNumbers: [], analysis: 'withdrawn' });
        continue;
      }
      const { orderIds, orderNumbers, isWithdrawn, patientId: subject } = photoOfMedia(media.resource);
      if (subject !== patientId) continue;
      const analysis = isWithdrawn ? 'withdrawn' : await this.analysisOf(transaction, id);
      filed.push({ id, orderIds, orderNumbers, analysis });
    }
    return filed;
  }

  private async analysisOf(transaction: TenantTransaction, imageId: string): Promise<FiledPhoto['analysis']> {
    const requests = await this.requests.ofImage(transaction, imageId);
    for (const request of requests) if (await this.isAlive(transaction, request)) return 'alive';
    if (requests.length > 0) return 'ended';
    return (await this.jobs.wasAnalysed(transaction, imageId)) ? 'alive' : 'none';
  }

  /** Holds the order until the transaction ends: of one photo that comes twice at once one is analysed. `fhir.version_conflict`. */
  async requireNew({ transaction }: FhirCall, photos: readonly OrderPhoto[]): Promise<void> {
    for (const photo of [...photos].sort((a, b) => (a.orderId < b.orderId ? -1 : 1))) {
      await this.store.findForUpdate(transaction, 'ServiceRequest', photo.orderId);
      if ((await this.find(transaction, photo)) !== null)
        throw new SuturaError('fhir.version_conflict', { detail: 'The order has this photo meanwhile.' });
    }
  }

  /** True where the photo of an order has not come, also where every analysis came to nothing before it began. */
  async isWaiting(transaction: TenantTransaction, orderId: string): Promise<boolean> {
    const asked = await this.requests.ofOrder(transaction, orderKeyOf(orderId));
    return asked.every((request) => (isOpen(request) ? request.imageId === null : request.state !== 'started'));
  }

  /** Holds the order until the transaction ends: of two photos at once one completes it. `fhir.version_conflict`. */
  async requireWaiting({ transaction }: FhirCall, orderIds: readonly string[]): Promise<void> {
    for (const id of [...orderIds].sort()) {
      await this.store.findForUpdate(transaction, 'ServiceRequest', id);
      if (!(await this.isWaiting(transaction, id)))
        throw new SuturaError('fhir.version_conflict', { detail: 'The order has its photo meanwhile.' });
    }
  }

  /** Until the transaction ends nobody else makes an order with one of these numbers. `fhir.version_conflict` where one has it. */
  async requireNoOrders({ transaction }: FhirCall, numbers: readonly RecordIdentifier[]): Promise<void> {
    if (numbers.length === 0) return;
    const locks = numbers.map((number) => ({ type: 'ServiceRequest', criteria: identifierCriteria([number]) }));
    await this.store.lockAllCriteria(transaction, locks);
    const found = await this.identified.find<ServiceRequest>(transaction, 'ServiceRequest', numbers);
    const authorities = await this.authorities.of(transaction.tenant);
    const isPlaced = (order: ServiceRequest): boolean =>
      numbersOfOrder(order).some((one) =>
        numbers.some((number) => isSameNumber(authorities, one, { kind: 'placer', ...number })),
      );
    if (found.some(isPlaced))
      throw new SuturaError('fhir.version_conflict', { detail: 'An order has this number meanwhile.' });
  }

  private async isAlive(transaction: TenantTransaction, request: AnalysisRequest): Promise<boolean> {
    if (isOpen(request)) return true;
    return request.state === 'started' && (await this.jobs.find(transaction, request.id))?.status !== 'error';
  }
}
