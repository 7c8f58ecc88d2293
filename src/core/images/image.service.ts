import { SuturaError } from '../errors/sutura-error.js';
import type { Clock } from '../ports/clock.js';
import type { IdSource } from '../ports/id-source.js';
import type { ImageInspector } from './image-inspector.js';
import type { Digest } from '../ports/digest.js';
import type { ImageRepository } from './image.repository.js';
import type { ObjectStore, SignedUpload } from './object-store.js';
import type { Outbox } from '../domain-events/outbox.js';
import type { UnitOfWork, TenantTransaction } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';
import { describeUnknownFormat, detectImageFormat, FORMAT_SIGNATURE_BYTES } from './image-format.js';
import { requireImage, type AnnouncedUpload, type ImageRecord, type ImageVerdict } from './image.js';
import { newImage } from './new-image.js';
import type { StorageAllowance } from './storage-allowance.js';
import type { StagedUpload } from './image.js';
import { refuseOtherThanAnnounced } from './upload-faults.js';

export interface ImageRules {
  readonly uploadLifeS: number;
  readonly maxBytes: number;
}

export interface UploadTicket {
  readonly image: ImageRecord;
  readonly upload: SignedUpload;
}

export interface ImageServicePorts {
  readonly unitOfWork: UnitOfWork;
  readonly images: ImageRepository;
  readonly store: ObjectStore;
  readonly inspector: ImageInspector;
  readonly digest: Digest;
  readonly outbox: Outbox;
  readonly allowance: StorageAllowance;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** An address is good for one photo where the store allows it. */
const SEND_ANEW = 'Request a new upload URL, and send the headers exactly as they were answered.';

/** Images from the request for an upload URL until they are stored. */
export class ImageService {
  constructor(
    private readonly ports: ImageServicePorts,
    private readonly rules: ImageRules,
  ) {}

  /**
   * Makes the image record and a signed address for its bytes; inside `transaction` where one is given.
   * `image.too_large` when the announced length is over the limit, `storage.limit` when the organization keeps too much.
   */
  async requestUpload(
    tenant: Tenant,
    announced: AnnouncedUpload,
    transaction?: TenantTransaction,
  ): Promise<UploadTicket> {
    if ((announced.contentLength ?? 0) > this.rules.maxBytes) throw this.tooLarge();
    await this.ports.allowance.require(tenant.organizationId, announced.contentLength ?? 0);
    const image = this.newImage(tenant, announced);
    if (transaction === undefined)
      await this.ports.unitOfWork.inTenant(tenant, (own) => this.ports.images.insert(own, image));
    else await this.ports.images.insert(transaction, image);
    const upload = await this.ports.store.signUpload({
      imageId: image.id,
      objectKey: image.objectKey,
      announced,
      maxBytes: image.maxBytes,
      expiresAt: image.uploadExpiresAt,
    });
    return { image, upload };
  }

  /**
   * Takes bytes that arrived at the gateway under a checked signature, judges them once and keeps them.
   * The same bytes again are accepted silently. `image.not_found`, `image.already_uploaded`, `image.type`, `upload.digest`, `storage.limit`.
   */
  async receive(imageId: string, staged: StagedUpload): Promise<void> {
    const { unitOfWork, images } = this.ports;
    const image = requireImage(await images.readAnywhere(imageId));
    if (this.isRepeat(image, staged.sha256)) return;
    await this.ports.allowance.require(image.organizationId, staged.sizeBytes);
    const verdict = await this.judge(image, staged);
    await unitOfWork.inTenant(image, async (transaction) => {
      const upload = { sizeBytes: staged.sizeBytes, sha256: staged.sha256, verdict };
      const marked = await images.markStored(transaction, imageId, upload);
      if (marked === null) {
        const current = requireImage(await images.findForUpdate(transaction, imageId));
        if (this.isRepeat(current, staged.sha256)) return;
        throw new SuturaError('image.not_found');
      }
      // Under the row's lock, so that of two uploads at once the bytes are those of the one that counts.
      await staged.keepAs(image.objectKey);
      this.ports.allowance.note(image.organizationId, staged.sizeBytes);
      await this.publishStored(transaction, { ...image, ...marked });
    });
  }

  /** Of an image whose signed address is used. `image.not_found`. */
  async ownerOf(imageId: string): Promise<Tenant> {
    return requireImage(await this.ports.images.readAnywhere(imageId));
  }

  /**
   * Judges an upload that went straight to the store, before a job is created. Does nothing once judged.
   * Compares what the store did not: UPLOAD_FAULTS as at our own endpoint. A missing object is left to the caller's `image.not_uploaded`.
   */
  async settleUpload(tenant: Tenant, imageId: string): Promise<void> {
    const { unitOfWork, images, store, digest } = this.ports;
    if (store.uploadsArriveAt === 'gateway') return;
    const image = await unitOfWork.inTenant(tenant, (transaction) => images.find(transaction, imageId));
    if (image?.status !== 'awaiting_upload') return;
    const received = await store.getReceived(image.objectKey, image.maxBytes);
    if (received === null) return;
    const { bytes, contentType } = received;
    if (contentType !== null)
      refuseOtherThanAnnounced('Content-Type', image.announced.contentType, contentType, SEND_ANEW);
    refuseOtherThanAnnounced('Content-Length', image.announced.contentLength, bytes.length, SEND_ANEW);
    const staged: StagedUpload = {
      sizeBytes: bytes.length,
      sha256: digest.sha256(bytes),
      head: bytes.subarray(0, FORMAT_SIGNATURE_BYTES),
      read: () => Promise.resolve(bytes),
      keepAs: () => Promise.resolve(),
    };
    const verdict = await this.judge(image, staged);
    const upload = { sizeBytes: staged.sizeBytes, sha256: staged.sha256, verdict };
    await unitOfWork.inTenant(tenant, async (transaction) => {
      const marked = await images.markStored(transaction, imageId, upload);
      if (marked !== null) await this.publishStored(transaction, { ...image, ...marked });
    });
  }

  /** The image as it stands; `image.not_found` for one whose bytes never came or that is not the tenant's, `image.unavailable` once it was erased. */
  async get(tenant: Tenant, imageId: string): Promise<ImageRecord> {
    const image = await this.ports.unitOfWork.inTenant(tenant, (transaction) =>
      this.ports.images.find(transaction, imageId),
    );
    if (image?.status === 'deleted' && image.storedAt !== null)
      throw new SuturaError('image.unavailable', {
        detail: 'The photo was erased. The results that were made from it stay.',
      });
    return requireImage(image);
  }

  /** SHA-256 of the bytes as they came in, hex; null where they have not, or the image is unknown. */
  async digestOf(tenant: Tenant, imageId: string): Promise<string | null> {
    const image = await this.ports.unitOfWork.inTenant(tenant, (transaction) =>
      this.ports.images.find(transaction, imageId),
    );
    return image?.sha256 ?? null;
  }

  /** Files the image under a patient. */
  assignPatient(transaction: TenantTransaction, imageId: string, patientId: string): Promise<void> {
    return this.ports.images.assignPatient(transaction, imageId, patientId);
  }

  /** The bytes as they came in; `image.unavailable` where they are missing. */
  async readBytes({ objectKey }: Pick<ImageRecord, 'objectKey'>): Promise<Uint8Array> {
    const bytes = await this.ports.store.get(objectKey);
    if (bytes === null) throw new SuturaError('image.unavailable');
    return bytes;
  }

  /** The image, kept from deletion while the transaction lasts; `image.not_found` where it is unknown, another tenant's or deleted. */
  async requireForUse(transaction: TenantTransaction, imageId: string): Promise<ImageRecord> {
    return requireImage(await this.ports.images.findForUse(transaction, imageId));
  }

  /**
   * The image, locked against deletion while the transaction lasts. If its bytes are pending, their arrival waits for the transaction and is published as `image.stored`, whose handlers see what was written here. `image.not_found`.
   */
  async lockOrAwait(transaction: TenantTransaction, imageId: string): Promise<ImageRecord> {
    const known = await this.requireForUse(transaction, imageId);
    if (known.status === 'stored') return known;
    const image = requireImage(await this.ports.images.findForWaiting(transaction, imageId));
    if (image.status === 'stored' || image.awaited) return image;
    await this.ports.images.markAwaited(transaction, imageId);
    return { ...image, awaited: true };
  }

  /** True for a deleted image whose bytes had arrived. */
  async isDeleted(transaction: TenantTransaction, imageId: string): Promise<boolean> {
    const image = await this.ports.images.find(transaction, imageId);
    return image?.status === 'deleted' && image.storedAt !== null;
  }

  async isStored(transaction: TenantTransaction, imageId: string): Promise<boolean> {
    return (await this.ports.images.find(transaction, imageId))?.status === 'stored';
  }

  private async publishStored(transaction: TenantTransaction, image: ImageRecord): Promise<void> {
    if (image.awaited)
      await this.ports.outbox.append(transaction, {
        kind: 'image.stored',
        subjectId: image.id,
      });
  }

  private newImage(tenant: Tenant, announced: AnnouncedUpload): ImageRecord {
    const { ids, clock } = this.ports;
    const { maxBytes, uploadLifeS } = this.rules;
    return newImage(tenant, {
      id: ids.next(),
      origin: 'upload',
      awaited: false,
      announced,
      maxBytes,
      lifeS: uploadLifeS,
      now: clock.now(),
    });
  }

  private isRepeat(image: ImageRecord, sha256: string): boolean {
    if (image.status !== 'stored') return false;
    if (image.sha256 === sha256) return true;
    throw new SuturaError('image.already_uploaded');
  }

  private async judge(image: ImageRecord, staged: StagedUpload): Promise<ImageVerdict> {
    if (staged.sizeBytes > image.maxBytes) throw this.tooLarge();
    const format = detectImageFormat(staged.head);
    if (format === null) throw new SuturaError('image.type', { detail: describeUnknownFormat(staged.head) });
    if (image.announced.sha256 !== null && image.announced.sha256 !== staged.sha256)
      throw new SuturaError('upload.digest');
    return this.ports.inspector.inspect(() => staged.read(), format);
  }

  private tooLarge(): SuturaError {
    return new SuturaError('image.too_large', {
      detail: `The photo is over the limit of ${this.rules.maxBytes} bytes. Upload a smaller file.`,
    });
  }
}
