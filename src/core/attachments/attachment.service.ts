import { SuturaError } from '../errors/sutura-error.js';
import type { StorageAllowance } from '../images/storage-allowance.js';
import type { AttachmentRepository } from './attachment.repository.js';
import type { Clock } from '../ports/clock.js';
import type { IdSource } from '../ports/id-source.js';
import type { Digest } from '../ports/digest.js';
import type { ObjectStore } from '../images/object-store.js';
import type { UnitOfWork, TenantTransaction } from '../ports/unit-of-work.js';
import { tenantOf, type Tenant } from '../tenancy/tenant.js';
import type { Attachment } from './attachment.repository.js';

export interface AttachmentServicePorts {
  readonly unitOfWork: UnitOfWork;
  readonly attachments: AttachmentRepository;
  readonly store: ObjectStore;
  readonly digest: Digest;
  readonly allowance: StorageAllowance;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** Longer than any request takes. */
const STAGED_LIFE_S = 3600;
const SWEEP_LIMIT = 50;

/** Attachments from a message to the store and back. Staged, kept and swept as photos are (ImageStaging). */
export class AttachmentService {
  constructor(
    private readonly ports: AttachmentServicePorts,
    private readonly maxBytes: number,
  ) {}

  /** `request.too_large`, `storage.limit`. */
  async stage(tenant: Tenant, bytes: Uint8Array, contentType: string): Promise<Attachment> {
    if (bytes.length > this.maxBytes)
      throw new SuturaError('request.too_large', {
        detail: `The attachment is over the limit of ${this.maxBytes} bytes.`,
      });
    await this.ports.allowance.require(tenant.organizationId, bytes.length);
    const id = this.ports.ids.next();
    const attachment: Attachment = {
      ...tenantOf(tenant),
      id,
      status: 'staged',
      contentType,
      sizeBytes: bytes.length,
      sha256: this.ports.digest.sha256(bytes),
      objectKey: `${folderOf(id)}original`,
      createdAt: this.ports.clock.now(),
    };
    await this.ports.unitOfWork.inTenant(tenant, (transaction) =>
      this.ports.attachments.insert(transaction, attachment),
    );
    try {
      await this.ports.store.put(attachment.objectKey, bytes, contentType);
    } catch (fault) {
      await this.discard(attachment);
      throw fault;
    }
    return attachment;
  }

  /** Keeps it, inside the message's transaction. `service.unavailable` if the sweep came first. */
  async keep(transaction: TenantTransaction, attachment: Attachment): Promise<void> {
    if (!(await this.ports.attachments.markStored(transaction, attachment.id)))
      throw new SuturaError('service.unavailable', { retryAfterS: 1 });
    this.ports.allowance.note(attachment.organizationId, attachment.sizeBytes);
  }

  /** Removes the attachment of a message that was not kept. Never throws: the sweep removes leftovers. */
  async discard(attachment: Attachment): Promise<void> {
    try {
      await this.ports.unitOfWork.inSystem((transaction) => this.erase(transaction.about(attachment), attachment));
    } catch {
      // The database or the store is unavailable.
    }
  }

  /** null for unknown, malformed, foreign, and for what was never kept. */
  async find(transaction: TenantTransaction, id: string): Promise<Attachment | null> {
    const found = await this.ports.attachments.find(transaction, id);
    return found?.status === 'stored' ? found : null;
  }

  /** `image.unavailable` where the bytes are missing. */
  async read({ objectKey }: Attachment): Promise<Uint8Array> {
    const bytes = await this.ports.store.get(objectKey);
    if (bytes === null) throw new SuturaError('image.unavailable', { detail: 'The stored attachment is missing.' });
    return bytes;
  }

  /** Removes what a crash left behind. How many. */
  sweep(): Promise<number> {
    return this.ports.unitOfWork.inSystem(async (transaction) => {
      const forgotten = await this.ports.attachments.findForgotten(transaction, STAGED_LIFE_S, SWEEP_LIMIT);
      for (const attachment of forgotten) await this.erase(transaction.about(attachment), attachment);
      return forgotten.length;
    });
  }

  private async erase(transaction: TenantTransaction, { id }: Attachment): Promise<void> {
    // An attachment that was kept meanwhile stays.
    if (await this.ports.attachments.remove(transaction, id)) await this.ports.store.deleteAll(folderOf(id));
  }
}

function folderOf(id: string): string {
  return `attachments/${id}/`;
}
