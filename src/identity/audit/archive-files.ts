import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ArchiveFile, AuditArchive } from '../../core/audit/audit-archive.js';
import { AuditLog } from '../../core/audit/audit-log.js';
import { AuditSigner } from '../../core/audit/audit-signer.js';
import { intactBytes, ObjectStore } from '../../core/images/object-store.js';
import { Clock } from '../../core/ports/clock.js';
import { tenantOf } from '../../core/tenancy/tenant.js';
import { auditExport } from './audit-export.js';
import { ExportCheck } from './audit-export-check.js';

const NDJSON = 'application/x-ndjson';

/** The key of a file in the folder of this id. */
export function archiveKeyOf(folderId: string): string {
  return `audit-archives/${folderId}/trail.ndjson`;
}

export function folderOfKey(objectKey: string): string {
  return objectKey.slice(0, objectKey.lastIndexOf('/') + 1);
}

/** Files of archives in the object store, each with its rows and the seal that they lead to, signed. */
@Injectable()
export class ArchiveFiles {
  constructor(
    private readonly store: ObjectStore,
    private readonly log: AuditLog,
    private readonly signer: AuditSigner,
    private readonly clock: Clock,
  ) {}

  /** Writes the rows of an archive that was begun. */
  async write(archive: AuditArchive): Promise<ArchiveFile> {
    const pieces: string[] = [];
    const { first, last, objectKey } = archive;
    const blocks = this.log.blocks({ ...tenantOf(archive), first, last });
    for await (const piece of auditExport(blocks, this.signer, this.clock.now(), { archive: true })) pieces.push(piece);
    return this.put(archive, objectKey, pieces);
  }

  /** Reads it back: only what the store has, and what leads to the very seal, counts as kept. */
  async put(archive: AuditArchive, objectKey: string, pieces: readonly string[]): Promise<ArchiveFile> {
    const bytes = Buffer.from(pieces.join(''), 'utf8');
    await this.store.put(objectKey, bytes, NDJSON);
    const stored = await this.store.get(objectKey);
    const check = new ExportCheck(await this.signer.publicKey());
    await check.read(objectKey, [Buffer.from(stored ?? []).toString('utf8')]);
    const { breaks, chains } = check.soFar();
    const [chain] = chains;
    const { first, last, hash, organizationId, environment, rows } = archive;
    const isIt =
      chains.length === 1 &&
      chain?.organizationId === organizationId &&
      chain.environment === environment &&
      chain.first === first &&
      chain.last === last &&
      chain.hash === hash &&
      chain.rows === rows;
    if (stored === null || breaks.length > 0 || !isIt)
      throw new Error('The archive that was read back is not the one that was written.');
    return { objectKey, sha256: createHash('sha256').update(stored).digest('hex'), bytes: stored.length };
  }

  async read(archive: AuditArchive): Promise<Uint8Array> {
    const bytes = await this.bytesAt(archive.objectKey);
    if (bytes === null || createHash('sha256').update(bytes).digest('hex') !== archive.sha256)
      throw new Error(`The archive ${archive.id} is not what was written: audit verify says more.`);
    return bytes;
  }

  /** null: there is no such file, or it was damaged. */
  bytesAt(objectKey: string): Promise<Uint8Array | null> {
    return intactBytes(this.store, objectKey);
  }

  removeFolder(objectKey: string): Promise<void> {
    return this.store.deleteAll(folderOfKey(objectKey));
  }
}
