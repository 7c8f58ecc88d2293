import { Global, Module } from '@nestjs/common';
import { AuditArchives } from '../core/audit/audit-archive.js';
import { AuditLog } from '../core/audit/audit-log.js';
import { TrailCheck } from '../core/audit/trail-check.js';
import { ArchiveFiles } from '../identity/audit/archive-files.js';
import { ArchiveSweep } from '../identity/audit/archive-sweep.js';
import { StoredAuditArchives } from '../identity/audit/stored-audit-archives.js';
import { bind } from '../platform/bind.js';
import { StorageModule } from '../storage/drivers/storage.module.js';

/** Binds the archives of the audit trail to the object store. */
@Global()
@Module({
  imports: [StorageModule],
  providers: [
    ArchiveFiles,
    ArchiveSweep,
    { provide: AuditArchives, useClass: StoredAuditArchives },
    bind(TrailCheck, AuditLog, AuditArchives),
  ],
  exports: [AuditArchives, TrailCheck],
})
export class AuditArchivesModule {}
