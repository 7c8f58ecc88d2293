import { Injectable } from '@nestjs/common';
import { PhotoCopyErasers } from '../../../core/erasure/photo-copy-erasers.js';
import { Clock } from '../../../core/ports/clock.js';
import { PhotoCopyEraser, type ErasedPhoto } from '../../../core/erasure/photo-copy-eraser.js';
import { SystemStatements, toJsonb } from '../../../platform/database/statements.js';
import { erasureNote, type ErasedFile } from '../../../standards/hl7v2/er7/erased-file.js';
import type { MessageFile } from './message-file.js';
import { withoutFiles } from './removed-file.js';
import { MessageEncryption } from '../../../standards/hl7v2/encryption/message-encryption.js';

const AT_ONCE = 8;
const HOLDING = `select id, message, files from hl7_outbox where image_ids <> '{}' and image_ids @> array[$3::uuid] and organization_id = $1 and environment = $2 order by id limit ${AT_ONCE}`;
const CUT = `update hl7_outbox set message = $2, files = null, erased = erased || $3::jsonb, image_ids = array_remove(image_ids, $4) where id = $1 and message = $5`;

interface Row {
  readonly id: string;
  readonly message: Buffer;
  readonly files: readonly MessageFile[] | null;
}

/** Photos and documents in messages that go out, sent or not. A message that is sent after the erasure says so in their place. */
@Injectable()
export class OutboundPhotosEraser extends PhotoCopyEraser {
  constructor(
    private readonly statements: SystemStatements,
    private readonly encryption: MessageEncryption,
    private readonly clock: Clock,
    erasers: PhotoCopyErasers,
  ) {
    super();
    erasers.declare(this);
  }

  /** `hl7.sealed` where such a message was encrypted with a key that is not set. */
  async erase({ tenant: { organizationId, environment }, imageId }: ErasedPhoto): Promise<void> {
    for (;;) {
      const { rows } = await this.statements.run<Row>(HOLDING, [organizationId, environment, imageId]);
      if (rows.length === 0) return;
      for (const row of rows) await this.cut(row, imageId);
    }
  }

  private async cut({ id, message, files }: Row, imageId: string): Promise<void> {
    const erasedAt = this.clock.now().toISOString();
    const erased: ErasedFile[] = [];
    const sizeOf = (encoded: string): number =>
      files?.find(({ token }) => token === encoded)?.sizeBytes ?? Buffer.from(encoded, 'base64').length;
    const left = withoutFiles(this.encryption.open(message, id), (encoded) => {
      const sizeBytes = sizeOf(encoded);
      erased.push({ imageId, sizeBytes, erasedAt });
      return erasureNote({ sizeBytes, erasedAt });
    });
    await this.statements.run(CUT, [id, this.encryption.seal(left, id), toJsonb(erased), imageId, message]);
  }
}
