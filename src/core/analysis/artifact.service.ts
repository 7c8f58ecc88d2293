import { SuturaError } from '../errors/sutura-error.js';
import { imageFolder } from '../images/image.js';
import type { ImageRepository } from '../images/image.repository.js';
import type { ObjectStore } from '../images/object-store.js';
import type { OverlayRenderer } from './overlay-renderer.js';
import type { UnitOfWork } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { AnalysisJob } from './analysis-job.js';
import type { AnalysisService } from './analysis.service.js';
import type { ArtifactName } from '../measurement/wound-result.js';

const DOWNLOAD_LIFE_S = 60;

/** Artifacts lie with their image, so that deleting it erases them too. */
export function artifactKey(job: Pick<AnalysisJob, 'id' | 'imageId'>, name: ArtifactName): string {
  return `${imageFolder(job.imageId)}${name}-${job.id}`;
}

export type ArtifactContent =
  | { readonly via: 'bytes'; readonly contentType: string; readonly bytes: Uint8Array }
  | { readonly via: 'redirect'; readonly url: string };

/** The pictures of a completed job: the stored mask and tissue map, and the overlay, which is drawn when first asked for and then kept. */
export class ArtifactService {
  constructor(
    private readonly analysis: AnalysisService,
    private readonly images: ImageRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly store: ObjectStore,
    private readonly overlays: OverlayRenderer,
  ) {}

  /** `job.not_found`; `artifact.not_found` before completion, after the image was deleted, and for a tissue map that there is not. */
  async read(tenant: Tenant, jobId: string, name: ArtifactName): Promise<ArtifactContent> {
    const job = await this.analysis.get(tenant, jobId);
    if (job.result === null || !(await this.imageExists(tenant, job.imageId)))
      throw new SuturaError('artifact.not_found');
    const info = job.result.artifacts[name];
    if (info === undefined) throw new SuturaError('artifact.not_found');
    const { contentType } = info;
    const key = artifactKey(job, name);
    const url = await this.store.signDownload(key, contentType, DOWNLOAD_LIFE_S);
    // The others were stored before the job was completed; only an overlay may still have to be drawn.
    if (url !== null && name !== 'overlay') return { via: 'redirect', url };
    const bytes =
      (await this.store.get(key)) ?? (name === 'overlay' ? await this.overlays.draw(tenant, job, key) : null);
    if (bytes === null) throw new SuturaError('artifact.not_found');
    return url === null ? { via: 'bytes', contentType, bytes } : { via: 'redirect', url };
  }

  private async imageExists(tenant: Tenant, imageId: string): Promise<boolean> {
    const image = await this.unitOfWork.inTenant(tenant, (transaction) => this.images.find(transaction, imageId));
    return image?.status === 'stored';
  }
}
