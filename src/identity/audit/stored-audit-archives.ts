import { Injectable } from '@nestjs/common';
import {
  AuditArchiveRegistry,
  AuditArchives,
  type ArchivedRows,
  type AuditArchive,
  type Redact,
} from '../../core/audit/audit-archive.js';
import { AuditAnchor } from '../../core/audit/audit-anchor.js';
import type { AuditBreak } from '../../core/audit/audit-log.js';
import { AuditSigner } from '../../core/audit/audit-signer.js';
import { IdSource } from '../../core/ports/id-source.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { checkArchives } from './archive-check.js';
import { ArchiveFiles, archiveKeyOf, folderOfKey } from './archive-files.js';
import { ArchiveSweep } from './archive-sweep.js';
import { redactedFile } from './redacted-archive.js';

/** Archives in the object store. Its name of a file says nothing: whose rows it has, and which, stands signed in the file itself. */
@Injectable()
export class StoredAuditArchives extends AuditArchives {
  constructor(
    private readonly registry: AuditArchiveRegistry,
    private readonly sweeping: ArchiveSweep,
    private readonly files: ArchiveFiles,
    private readonly anchor: AuditAnchor,
    private readonly signer: AuditSigner,
    private readonly ids: IdSource,
  ) {
    super();
  }

  sweep(tenant: Tenant, before: Date): Promise<ArchivedRows> {
    return this.sweeping.run(tenant, before);
  }

  check(): Promise<{ readonly rows: number; readonly seals: number; readonly breaks: readonly AuditBreak[] }> {
    return checkArchives({
      archives: () => this.registry.list({}),
      read: ({ objectKey }) => this.files.bytesAt(objectKey),
      heads: () => this.anchor.read(),
      isSigned: (text, signature) => this.signer.isSigned(text, signature),
    });
  }

  async redact(
    transaction: TenantTransaction,
    redact: Redact,
    erasureId: string | null,
  ): Promise<{ readonly rows: number; readonly folders: readonly string[] }> {
    let rows = 0;
    const folders: string[] = [];
    for (const archive of await this.registry.hold(transaction)) {
      const text = Buffer.from(await this.files.read(archive)).toString('utf8');
      const { pieces, redactions } = await redactedFile(text, redact, erasureId ?? this.ids.next(), this.signer);
      rows += redactions.length;
      if (redactions.length === 0 || erasureId === null) continue;
      const file = await this.files.put(archive, archiveKeyOf(this.ids.next()), pieces);
      await this.registry.replace(transaction, archive, file, erasureId, redactions);
      folders.push(folderOfKey(archive.objectKey));
    }
    return { rows, folders };
  }

  read(archive: AuditArchive): Promise<Uint8Array> {
    return this.files.read(archive);
  }
}
