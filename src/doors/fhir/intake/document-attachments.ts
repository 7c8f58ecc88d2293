import type { DocumentReference } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { Settings } from '../../../platform/config/settings.js';
import type { FhirCall } from '../call/fhir-call.js';
import { BinaryContent } from '../interactions/binary-content.js';
import type { Prepared } from '../interactions/resource-intake.js';
import { inlineBytes } from '../photo/inline-bytes.js';
import { sha1Of } from '../photo/photo-facts.js';
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
    const warnings: string[] = [];
    const discard = async (): Promise<void> => {
      for (const one of prepared) await one.discard?.();
    };
    try {
      const content: Content[] = [];
      for (const [index, one] of (resource.content ?? []).entries()) {
        const place = `DocumentReference.content[${index}].attachment`;
        const { kept, warning } = await this.stored(caller, one, place, prepared);
        content.push(kept);
        if (warning !== null) warnings.push(warning);
      }
      const keep = async (call: FhirCall): Promise<void> => {
        for (const one of prepared) await one.keep?.(call);
      };
      return { resource: { ...resource, content }, keep, discard, warnings };
    } catch (fault) {
      await discard();
      throw fault;
    }
  }

  /**
   * A hash that is not that of the bytes is put right and said to the sender: converters make up such hashes, and a document is worth more than one.
   * A photo has to be the one that was taken, and is refused.
   */
  private async stored(
    caller: Caller,
    content: Content,
    place: string,
    prepared: Prepared[],
  ): Promise<{ readonly kept: Content; readonly warning: string | null }> {
    const { attachment } = content;
    if (attachment?.data === undefined) return { kept: content, warning: null };
    const { hash, ...unhashed } = attachment;
    const bytes = await inlineBytes(unhashed, place, this.settings.fhir.maxInlineBytes);
    const right = hash === undefined ? undefined : await sha1Of(bytes);
    const submitted = await this.content.submit(caller, {
      contentType: attachment.contentType ?? 'application/octet-stream',
      bytes,
      securityContext: null,
    });
    prepared.push(submitted);
    const { data: _data, ...said } = unhashed;
    const kept = {
      ...said,
      ...(right === undefined ? {} : { hash: right }),
      contentType: submitted.resource.contentType!,
      url: `Binary/${submitted.id}`,
    };
    const warning =
      hash === right
        ? null
        : `The hash of ${place} is not the SHA-1 of the data in base64. The right one is kept in its place.`;
    return { kept: { ...content, attachment: kept }, warning };
  }
}
