import { Injectable } from '@nestjs/common';
import { isSuturaError, SuturaError } from '../../../core/errors/sutura-error.js';
import { Clock } from '../../../core/ports/clock.js';
import { ReportDocumentArchive } from '../../../core/report/report-document-archive.js';
import type { OpenedDocument } from '../../../core/report/report-document.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { SystemStatements, toJsonb } from '../../../platform/database/statements.js';
import { Logger } from '../../../platform/logging/logger.js';
import type { ErasedFile } from '../../../standards/hl7v2/er7/erased-file.js';
import { base64Of, fillTokens, sizeWithFiles } from '../../../standards/hl7v2/er7/stored-file.js';
import { MessageEncryption } from '../../../standards/hl7v2/encryption/message-encryption.js';
import { lostNote, MessageFileStore } from '../../../standards/hl7v2/files/message-file-store.js';
import type { MessageFile } from '../outbox/message-file.js';
import { withoutFiles } from '../outbox/removed-file.js';

/** A message as its row has it. */
export interface KeptMessage {
  readonly id: string;
  readonly bytes: Buffer;
  readonly files: readonly MessageFile[] | null;
}

/** The files of a message cannot be read now: nothing was sent, and its receiver has no part in it. */
export class MessageFilesFault extends Error {
  /** @param code a code of ours or of the system; never a path or a name */
  constructor(readonly code: string) {
    super(`The files of a message cannot be read: ${code}`);
  }

  get fault(): string {
    return `${FILES_FAULT} ${this.code}`;
  }
}

/** Begins a fault that is none of the receiver's. */
export const FILES_FAULT = 'files_unavailable';

/** Not where the message changed meanwhile: it is read again. */
const MEND = `update hl7_outbox set message = $2, files = $3::jsonb, size_bytes = $4, image_ids = (select coalesce(array_agg(distinct shown), '{}') from unnest(image_ids || $5::uuid[]) shown),
  erased = erased || $6::jsonb where id = $1 and files = $7::jsonb returning id`;

/** A message that is being mended. */
interface Draft {
  readonly bytes: Buffer;
  readonly files: readonly MessageFile[];
  readonly imageIds: readonly string[];
  readonly erased: readonly ErasedFile[];
}

/**
 * Messages as they are sent: with their files from the object store, the same bytes with every attempt. Where the store lost a document, it is
 * made anew; where it lost a photo, the row of the photo says so, as after an erasure. Both are written down before the message is sent.
 */
@Injectable()
export class MessageAssembly {
  constructor(
    private readonly files: MessageFileStore,
    private readonly archive: ReportDocumentArchive,
    private readonly statements: SystemStatements,
    private readonly encryption: MessageEncryption,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Rejects with MessageFilesFault. */
  async of(tenant: Tenant, message: KeptMessage): Promise<Buffer> {
    if (message.files === null || message.files.length === 0) return message.bytes;
    try {
      const { bytes, lost } = await this.files.fill(message.bytes, message.files);
      return lost.length === 0 ? bytes : await this.mended(tenant, message, lost);
    } catch (fault) {
      throw fault instanceof MessageFilesFault ? fault : new MessageFilesFault(codeOf(fault));
    }
  }

  private async mended(tenant: Tenant, message: KeptMessage, lost: readonly MessageFile[]): Promise<Buffer> {
    let draft: Draft = { bytes: message.bytes, files: message.files ?? [], imageIds: [], erased: [] };
    for (const file of lost) draft = await this.mend(tenant, draft, file);
    const { bytes, files, imageIds, erased } = draft;
    const { affected } = await this.statements.run(MEND, [
      message.id,
      this.encryption.seal(bytes, message.id),
      files.length === 0 ? null : toJsonb(files),
      sizeWithFiles(bytes, files),
      [...imageIds],
      toJsonb(erased),
      toJsonb(message.files),
    ]);
    if (affected === 0) throw new MessageFilesFault('message_changed');
    const whole = await this.files.fill(bytes, files);
    if (whole.lost.length > 0) throw new MessageFilesFault('lost_again');
    return whole.bytes;
  }

  private async mend(tenant: Tenant, draft: Draft, file: MessageFile): Promise<Draft> {
    const others = draft.files.filter(({ token }) => token !== file.token);
    const opened = await this.documentOf(tenant, file);
    if (opened === null) return this.without(draft, file, others);
    const { document, bytes, isKept } = opened;
    const imageIds = [...draft.imageIds, ...document.imageIds];
    if (!isKept) {
      const text = new Map([[file.token, base64Of(bytes)]]);
      return { ...draft, bytes: fillTokens(draft.bytes, text), files: others, imageIds };
    }
    const { objectKey, sha256, sizeBytes } = document;
    return { ...draft, files: [...others, { ...file, objectKey, sha256, sizeBytes }], imageIds };
  }

  /** null: it cannot be made anew. */
  private async documentOf(tenant: Tenant, file: MessageFile): Promise<OpenedDocument | null> {
    if (file.kind === 'photo') return null;
    const { reportId, version, language, paper } = file;
    try {
      return await this.archive.open(tenant, { reportId, version }, { format: 'pdf', language, paper });
    } catch (fault) {
      if (isSuturaError(fault, 'report.not_found')) return null;
      throw fault;
    }
  }

  private without(draft: Draft, file: MessageFile, files: readonly MessageFile[]): Draft {
    const { token, sizeBytes, objectKey } = file;
    this.logger.error('hl7.file_lost', { objectKey });
    const bytes = withoutFiles(draft.bytes, (encoded) => (encoded === token ? lostNote(file) : null));
    const imageId = file.kind === 'photo' ? file.imageId : null;
    const erased = [...draft.erased, { imageId, sizeBytes, erasedAt: this.clock.now().toISOString() }];
    return { ...draft, bytes, files, erased };
  }
}

function codeOf(fault: unknown): string {
  if (fault instanceof SuturaError) return fault.code;
  const code = (fault as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[A-Z0-9_]{1,40}$/i.test(code) ? code : 'unknown';
}
