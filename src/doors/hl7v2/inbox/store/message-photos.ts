import { Injectable } from '@nestjs/common';
import { ImageRepository } from '../../../../core/images/image.repository.js';
import { UnitOfWork } from '../../../../core/ports/unit-of-work.js';
import { tenantOf, type Environment, type Tenant } from '../../../../core/tenancy/tenant.js';
import { isSuturaError } from '../../../../core/errors/sutura-error.js';
import { SystemStatements, toJsonb } from '../../../../platform/database/statements.js';
import { statementsOf } from '../../../../platform/database/unit-of-work.js';
import { inTurns } from '../../../../platform/turns/turns.js';
import { findingEncodedFiles, replacePieces, type EncodedFile } from '../../../../standards/hl7v2/er7/encoded-files.js';
import { base64Length, base64Of, newFileToken, type StoredFile } from '../../../../standards/hl7v2/er7/stored-file.js';
import { MessageEncryption } from '../../../../standards/hl7v2/encryption/message-encryption.js';
import { MessageFileStore } from '../../../../standards/hl7v2/files/message-file-store.js';

/** The most messages in memory at once: each may be of the largest size. */
const AT_ONCE = 8;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const UNFILED = `select id, organization_id as "organizationId", environment, raw, analysis_ids as "analysisIds" from hl7_inbound
  where files is null and state = 'processed' and file_digests <> '{}' and id > $1 order by id limit ${AT_ONCE}`;
/** $4: analyses of the message. Its own photo first. */
const PHOTOS = `select image.id as "imageId", image.object_key as "objectKey", image.sha256, image.size_bytes::int as "sizeBytes",
    image.id in (select image_id from analysis_jobs where id = any($4) union select image_id from analysis_requests where id = any($4)) as "isOwn"
  from images image where image.sha256 = any($3) and image.status = 'stored' and image.organization_id = $1 and image.environment = $2`;
const WHOLE = `update hl7_inbound set files = '[]' where id = $1 and raw = $2 and files is null`;
const FILED = `update hl7_inbound set raw = $2, files = $3::jsonb where id = $1 and raw = $4 and files is null and state = 'processed'`;

interface Row extends Tenant {
  readonly id: string;
  readonly environment: Environment;
  readonly raw: Buffer;
  readonly analysisIds: readonly string[];
}

interface Photo extends Omit<StoredFile, 'token'> {
  readonly imageId: string;
  readonly isOwn: boolean;
}

/** A piece of a message, and the photo that it is. */
interface Piece {
  readonly piece: EncodedFile;
  readonly photo: Photo;
}

/**
 * Takes photos out of messages that were processed: the object store has them as well. A message keeps a token in the place of each, where the
 * store has the very bytes and writing them anew gives the very text; any other stays as it came.
 */
@Injectable()
export class MessagePhotos {
  constructor(
    private readonly statements: SystemStatements,
    private readonly unitOfWork: UnitOfWork,
    private readonly images: ImageRepository,
    private readonly encryption: MessageEncryption,
    private readonly store: MessageFileStore,
  ) {}

  /** Every message that nobody has looked at; answers how many gave up a photo. Throws where the object store cannot be asked. */
  async fileAll(isStopped: () => boolean = () => false): Promise<number> {
    let filed = 0;
    for (let after = FIRST_ID; !isStopped();) {
      const { rows } = await this.statements.run<Row>(UNFILED, [after]);
      for (const row of rows) filed += Number(await this.file(row));
      if (rows.length < AT_ONCE) break;
      after = rows.at(-1)!.id;
    }
    return filed;
  }

  private async file(row: Row): Promise<boolean> {
    const bytes = this.opened(row);
    const pieces = bytes === null ? [] : await this.reproduciblePieces(row, bytes);
    if (bytes === null || pieces.length === 0) {
      await this.statements.run(WHOLE, [row.id, row.raw]);
      return false;
    }
    const files = pieces.map(({ photo: { objectKey, sha256, sizeBytes } }): StoredFile => ({
      token: newFileToken(),
      objectKey,
      sha256,
      sizeBytes,
    }));
    const tokens = new Map(pieces.map(({ piece }, index) => [piece, files[index]!.token]));
    const left = replacePieces(
      bytes,
      pieces.map(({ piece }) => piece),
      (piece) => tokens.get(piece)!,
    );
    return this.write(row, this.encryption.seal(left, row.id), files, pieces);
  }

  /** The photos are held meanwhile: an erasure comes before, and is seen here, or after, and finds the message. */
  private write(row: Row, sealed: Buffer, files: readonly StoredFile[], pieces: readonly Piece[]): Promise<boolean> {
    return this.unitOfWork.inTenant(tenantOf(row), async (transaction) => {
      for (const imageId of [...new Set(pieces.map(({ photo }) => photo.imageId))].sort())
        if ((await this.images.findForUse(transaction, imageId))?.status !== 'stored') return false;
      const { affected } = await statementsOf(transaction).run(FILED, [row.id, sealed, toJsonb(files), row.raw]);
      return affected > 0;
    });
  }

  private async reproduciblePieces(row: Row, bytes: Buffer): Promise<Piece[]> {
    const pieces = await inTurns(findingEncodedFiles(bytes));
    const { organizationId, environment, analysisIds } = row;
    const digests = pieces.flatMap((piece) => piece.digests.map((digest) => digest.toString('hex')));
    if (digests.length === 0) return [];
    const { rows } = await this.statements.run<Photo>(PHOTOS, [organizationId, environment, digests, analysisIds]);
    const found: Piece[] = [];
    for (const piece of pieces) {
      const photo = photoOf(piece, rows);
      if (photo !== null && (await this.isReproduced(bytes.subarray(piece.start, piece.end), photo)))
        found.push({ piece, photo });
    }
    return found;
  }

  private async isReproduced(text: Buffer, photo: Photo): Promise<boolean> {
    if (text.length !== base64Length(photo.sizeBytes)) return false;
    const stored = await this.store.read(photo);
    return stored !== null && text.equals(Buffer.from(base64Of(stored), 'latin1'));
  }

  /** null: no key that is set opens it. */
  private opened({ id, raw }: Row): Buffer | null {
    try {
      return this.encryption.open(raw, id);
    } catch (fault) {
      if (isSuturaError(fault, 'hl7.sealed')) return null;
      throw fault;
    }
  }
}

/** The message's own photo; of others that are the same, only one that is alone: each goes when it is deleted. */
function photoOf({ digests }: EncodedFile, photos: readonly Photo[]): Photo | null {
  const names = new Set(digests.map((digest) => digest.toString('hex')));
  const same = photos.filter(({ sha256 }) => names.has(sha256));
  return same.find(({ isOwn }) => isOwn) ?? (same.length === 1 ? same[0]! : null);
}
