import { imageFolder, originalKey } from '../images/image.js';
import type { ImageRepository } from '../images/image.repository.js';
import type { ObjectStore } from '../images/object-store.js';
import type { Digest } from '../ports/digest.js';
import type { UnitOfWork } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { AnalysisJob } from './analysis-job.js';
import type { JobRepository } from './job.repository.js';
import { overlayView } from './photo-view.js';
import type { PictureRenderer } from './picture-renderer.js';

/** Draws overlays of completed jobs and keeps them beside their photo. */
export class OverlayRenderer {
  constructor(
    private readonly images: ImageRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly store: ObjectStore,
    private readonly pictures: PictureRenderer,
    private readonly jobs: JobRepository,
    private readonly digest: Digest,
  ) {}

  /** null: there is no photo any more. */
  async draw(tenant: Tenant, job: AnalysisJob, key: string): Promise<Uint8Array | null> {
    const photo = await this.store.get(originalKey(job.imageId));
    if (photo === null || job.result === null) return null;
    const [overlay] = await this.pictures.draw(photo, [overlayView(job.result)]);
    await this.store.put(key, overlay!.bytes, job.result.artifacts.overlay.contentType);
    const overlayDigest = { overlay: this.digest.sha256(overlay!.bytes) };
    const isKept = await this.unitOfWork.inTenant(tenant, async (transaction) => {
      if ((await this.images.find(transaction, job.imageId))?.status !== 'stored') return false;
      await this.jobs.keepDigests(transaction, job.id, overlayDigest);
      return true;
    });
    if (isKept) return overlay!.bytes;
    // Deleted while it was drawn: nothing derived from the photo may stay.
    await this.store.deleteAll(imageFolder(job.imageId));
    return null;
  }
}
