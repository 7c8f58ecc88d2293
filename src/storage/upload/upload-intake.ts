import { Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { BrowserOrigins } from '../../core/organizations/browser-origins.js';
import { ImageService } from '../../core/images/image.service.js';
import { originalKey, type StagedUpload } from '../../core/images/image.js';
import { refuseOtherThanAnnounced } from '../../core/images/upload-faults.js';
import { Clock } from '../../core/ports/clock.js';
import { ObjectStore } from '../../core/images/object-store.js';
import { BlobFolder } from '../drivers/blob-folder.js';
import type { StagedFile } from '../drivers/staged-file.js';
import type { UploadClaim } from '../signing/upload-claim.js';
import { UploadSigner, type UploadQuery } from '../signing/upload-signer.js';
import { takeBody, tooLarge, type Intake } from './body-intake.js';

const IDLE_MS = 30_000;
const REMEDY = 'Send the headers exactly as they were answered.';

/** One PUT as it arrived. */
interface ArrivingUpload {
  readonly imageId: string;
  readonly query: UploadQuery;
  /** As the caller named it, without parameters. */
  readonly contentType: string | null;
  /** null: not announced (chunked). */
  readonly contentLength: number | null;
  /** The origin of the page of elsewhere that sends it; null: none does. */
  readonly page: string | null;
  readonly body: IncomingMessage;
}

/** Turns a PUT into a stored image. Refusals that need no body come before the first byte is read. */
@Injectable()
export class UploadIntake {
  constructor(
    private readonly signer: UploadSigner,
    private readonly blobs: BlobFolder,
    private readonly images: ImageService,
    private readonly clock: Clock,
    private readonly store: ObjectStore,
    private readonly origins: BrowserOrigins,
  ) {}

  /**
   * The SHA-256 (hex) of what was stored. `upload.signature`, `auth.origin`, `upload.expired`, `image.too_large`, `image.type`,
   * `upload.incomplete`, `request.timeout`, `service.storage_full`, and what ImageService.receive refuses.
   */
  async take(upload: ArrivingUpload): Promise<string> {
    // With S3 the store takes the photos itself, and this route does not exist.
    if (this.store.uploadsArriveAt === 'store') throw new SuturaError('route.not_found');
    const claim = await this.signer.verify(upload.imageId, upload.query);
    this.refuseEarly(claim, upload);
    if (upload.page !== null) await this.origins.require(await this.images.ownerOf(claim.imageId), upload.page);
    const file = await this.blobs.stage(originalKey(claim.imageId), upload.contentLength ?? claim.contentLength ?? 0);
    try {
      const { maxBytes, contentLength: announcedBytes } = claim;
      const intake = await takeBody(upload.body, { maxBytes, announcedBytes, idleMs: IDLE_MS }, (chunk) =>
        file.write(chunk),
      );
      await file.seal();
      await this.images.receive(claim.imageId, this.toStaged(file, intake));
      return intake.sha256;
    } finally {
      await file.discard();
    }
  }

  private refuseEarly(claim: UploadClaim, upload: ArrivingUpload): void {
    if (this.clock.now().getTime() >= claim.expiresMs) throw new SuturaError('upload.expired');
    refuseOtherThanAnnounced('Content-Type', claim.contentType, upload.contentType, REMEDY);
    // A body in chunks announces nothing: its bytes are counted.
    if (upload.contentLength !== null)
      refuseOtherThanAnnounced('Content-Length', claim.contentLength, upload.contentLength, REMEDY);
    if ((upload.contentLength ?? 0) > claim.maxBytes) throw tooLarge(claim.maxBytes);
    if (upload.contentLength === 0)
      throw new SuturaError('image.type', { detail: 'The body is empty. Send the bytes of a JPEG, PNG or WebP file.' });
  }

  private toStaged(file: StagedFile, intake: Intake): StagedUpload {
    return { ...intake, read: () => file.read(), keepAs: (objectKey) => this.blobs.keep(file, objectKey) };
  }
}
