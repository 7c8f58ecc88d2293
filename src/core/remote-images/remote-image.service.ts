import type { JobError } from '../analysis/analysis-job.js';
import type { AnalysisRequestService } from '../analysis/analysis-request.service.js';
import { isSuturaError, SuturaError } from '../errors/sutura-error.js';
import type { Clock } from '../ports/clock.js';
import type { IdSource } from '../ports/id-source.js';
import type { Digest } from '../ports/digest.js';
import type { ImageRepository } from '../images/image.repository.js';
import type { ObjectStore } from '../images/object-store.js';
import type { OrganizationRepository } from '../organizations/organization.repository.js';
import type { Outbox } from '../domain-events/outbox.js';
import type { DueFetch, RemoteImageRepository } from './remote-image.repository.js';
import type { RemoteImageSource } from './remote-image.source.js';
import type { UnitOfWork, TenantTransaction } from '../ports/unit-of-work.js';
import { type Tenant } from '../tenancy/tenant.js';
import { FORMAT_SIGNATURE_BYTES } from '../images/image-format.js';
import type { ImageService } from '../images/image.service.js';
import type { ImageRecord } from '../images/image.js';
import { newImage } from '../images/new-image.js';

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
  /** Called for every failed attempt. */
  readonly tell?: (failure: FetchFailure) => void;
}

/** A photo that could not be fetched this time. Names no address: it may name a patient. */
export interface FetchFailure {
  readonly tenant: Tenant;
  readonly imageId: string;
  readonly tries: number;
  readonly isGivenUp: boolean;
  /** An error code of the service or of the connection (`ECONNREFUSED`), or the name of the fault. */
  readonly reason: string;
}

const FETCHES_AT_ONCE = 16;
/** Concurrent fetches from one host for one organization, and for one organization: a silent host delays no other organization. */
const SLOTS = { host: 2, organization: 6 } as const;
/** After this many attempts a photo is given up: about 40 minutes. */
const MAX_TRIES = 5;
const LIFE_S = 86_400;
/** A host that answers 401, 403, 404 or 410 is asked once more. */
const REFUSED_TRIES = 2;
/** A repeat does not help against these. */
const FINAL = [
  'fhir.url_refused',
  'image.too_large',
  'image.type',
  'image.not_found',
  'image.already_uploaded',
] as const;

/** Photos that a message names by an address on a host of the organization's list. */
export class RemoteImageService {
  private readonly running = new Map<Promise<void>, DueFetch>();

  constructor(
    private readonly ports: RemoteImageServicePorts,
    private readonly imageService: ImageService,
    private readonly requests: Pick<AnalysisRequestService, 'rejectAll'>,
    private readonly maxBytes: number,
  ) {}

  /** An image whose bytes will be fetched after the commit. `fhir.url_refused`. */
  async announce(transaction: TenantTransaction, url: string): Promise<ImageRecord> {
    this.ports.source.check(url, await this.hostsOf(transaction));
    const image = this.newImage(transaction.tenant);
    await this.ports.images.insert(transaction, image);
    await this.ports.remote.insert(transaction, image.id, url);
    return image;
  }

  /** Begins due fetches while slots are free. Returns how many were begun. */
  async beginDue(): Promise<number> {
    const free = FETCHES_AT_ONCE - this.running.size;
    if (free <= 0) return 0;
    const due = await this.ports.remote.takeDue(free, SLOTS, [...this.running.values()]);
    for (const one of due) {
      const work = this.fetch(one).finally(() => this.running.delete(work));
      this.running.set(work, one);
      // A fetch that fails here, for instance without a database, becomes due again.
      work.catch(() => undefined);
    }
    return due.length;
  }

  /** Resolves once every fetch that was begun has ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.running.keys());
  }

  /** Fetches the due photos, to the end. Returns how many were tried. */
  async fetchDue(): Promise<number> {
    const begun = await this.beginDue();
    await this.settled();
    return begun;
  }

  private async fetch(due: DueFetch): Promise<void> {
    try {
      const hosts = await this.ports.unitOfWork.inTenant(due.tenant, (transaction) => this.hostsOf(transaction));
      const bytes = await this.ports.source.fetch(due.url, hosts, this.maxBytes);
      await this.receive(due.imageId, bytes);
      await this.ports.unitOfWork.inSystem((transaction) => this.ports.remote.remove(transaction, due.imageId));
    } catch (fault) {
      const final = isSuturaError(fault, ...FINAL);
      const isGivenUp = final || due.tries >= (isSuturaError(fault, 'image.unavailable') ? REFUSED_TRIES : MAX_TRIES);
      const reason = reasonOf(fault);
      this.ports.tell?.({ tenant: due.tenant, imageId: due.imageId, tries: due.tries, isGivenUp, reason });
      if (isGivenUp)
        await this.giveUp(
          due,
          final
            ? fault
            : new SuturaError('image.unavailable', { detail: 'The photo could not be fetched from its address.' }),
          reason,
        );
      else await this.ports.remote.noteFault(due.imageId, reason);
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

  /** Rejects the requests that wait for the photo, and ends the photo for good. */
  private giveUp({ tenant, imageId }: DueFetch, { code, detail }: SuturaError, reason: string): Promise<void> {
    const error: JobError = { code, detail, retryable: false };
    return this.ports.unitOfWork.inSystem(async (system) => {
      const transaction = system.about(tenant);
      await this.ports.remote.giveUp(transaction, imageId, reason);
      const image = await this.ports.images.findForUpdate(transaction, imageId);
      if (image?.status !== 'awaiting_upload') return;
      await this.requests.rejectAll(transaction, imageId, error);
      await this.ports.images.markDeleted(transaction, imageId);
      await this.ports.outbox.append(transaction, { kind: 'image.lost', subjectId: imageId });
    });
  }

  private async hostsOf(transaction: TenantTransaction): Promise<readonly string[]> {
    return (await this.ports.organizations.find(transaction, transaction.tenant.organizationId))?.imageHosts ?? [];
  }

  private newImage(tenant: Tenant): ImageRecord {
    const { ids, clock } = this.ports;
    const announced = { contentType: null, contentLength: null, sha256: null };
    return newImage(tenant, {
      id: ids.next(),
      origin: 'address',
      awaited: true,
      announced,
      maxBytes: this.maxBytes,
      lifeS: LIFE_S,
      now: clock.now(),
    });
  }
}

function reasonOf(fault: unknown): string {
  const { code, status } = fault as { code?: unknown; status?: unknown };
  if (typeof status === 'number') return `status ${status}`;
  return typeof code === 'string' ? code : fault instanceof Error ? fault.name : 'unknown';
}
