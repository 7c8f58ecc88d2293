import type { Attachment } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { AnalysisService } from '../../../core/analysis/analysis.service.js';
import { isSuturaError } from '../../../core/errors/sutura-error.js';
import type { ImageRecord } from '../../../core/images/image.js';
import { RemoteImageService } from '../../../core/remote-images/remote-image.service.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { Settings } from '../../../platform/config/settings.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import type { FhirCall } from '../call/fhir-call.js';
import { inlineBytes } from '../photo/inline-bytes.js';
import type { PhotoFacts } from '../photo/photo-facts.js';
import { PhotoRecords, type StagedPhoto } from '../photo/photo-records.js';
import { notFound, notUsable } from '../../../standards/fhir/outcome/outcome-error.js';

/** The place of an attachment's photo. */
type Address =
  | { readonly kind: 'stored'; readonly imageId: string }
  | { readonly kind: 'elsewhere'; readonly url: string }
  | { readonly kind: 'later' };

/** The result of an attachment within the transaction. */
interface BoundPhoto {
  readonly image: ImageRecord;
  /** null: the bytes have not come yet. */
  readonly facts: PhotoFacts | null;
}

const NATIVE = /^urn:sutura:image:([0-9a-f-]{36})$/;
const BINARY = /^(?:Binary\/)([A-Za-z0-9\-.]{1,64})(?:\/_history\/1)?$/;

/**
 * The gate of photos, the same for Media and DocumentReference: bytes in the resource, the address of a Binary, an upload of the native API
 * (`urn:sutura:image:…`), or an address on a host of the organization's list.
 */
@Injectable()
export class AttachedPhoto {
  constructor(
    private readonly photos: PhotoRecords,
    private readonly remote: RemoteImageService,
    private readonly analysis: AnalysisService,
    private readonly settings: Settings,
    private readonly address: PublicAddress,
  ) {}

  /** Outside the transaction. The staged photo of inline bytes; null where the attachment points at one. `place` is its FHIRPath. */
  async prepare(caller: Caller, attachment: Attachment, place: string): Promise<StagedPhoto | null> {
    if (attachment.data !== undefined && attachment.url !== undefined)
      throw notUsable(place, 'Send either data or url.');
    if (attachment.data !== undefined)
      return this.photos.stage(
        caller,
        await inlineBytes(attachment, place, this.settings.fhir.maxInlineBytes),
        `${place}.data`,
      );
    const address = this.addressOf(attachment, place);
    // A photo that was uploaded to the store is judged now, so that the transaction finds its verdict.
    if (address.kind === 'stored') await this.settleUpload(caller, address.imageId);
    return null;
  }

  /** Inside the transaction, its links rewritten: the image that an attachment with an address is bound to. `fhir.image`, `fhir.reference`, `fhir.url_refused`. */
  async resolve(call: FhirCall, attachment: Attachment, place: string): Promise<ImageRecord> {
    const address = this.addressOf(attachment, place, call.base);
    if (address.kind === 'later') throw notFound(`${place}.url`, 'No entry of the Bundle has this fullUrl.');
    if (address.kind === 'elsewhere') return this.remote.announce(call.transaction, address.url);
    const image = await this.photos.expect(call, address.imageId);
    if (image === null) throw notFound(`${place}.url`, 'There is no such photo.');
    return image;
  }

  /** Inside the transaction: the photo that a resource is bound to. `fhir.image` where it came and cannot be read. */
  async bound(call: FhirCall, imageId: string, place: string): Promise<BoundPhoto> {
    const image = await this.photos.find(call, imageId);
    if (image === null) throw notFound(place, 'There is no such photo.');
    if (image.verdict?.readable === false) throw notUsable(place, 'The photo cannot be read. Take or export it again.');
    return { image, facts: await this.photos.factsOf(image) };
  }

  private addressOf({ url = '' }: Attachment, place: string, base?: string): Address {
    if (url === '') throw notUsable(place, 'Send the photo as data, or say where it is as url.');
    const native = NATIVE.exec(url)?.[1];
    if (native !== undefined) return { kind: 'stored', imageId: native };
    const binary = BINARY.exec(this.relative(url, base))?.[1];
    if (binary !== undefined) return { kind: 'stored', imageId: binary };
    if (/^urn:(uuid|oid):/.test(url)) return { kind: 'later' };
    return { kind: 'elsewhere', url };
  }

  /** An address of our own, however the client came to us. */
  private relative(url: string, base: string | undefined): string {
    const roots = [...(base === undefined ? [] : [base, base.replace(/\/R4$/, '')]), `${this.address.url}/fhir`];
    const root = roots.flatMap((one) => [`${one}/R4/`, `${one}/`]).find((one) => url.startsWith(one));
    return root === undefined ? url : url.slice(root.length);
  }

  private async settleUpload(caller: Caller, imageId: string): Promise<void> {
    try {
      await this.analysis.prepare(caller, imageId);
    } catch (fault) {
      if (isSuturaError(fault, 'image.type', 'upload.digest', 'upload.signature'))
        throw notUsable('Media.content', fault.detail);
      throw fault;
    }
  }
}
