import {
  ObjectStore,
  type ReceivedObject,
  type SignedUpload,
  type UploadGrant,
} from '../../core/images/object-store.js';
import type { UploadSigner } from '../signing/upload-signer.js';
import type { BlobFolder } from './blob-folder.js';

/** Objects in a folder of this machine or a volume that all processes share. Uploads arrive at the gateway's own endpoint. */
export class LocalStore extends ObjectStore {
  readonly uploadsArriveAt = 'gateway';

  constructor(
    private readonly blobs: BlobFolder,
    private readonly signer: UploadSigner,
  ) {
    super();
  }

  signUpload(grant: UploadGrant): Promise<SignedUpload> {
    return this.signer.sign(grant);
  }

  /** The gateway serves the bytes itself, to callers with a key. */
  signDownload(): Promise<null> {
    return Promise.resolve(null);
  }

  async put(objectKey: string, bytes: Uint8Array): Promise<void> {
    const staged = await this.blobs.stage();
    try {
      await staged.write(bytes);
      await staged.seal();
      await this.blobs.keep(staged, objectKey);
    } finally {
      await staged.discard();
    }
  }

  get(objectKey: string, maxBytes?: number): Promise<Uint8Array | null> {
    return this.blobs.read(objectKey, maxBytes);
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
