import type { JobError } from '../analysis/analysis-job.js';
import type { AnalysisRequestService } from '../analysis/analysis-request.service.js';
import { isSuturaError, SuturaError } from '../errors/sutura-error.js';
import type { Clock } from '../ports/clock.js';
import type { IdSource } from '../ports/id-source.js';
import type { Digest } from '../ports/image-inspector.js';
import type { ImageRepository } from '../ports/image.repository.js';
import type { ObjectStore } from '../ports/object-store.js';
import type { OrganizationRepository } from '../ports/organization.repository.js';
import type { Outbox } from '../ports/outbox.js';
import type { DueFetch, RemoteImageRepository, RemoteImageSource } from '../ports/remote-image.js';
import type { Transaction, UnitOfWork } from '../ports/unit-of-work.js';
import { tenantOf, type Tenant } from '../tenancy/tenant.js';
import { FORMAT_SIGNATURE_BYTES } from './image-format.js';
import type { ImageService } from './image.service.js';
import type { ImageRecord } from './image.js';
import { newImage } from './new-image.js';

export interface RemoteImageServicePorts {
  readonly unitOfWork: UnitOfWork;
  readonly images: ImageRepository;
  readonly organizations: OrganizationRepository;
  readonly remote: RemoteImageRepository;
  readonly source: RemoteImageSource;
  readonly store: ObjectStore;
  readonly digest: Digest;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly ids: IdSource;
}

const FETCHES_AT_ONCE = 4;
/** After this many attempts a photo is given up: about 40 minutes. */
const MAX_TRIES = 5;
const LIFE_S = 86_400;
/** Nothing can be done about these by asking again. */
const FINAL = ['fhir.url_refused', 'image.too_large', 'image.type', 'image.not_found', 'image.already_uploaded'] as const;

/** Photos that a message names by an address on a host of the organization's list. */
export class RemoteImageService {
  constructor(
    private readonly ports: RemoteImageServicePorts,
    private readonly imageService: ImageService,
    private readonly requests: Pick<AnalysisRequestService, 'rejectAll'>,
    private readonly maxBytes: number,
  ) {}

  /** An image whose bytes will be fetched after the commit. `fhir.url_refused`. */
  async announce(transaction: Transaction, tenant: Tenant, url: string): Promise<ImageRecord> {
    this.ports.source.check(url, await this.hostsOf(transaction, tenant));
    const image = this.newImage(tenant);
    await this.ports.images.insert(transaction, image);
    await this.ports.remote.insert(transaction, tenantOf(tenant), image.id, url);
    return image;
  }

  /** Fetches what is due. How many were tried. */
  async fetchDue(): Promise<number> {
    const due = await this.ports.remote.takeDue(FETCHES_AT_ONCE);
    await Promise.all(due.map((one) => this.fetch(one)));
    return due.length;
  }

  private async fetch(due: DueFetch): Promise<void> {
    try {
      const hosts = await this.ports.unitOfWork.inTenant(due.tenant, (transaction) => this.hostsOf(transaction, due.tenant));
      const bytes = await this.ports.source.fetch(due.url, hosts, this.maxBytes);
      await this.receive(due.imageId, bytes);
      await this.ports.unitOfWork.inSystem((transaction) => this.ports.remote.remove(transaction, due.imageId));
    } catch (fault) {
      const final = isSuturaError(fault, ...FINAL);
      if (final || due.tries >= MAX_TRIES) await this.giveUp(due, final ? fault : new SuturaError('image.unavailable', { detail: 'The photo could not be fetched from its address.' }));
    }
  }

  private receive(imageId: string, bytes: Uint8Array): Promise<void> {
    return this.imageService.receive(imageId, {
      sizeBytes: bytes.length,
      sha256: this.ports.digest.sha256(bytes),
      head: bytes.subarray(0, FORMAT_SIGNATURE_BYTES),
      read: () => Promise.resolve(bytes),
      keepAs: (objectKey) => this.ports.store.put(objectKey, bytes, 'application/octet-stream'),
    });
  }

  /** What waits for the photo is rejected, and the photo is gone for good. */
  private giveUp({ tenant, imageId }: DueFetch, { code, detail }: SuturaError): Promise<void> {
    const error: JobError = { code, detail, retryable: false };
    return this.ports.unitOfWork.inSystem(async (transaction) => {
      await this.ports.remote.remove(transaction, imageId);
      const image = await this.ports.images.findForUpdate(transaction, tenant, imageId);
      if (image?.status !== 'awaiting_upload') return;
      await this.requests.rejectAll(transaction, tenant, imageId, error);
      await this.ports.images.markDeleted(transaction, tenant, imageId);
      await this.ports.outbox.append(transaction, { kind: 'image.lost', tenant, subjectId: imageId });
    });
  }

  private async hostsOf(transaction: Transaction, tenant: Tenant): Promise<readonly string[]> {
    return (await this.ports.organizations.find(transaction, tenant.organizationId))?.imageHosts ?? [];
  }

  private newImage(tenant: Tenant): ImageRecord {
    const { ids, clock } = this.ports;
    const announced = { contentType: null, contentLength: null, sha256: null };
    return newImage(tenant, { id: ids.next(), origin: 'address', awaited: true, announced, maxBytes: this.maxBytes, lifeS: LIFE_S, now: clock.now() });
  }
}
