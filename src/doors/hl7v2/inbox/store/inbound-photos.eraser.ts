import { Injectable } from '@nestjs/common';
import { PhotoCopyErasers } from '../../../../core/erasure/photo-copy-erasers.js';
import { Clock } from '../../../../core/ports/clock.js';
import { PhotoCopyEraser, type ErasedPhoto } from '../../../../core/erasure/photo-copy-eraser.js';
import { SystemStatements, toJsonb } from '../../../../platform/database/statements.js';
import { inTurns } from '../../../../platform/turns/turns.js';
import { findingEncodedFiles } from '../../../../standards/hl7v2/er7/encoded-files.js';
import { withoutFiles, withoutStoredFiles } from '../../../../standards/hl7v2/er7/erased-file.js';
import type { StoredFile } from '../../../../standards/hl7v2/er7/stored-file.js';
import { MessageEncryption } from '../../../../standards/hl7v2/encryption/message-encryption.js';

/** The most messages in memory at once: each may be of the largest size. */
const AT_ONCE = 8;
const UNREAD = `select id, raw from hl7_inbound where file_digests is null and organization_id = $1 and environment = $2 and size_bytes > $3 and id > $4 order by id limit ${AT_ONCE}`;
const NOTE_DIGESTS = 'update hl7_inbound set file_digests = $2 where id = $1 and file_digests is null';
/** A message that is still to be processed makes an image of its own, which is erased by itself. */
const HOLDING = `select id, raw, files from hl7_inbound where file_digests <> '{}' and file_digests @> array[$3::bytea] and organization_id = $1 and environment = $2
    and state <> 'received' order by id limit ${AT_ONCE}`;
const CUT = `update hl7_inbound set raw = $2, files = $6::jsonb, erased = erased || $3::jsonb, file_digests = array_remove(file_digests, $4)
  where id = $1 and raw = $5 and files is not distinct from $7::jsonb and state <> 'received'`;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface Row {
  readonly id: string;
  readonly raw: Buffer;
  readonly files: readonly StoredFile[] | null;
}

/**
 * Photos in inbound messages, found by the digest of their bytes: in the message that made the image, in those that
 * were refused or resent with it, and under whatever patient. The text of the message stays.
 */
@Injectable()
export class InboundPhotosEraser extends PhotoCopyEraser {
  constructor(
    private readonly statements: SystemStatements,
    private readonly encryption: MessageEncryption,
    private readonly clock: Clock,
    erasers: PhotoCopyErasers,
  ) {
    super();
    erasers.declare(this);
  }

  /**
   * `hl7.sealed` where a message with the photo, or one without noted digests, was encrypted with a key that is not
   * configured.
   */
  async erase({ tenant, imageId, sha256, sizeBytes }: ErasedPhoto): Promise<void> {
    if (sha256 === null) return;
    const { organizationId, environment } = tenant;
    await this.noteDigests([organizationId, environment, sizeBytes ?? 0]);
    const digest = Buffer.from(sha256, 'hex');
    for (;;) {
      const { rows } = await this.statements.run<Row>(HOLDING, [organizationId, environment, digest]);
      if (rows.length === 0) return;
      for (const row of rows) await this.cut(row, imageId, digest);
    }
  }

  /** Notes the digests of large messages from before digests were noted, each once. */
  private async noteDigests(
    where: readonly [organizationId: string, environment: string, sizeBytes: number],
  ): Promise<void> {
    for (let after = FIRST_ID; ;) {
      const { rows } = await this.statements.run<Omit<Row, 'files'>>(UNREAD, [...where, after]);
      for (const { id, raw } of rows) {
        const digests = (await inTurns(findingEncodedFiles(this.encryption.open(raw, id)))).flatMap(
          (file) => file.digests,
        );
        await this.statements.run(NOTE_DIGESTS, [id, digests]);
        after = id;
      }
      if (rows.length < AT_ONCE) return;
    }
  }

  /** A message that changed meanwhile is found again by the next pass. */
  private async cut({ id, raw, files }: Row, imageId: string, digest: Buffer): Promise<void> {
    const bytes = this.encryption.open(raw, id);
    const found = (await inTurns(findingEncodedFiles(bytes))).filter(({ digests }) =>
      digests.some((one) => one.equals(digest)),
    );
    const said = { imageId, erasedAt: this.clock.now().toISOString() };
    const isSame = ({ sha256 }: StoredFile) => sha256 === digest.toString('hex');
    const inside = withoutFiles(bytes, found, said);
    const stored = withoutStoredFiles(inside.left, files?.filter(isSame) ?? [], said);
    const rest = files?.filter((file) => !isSame(file));
    await this.statements.run(CUT, [
      id,
      this.encryption.seal(stored.left, id),
      toJsonb([...inside.erased, ...stored.erased]),
      digest,
      raw,
      toJsonb(rest),
      toJsonb(files),
    ]);
  }
}
