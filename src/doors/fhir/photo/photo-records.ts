import { Injectable } from '@nestjs/common';
import { isSuturaError, type SuturaError } from '../../../core/errors/sutura-error.js';
import { ImageStaging, type StagedImage } from '../../../core/images/image-staging.js';
import { ImageService } from '../../../core/images/image.service.js';
import type { ImageRecord } from '../../../core/images/image.js';
import { ClinicalClock } from '../../../core/ports/clinical-clock.js';
import { tenantOf, type Tenant } from '../../../core/tenancy/tenant.js';
import type { FhirCall } from '../call/fhir-call.js';
import type { Prepared } from '../interactions/resource-intake.js';
import { notUsable } from '../../../standards/fhir/outcome/outcome-error.js';
import type { StrippedPhoto } from './exif.js';
import { withoutMetadata } from './strip-metadata.js';
import { factsOf, type PhotoFacts } from './photo-facts.js';

/** A photo that was stored before its transaction. */
export interface StagedPhoto extends Required<Pick<Prepared, 'keep' | 'discard'>> {
  readonly id: string;
  readonly facts: PhotoFacts;
}

/** Facts of photos that were just examined: entries of a Bundle ask for each other's. Others are read from the store. */
const REMEMBERED = 256;

/** Photos behind Media, DocumentReference and Binary: core's images, and their bytes as they are served. */
@Injectable()
export class PhotoRecords {
  private readonly remembered = new Map<string, PhotoFacts>();

  constructor(
    private readonly staging: ImageStaging,
    private readonly images: ImageService,
    private readonly clock: ClinicalClock,
  ) {}

  /** Judges and stores bytes that came with a request. `fhir.image` at `place`; `image.too_large`. */
  async stage(tenant: Tenant, bytes: Buffer, place: string): Promise<StagedPhoto> {
    const bare = withoutMetadata(bytes);
    const staged = await this.stageOrRefuse(tenant, bytes, place);
    const { verdict } = staged.upload;
    if (bare === null || !verdict.readable) {
      await this.staging.discard(staged);
      throw notUsable(
        place,
        'The file is built in a way that this service does not read. Take or export the photo again.',
      );
    }
    const facts = this.remember(staged.image.id, await factsOf(bare, verdict, await this.clock.nowOf(tenant)));
    return {
      id: staged.image.id,
      facts,
      keep: ({ transaction }: FhirCall) => this.staging.keep(transaction, staged),
      discard: () => this.staging.discard(staged),
    };
  }

  /** The image that a resource is bound to; its bytes may be pending; their arrival is published. null: none. */
  async expect(call: FhirCall, imageId: string): Promise<ImageRecord | null> {
    const image = await this.find(call, imageId);
    // Images of another origin have their events, or come with this very request.
    return image?.origin === 'upload' && image.status !== 'stored'
      ? this.images.lockOrAwait(call.transaction, imageId)
      : image;
  }

  /** null: there is no such image, or it was deleted. */
  async find({ transaction }: FhirCall, imageId: string): Promise<ImageRecord | null> {
    try {
      return await this.images.requireForUse(transaction, imageId);
    } catch (fault) {
      if (isSuturaError(fault, 'image.not_found')) return null;
      throw fault;
    }
  }

  /** True where the photo was there, and was deleted. */
  wasDeleted({ transaction }: FhirCall, imageId: string): Promise<boolean> {
    return this.images.isDeleted(transaction, imageId);
  }

  /** null: the bytes have not come, or cannot be read. */
  async factsOf(image: ImageRecord): Promise<PhotoFacts | null> {
    const known = this.remembered.get(image.id);
    if (known !== undefined) return known;
    const { verdict } = image;
    if (image.sha256 === null || verdict?.readable !== true) return null;
    const bare = await this.bareOf(image);
    return bare === null
      ? null
      : this.remember(image.id, await factsOf(bare, verdict, await this.clock.nowOf(tenantOf(image))));
  }

  /** The bytes as they are served. `image.unavailable`. */
  async served(image: ImageRecord): Promise<Buffer> {
    const bare = await this.bareOf(image);
    if (bare === null)
      throw notUsable(
        'Binary.data',
        'The file is built in a way that it cannot be shown without what stands beside its picture.',
      );
    return bare.bytes;
  }

  private async bareOf(image: ImageRecord): Promise<StrippedPhoto | null> {
    const bytes = await this.images.readBytes(image);
    return withoutMetadata(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  private async stageOrRefuse(tenant: Tenant, bytes: Buffer, place: string): Promise<StagedImage> {
    try {
      return await this.staging.stage(tenant, bytes);
    } catch (fault) {
      if (isSuturaError(fault, 'image.damaged')) throw notUsable(place, (fault as SuturaError).detail, 'image.damaged');
      throw isSuturaError(fault, 'image.type', 'image.unreadable')
        ? notUsable(place, (fault as SuturaError).detail)
        : fault;
    }
  }

  private remember(imageId: string, facts: PhotoFacts): PhotoFacts {
    const oldest = this.remembered.size >= REMEMBERED ? this.remembered.keys().next().value : undefined;
    if (oldest !== undefined) this.remembered.delete(oldest);
    this.remembered.set(imageId, facts);
    return facts;
  }
}
