import type { DocumentReference } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { Settings } from '../../../platform/config/settings.js';
import type { FhirCall } from '../call/fhir-call.js';
import { BinaryContent } from '../interactions/binary-content.js';
import type { Prepared } from '../interactions/resource-intake.js';
import { inlineBytes } from '../photo/inline-bytes.js';
import { KeptBytes } from './kept-bytes.js';

type Content = NonNullable<DocumentReference['content']>[number];

/** Attachments of a document that is no photo: their inline bytes are kept where Binaries are. */
@Injectable()
export class DocumentAttachments {
  constructor(
    private readonly content: BinaryContent,
    private readonly kept: KeptBytes,
    private readonly settings: Settings,
  ) {}

  /** The document with its inline bytes replaced by the address where they are kept; bytes that came back in it are the same. */
  async pointing(call: FhirCall, current: DocumentReference, next: DocumentReference): Promise<DocumentReference> {
    if (next.content === undefined) return next;
    const content: Content[] = [];
    for (const [index, one] of next.content.entries()) {
      const place = `DocumentReference.content[${index}].attachment`;
      content.push(
        one.attachment?.data === undefined
          ? one
          : {
              ...one,
              attachment: await this.kept.pointing(call, one.attachment, current.content?.[index]?.attachment, place),
            },
      );
    }
    return { ...next, content };
  }

  async prepare(caller: Caller, resource: DocumentReference): Promise<Prepared<DocumentReference>> {
    const prepared: Prepared[] = [];
    const discard = async (): Promise<void> => {
      for (const one of prepared) await one.discard?.();
    };
    try {
      const content: Content[] = [];
      for (const [index, one] of (resource.content ?? []).entries())
        content.push(await this.stored(caller, one, `DocumentReference.content[${index}].attachment`, prepared));
      const keep = async (call: FhirCall): Promise<void> => {
        for (const one of prepared) await one.keep?.(call);
      };
      return { resource: { ...resource, content }, keep, discard };
    } catch (fault) {
      await discard();
      throw fault;
    }
  }

  private async stored(caller: Caller, content: Content, place: string, prepared: Prepared[]): Promise<Content> {
    const { attachment } = content;
    if (attachment?.data === undefined) return content;
    const bytes = await inlineBytes(attachment, place, this.settings.fhir.maxInlineBytes);
    const submitted = await this.content.submit(caller, {
      contentType: attachment.contentType ?? 'application/octet-stream',
      bytes,
      securityContext: null,
    });
    prepared.push(submitted);
    const { data: _data, ...said } = attachment;
    return {
      ...content,
      attachment: { ...said, contentType: submitted.resource.contentType!, url: `Binary/${submitted.id}` },
    };
  }
}
