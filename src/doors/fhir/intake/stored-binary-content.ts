import type { Binary } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { AttachmentService } from '../../../core/attachments/attachment.service.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { describeUnknownFormat, detectImageFormat, FORMAT_SIGNATURE_BYTES } from '../../../core/images/image-format.js';
import { contentTypeOf } from '../../../core/images/image.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import type { FhirCall } from '../call/fhir-call.js';
import { isOwn } from '../interactions/interaction-check.js';
import { ResourceStore, type StoredResource } from '../../../standards/fhir/store/resource-store.js';
import { typesWith } from '../../../standards/fhir/types/served-types.js';
import {
  BinaryContent,
  type BinarySubmission,
  type LoadBytes,
  ONLY_VERSION,
  type OpenedBinary,
} from '../interactions/binary-content.js';
import { tagOf } from './report-bytes.js';
import { PhotoRecords } from '../photo/photo-records.js';
import { ReportBytes } from './report-bytes.js';
import { notUsable } from '../../../standards/fhir/outcome/outcome-error.js';
import type { Prepared } from '../interactions/resource-intake.js';

/** Serves photos as images of core, other bytes as attachments, and reports set as PDF when they are read. */
@Injectable()
export class StoredBinaryContent extends BinaryContent {
  constructor(
    private readonly photos: PhotoRecords,
    private readonly attachments: AttachmentService,
    private readonly store: ResourceStore,
    private readonly reports: ReportBytes,
  ) {
    super();
  }

  async submit(caller: Caller, { contentType, bytes, securityContext }: BinarySubmission): Promise<Prepared<Binary>> {
    const resource = (type: string): Binary => ({
      resourceType: 'Binary',
      contentType: type,
      ...(securityContext === null ? {} : { securityContext: { reference: securityContext } }),
    });
    const format = detectImageFormat(bytes.subarray(0, FORMAT_SIGNATURE_BYTES));
    if (format !== null) {
      const { id, keep, discard } = await this.photos.stage(caller, bytes, 'Binary.data');
      return { id, resource: resource(contentTypeOf(format)), keep, discard };
    }
    if (contentType.startsWith('image/') || bytes.length === 0)
      throw notUsable(
        'Binary.data',
        bytes.length === 0 ? 'Send bytes.' : describeUnknownFormat(bytes.subarray(0, FORMAT_SIGNATURE_BYTES)),
      );
    const staged = await this.attachments.stage(caller, bytes, contentType);
    return {
      id: staged.id,
      resource: resource(contentType),
      keep: ({ transaction }) => this.attachments.keep(transaction, staged),
      discard: () => this.attachments.discard(staged),
    };
  }

  async open(call: FhirCall, id: string, visible: 'all' | 'own'): Promise<OpenedBinary> {
    if (visible === 'own' && !(await this.isShownToOwn(call, id))) throw new SuturaError('fhir.not_found');
    const load =
      (await this.reports.open(call, id)) ?? (await this.openPhoto(call, id)) ?? (await this.openAttachment(call, id));
    if (load === null)
      throw (await this.photos.wasDeleted(call, id))
        ? new SuturaError('fhir.gone', {
            detail: 'The photo was deleted. What was measured on it stays in its report.',
          })
        : new SuturaError('fhir.not_found');
    const binary = await this.store.find<Binary>(call.transaction, 'Binary', id);
    const securityContext = binary?.resource.securityContext?.reference ?? null;
    return { securityContext, load: async (held) => ({ ...(await load(held)), securityContext }) };
  }

  private async openPhoto(call: FhirCall, id: string): Promise<LoadBytes | null> {
    const image = await this.photos.find(call, id);
    if (image?.status !== 'stored' || image.verdict === null) return null;
    const { format } = image.verdict;
    return async () => {
      const bytes = await this.photos.served(image);
      return {
        contentType: contentTypeOf(format),
        bytes,
        entityTag: tagOf(bytes),
        versionId: ONLY_VERSION,
        lastModified: image.storedAt ?? image.createdAt,
      };
    };
  }

  private async openAttachment({ transaction }: FhirCall, id: string): Promise<LoadBytes | null> {
    const attachment = await this.attachments.find(transaction, id);
    if (attachment === null) return null;
    return async () => {
      const bytes = Buffer.from(await this.attachments.read(attachment));
      return {
        contentType: attachment.contentType,
        bytes,
        entityTag: `"${attachment.sha256}"`,
        versionId: ONLY_VERSION,
        lastModified: attachment.createdAt,
      };
    };
  }

  private async isShownToOwn({ transaction, caller }: FhirCall, id: string): Promise<boolean> {
    for (const type of typesWith('showsPhoto', true)) {
      const stored: StoredResource | null = await this.store.find(transaction, type, id);
      if (stored !== null && isOwn(caller, stored)) return true;
    }
    return false;
  }
}
