import type { Attachment } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { AttachmentService } from '../../../core/attachments/attachment.service.js';
import { Settings } from '../../../platform/config/settings.js';
import { digestOf } from '../../../platform/turns/digest.js';
import type { FhirCall } from '../call/fhir-call.js';
import { inlineBytes } from '../photo/inline-bytes.js';
import { sha1Of } from '../photo/photo-facts.js';
import { PhotoRecords } from '../photo/photo-records.js';
import { notUsable } from '../../../standards/fhir/outcome/outcome-error.js';

const BINARY = /^Binary\/(.+)$/;

/** Bytes that come back with a change: a client that read a resource with them may send it back as it is. */
@Injectable()
export class KeptBytes {
  constructor(
    private readonly photos: PhotoRecords,
    private readonly attachments: AttachmentService,
    private readonly settings: Settings,
  ) {}

  /** The attachment pointing at its bytes, where it brings the very ones that `kept` points at. `fhir.image` at `place` for any others: bytes are not exchanged. */
  async pointing(call: FhirCall, next: Attachment, kept: Attachment | undefined, place: string): Promise<Attachment> {
    if (next.data === undefined) return next;
    const bytes = await inlineBytes(next, place, this.settings.fhir.maxInlineBytes);
    const id = BINARY.exec(kept?.url ?? '')?.[1];
    if (id === undefined || !(await this.areKept(call, id, kept?.hash, bytes)))
      throw notUsable(`${place}.data`, 'Bytes are not exchanged. Send others as a new resource.');
    const { data: _data, ...said } = next;
    const { url, contentType, size, hash } = kept!;
    return {
      ...said,
      ...(contentType === undefined ? {} : { contentType }),
      ...(size === undefined ? {} : { size }),
      ...(hash === undefined ? {} : { hash }),
      url: url!,
    };
  }

  /** The hash is either of the bytes as they were sent or as they are served. */
  private async areKept(call: FhirCall, id: string, hash: string | undefined, bytes: Buffer): Promise<boolean> {
    if (hash !== undefined && hash === (await sha1Of(bytes))) return true;
    const sha256 = (await digestOf('sha256', bytes)).toString('hex');
    const kept = (await this.photos.find(call, id)) ?? (await this.attachments.find(call.transaction, id));
    return kept?.sha256 === sha256;
  }
}
