import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { Clock } from '../../../core/ports/clock.js';
import { isCanonicalUuid, SystemStatements, toJsonb } from '../../../platform/database/statements.js';
import { findEncodedFiles } from '../../er7/encoded-files.js';
import { erasureNote, withoutFiles, type ErasedFile } from '../../er7/erased-file.js';
import { MessageEncryption } from '../../encryption/message-encryption.js';
import type { InboundState } from './inbound-record.js';

const FIND = `select id, raw, state, size_bytes as "sizeBytes", message_type as "messageType", erased from hl7_inbound where id = $1`;
const CUT = `update hl7_inbound set raw = $2, erased = erased || $3::jsonb, file_digests = '{}' where id = $1 and raw = $4 and state <> 'received'`;

interface Row {
  readonly id: string;
  readonly raw: Buffer;
  readonly state: InboundState;
  readonly sizeBytes: number;
  readonly messageType: string;
  readonly erased: readonly ErasedFile[];
}

interface Cut {
  readonly left: Buffer;
  readonly erased: readonly ErasedFile[];
}

/**
 * Removes the files from one inbound message, for photos that never became an image: in a refused message, or one sent
 * by mistake. A photo that became an image is erased with it, from every message (InboundPhotosKeeper).
 */
@Injectable()
export class MessageErasure {
  constructor(
    private readonly statements: SystemStatements,
    private readonly encryption: MessageEncryption,
    private readonly clock: Clock,
  ) {}

  /**
   * Removes every file of a message, or all kept bytes of a frame without MSH. Empty: nothing (left) to remove.
   * `hl7.message_not_found`, `hl7.in_progress`, `hl7.sealed`.
   */
  async erase(id: string): Promise<readonly ErasedFile[]> {
    for (;;) {
      const row = await this.find(id);
      if (row.state === 'received') throw new SuturaError('hl7.in_progress');
      const { left, erased } = this.cut(row);
      if (erased.length === 0) return erased;
      const { affected } = await this.statements.run(CUT, [
        id,
        this.encryption.seal(left, id),
        toJsonb(erased),
        row.raw,
      ]);
      // Otherwise the message changed meanwhile, and is looked at again.
      if (affected > 0) return erased;
    }
  }

  private async find(id: string): Promise<Row> {
    const row = isCanonicalUuid(id) ? (await this.statements.run<Row>(FIND, [id])).rows[0] : undefined;
    if (row !== undefined) return row;
    throw new SuturaError('hl7.message_not_found', {
      detail:
        'No message that came in has this id; "hl7 messages" lists them. Photos in messages that go out belong to an image: delete that.',
    });
  }

  private cut({ id, raw, sizeBytes, messageType, erased }: Row): Cut {
    const bytes = this.encryption.open(raw, id);
    const said = { imageId: null, erasedAt: this.clock.now().toISOString() };
    if (messageType !== '') return withoutFiles(bytes, findEncodedFiles(bytes), said);
    if (erased.length > 0) return { left: bytes, erased: [] };
    return { left: Buffer.from(erasureNote({ sizeBytes, ...said })), erased: [{ sizeBytes, ...said }] };
  }
}
