import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../../core/errors/sutura-error.js';
import { Clock } from '../../../../core/ports/clock.js';
import { isCanonicalUuid, SystemStatements, toJsonb } from '../../../../platform/database/statements.js';
import { findEncodedFiles } from '../../../../standards/hl7v2/er7/encoded-files.js';
import {
  erasureNote,
  withoutFiles,
  withoutStoredFiles,
  type ErasedFile,
} from '../../../../standards/hl7v2/er7/erased-file.js';
import type { StoredFile } from '../../../../standards/hl7v2/er7/stored-file.js';
import { MessageEncryption } from '../../../../standards/hl7v2/encryption/message-encryption.js';
import { InboundQueries } from './inbound-queries.js';
import type { InboundState } from './inbound-record.js';
import { INBOUND_CHANNEL } from './inbound-store.js';

const FIND = `select id, raw, files, state, size_bytes as "sizeBytes", message_type as "messageType", erased from hl7_inbound where id = $1`;
const CUT = `update hl7_inbound set raw = $2, files = '[]', erased = erased || $3::jsonb, file_digests = '{}' where id = $1 and raw = $4 and state <> 'received'`;

/** With its photos, which processing reads. That it was decided to be the same person counted for what was done then. */
const REPLAY = `update hl7_inbound set raw = coalesce($2, raw), files = null, held_item = null, state = 'received', retryable = false, attempts = 0, replays = replays + 1, lease_token = null, lease_until = sutura_now(), processed_at = null
  where id = $1 and ($3::bytea is null or raw = $3) and erased = '[]' and state <> 'discarded' and (state <> 'received' or lease_until <= sutura_now()) returning id`;
/** A resend counts as a new message from here on. */
const DISCARD = `update hl7_inbound set state = 'discarded', holds_key = false where id = $1 and state = 'sealed' returning id`;

interface Row {
  readonly id: string;
  readonly raw: Buffer;
  readonly files: readonly StoredFile[] | null;
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
 * by mistake. A photo that became an image is erased with it, from every message (InboundPhotosEraser).
 */
@Injectable()
export class InboundControl {
  constructor(
    private readonly statements: SystemStatements,
    private readonly encryption: MessageEncryption,
    private readonly queries: InboundQueries,
    private readonly clock: Clock,
  ) {}

  /**
   * Has a running gateway process a message again within seconds, whatever its outcome was.
   * `hl7.message_not_found`, `hl7.sealed`, `hl7.in_progress`, `hl7.not_parked` where it was discarded, `hl7.erased`,
   * `hl7.file_missing`.
   */
  async replay(id: string): Promise<void> {
    const { record, bytes, raw, isWhole } = await this.queries.show(id);
    if (record.erased.length > 0) throw new SuturaError('hl7.erased');
    if (!isWhole) throw new SuturaError('hl7.file_missing');
    if (record.state === 'discarded') throw new SuturaError('hl7.not_parked');
    const whole = raw === null ? null : this.encryption.seal(bytes, id);
    if ((await this.statements.run(REPLAY, [id, whole, raw])).rows.length === 0)
      throw new SuturaError('hl7.in_progress');
    await this.statements.run('select pg_notify($1, $2)', [INBOUND_CHANNEL, '']);
  }

  /** Gives a sealed message up for good, without decrypting it. `hl7.message_not_found`, `hl7.not_parked`. */
  async discard(id: string): Promise<void> {
    await this.queries.find(id);
    if ((await this.statements.run(DISCARD, [id])).rows.length === 0) throw new SuturaError('hl7.not_parked');
  }

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
      // Otherwise the message changed concurrently: retry.
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

  private cut({ id, raw, files, sizeBytes, messageType, erased }: Row): Cut {
    const bytes = this.encryption.open(raw, id);
    const said = { imageId: null, erasedAt: this.clock.now().toISOString() };
    if (messageType !== '') return withoutEveryFile(bytes, files ?? [], said);
    if (erased.length > 0) return { left: bytes, erased: [] };
    return { left: Buffer.from(erasureNote({ sizeBytes, ...said })), erased: [{ sizeBytes, ...said }] };
  }
}

/** Files in the message itself, and those that the object store has. */
function withoutEveryFile(bytes: Buffer, files: readonly StoredFile[], said: Omit<ErasedFile, 'sizeBytes'>): Cut {
  const inside = withoutFiles(bytes, findEncodedFiles(bytes), said);
  const stored = withoutStoredFiles(inside.left, files, said);
  return { left: stored.left, erased: [...inside.erased, ...stored.erased] };
}
