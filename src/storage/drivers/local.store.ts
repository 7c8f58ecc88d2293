import {
  ObjectStore,
  type ReceivedObject,
  type SignedUpload,
  type UploadGrant,
} from '../../core/images/object-store.js';
import { isSuturaError } from '../../core/errors/sutura-error.js';
import { sharedCounter } from '../../platform/health/shared-metrics.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { UploadSigner } from '../signing/upload-signer.js';
import type { BlobFolder } from './blob-folder.js';

/** Why an object that is there is not answered. */
const UNREADABLE = ['storage.key_missing', 'storage.altered'] as const;

/** Objects in a folder of this machine or a volume that all processes share. Uploads arrive at the gateway's own endpoint. */
export class LocalStore extends ObjectStore {
  readonly uploadsArriveAt = 'gateway';
  private readonly unreadable = sharedCounter(
    'sutura_storage_unreadable_total',
    'Objects that were asked for and cannot be decrypted, by code; alarm on any',
    ['code'],
  );

  constructor(
    private readonly blobs: BlobFolder,
    private readonly signer: UploadSigner,
    private readonly logger?: Pick<Logger, 'error'>,
  ) {
    super();
    for (const code of UNREADABLE) this.unreadable.inc({ code }, 0);
  }

  signUpload(grant: UploadGrant): Promise<SignedUpload> {
    return this.signer.sign(grant);
  }

  /** The gateway serves the bytes itself, to callers with a key. */
  signDownload(): Promise<null> {
    return Promise.resolve(null);
  }

  async put(objectKey: string, bytes: Uint8Array): Promise<void> {
    const staged = await this.blobs.stage(objectKey);
    try {
      await staged.write(bytes);
      await staged.seal();
      await this.blobs.keep(staged, objectKey);
    } finally {
      await staged.discard();
    }
  }

  /** Besides: `storage.key_missing`, `storage.altered`. */
  async get(objectKey: string, maxBytes?: number): Promise<Uint8Array | null> {
    try {
      return await this.blobs.read(objectKey, maxBytes);
    } catch (fault) {
      if (isSuturaError(fault, ...UNREADABLE)) {
        this.unreadable.inc({ code: fault.code });
        this.logger?.error('storage.unreadable', { objectKey, code: fault.code });
      }
      throw fault;
    }
  }

  async getReceived(objectKey: string, maxBytes: number): Promise<ReceivedObject | null> {
    const bytes = await this.get(objectKey, maxBytes);
    return bytes === null ? null : { bytes, contentType: null };
  }

  deleteAll(prefix: string): Promise<void> {
    return this.blobs.removeOwner(prefix);
  }

  check(): Promise<void> {
    return this.blobs.check();
  }
}
