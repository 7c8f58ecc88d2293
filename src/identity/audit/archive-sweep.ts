import { Injectable } from '@nestjs/common';
import {
  AuditArchiveRegistry,
  type ArchivedRows,
  type ArchiveFile,
  type AuditArchive,
} from '../../core/audit/audit-archive.js';
import { AuditTrail } from '../../core/audit/audit-trail.js';
import { RETENTION_OPERATOR } from '../../core/erasure/patient-erasure.js';
import { isSuturaError } from '../../core/errors/sutura-error.js';
import { IdSource } from '../../core/ports/id-source.js';
import { UnitOfWork } from '../../core/ports/unit-of-work.js';
import { tenantOf, type Tenant } from '../../core/tenancy/tenant.js';
import { failpoint } from '../../platform/failpoints.js';
import { sharedGauge } from '../../platform/health/shared-metrics.js';
import { Logger } from '../../platform/logging/logger.js';
import { ArchiveFiles, archiveKeyOf } from './archive-files.js';

/** About 30 MB: a file is in memory while it is written. */
const MOST_ROWS = 50_000;
const DROPPED_AT_ONCE = 5000;
const LEASE_S = 600;

/** Moves old rows of the trail into archives. */
@Injectable()
export class ArchiveSweep {
  private readonly failing = sharedGauge(
    'sutura_audit_archives_failing',
    'Organizations and environments whose audit trail the last sweep could not archive; alarm on any',
  );
  private readonly failed = new Set<string>();

  constructor(
    private readonly registry: AuditArchiveRegistry,
    private readonly files: ArchiveFiles,
    private readonly unitOfWork: UnitOfWork,
    private readonly trail: AuditTrail,
    private readonly ids: IdSource,
    private readonly logger: Logger,
  ) {}

  async run(tenant: Tenant, before: Date): Promise<ArchivedRows> {
    const name = `${tenant.organizationId} ${tenant.environment}`;
    const sum = { rows: 0, bytes: 0 };
    const count = (archive: AuditArchive | null): boolean => {
      if (archive === null) return false;
      sum.rows += archive.rows;
      sum.bytes += archive.bytes;
      return true;
    };
    try {
      await this.clearAbandoned();
      const kept = await this.registry.list(tenant);
      for (const archive of kept.filter(({ state }) => state === 'kept')) count(await this.empty(archive));
      while (count(await this.archiveNext(tenant, before)));
      this.failed.delete(name);
    } catch (error) {
      // The rows stay where they are, and the next sweep begins anew.
      this.failed.add(name);
      this.logger.error('audit.archive_failed', { ...tenantOf(tenant), error: nameOf(error) });
    }
    this.failing.set(this.failed.size);
    return sum;
  }

  /** null: there is nothing to do. */
  private async archiveNext(tenant: Tenant, before: Date): Promise<AuditArchive | null> {
    const id = this.ids.next();
    const request = { id, objectKey: archiveKeyOf(id), before, mostRows: MOST_ROWS, leaseS: LEASE_S };
    const begun = await this.registry.begin(tenant, request);
    if (begun === null) return null;
    await failpoint('audit_archive_begun');
    try {
      const file = await this.files.write(begun);
      await failpoint('audit_archive_put');
      await this.keep(begun, file);
      const archive = { ...begun, state: 'kept' as const, ...file };
      await failpoint('audit_archive_kept');
      return await this.empty(archive);
    } catch (error) {
      await this.giveUp(begun);
      throw error;
    }
  }

  private keep(archive: AuditArchive, file: ArchiveFile): Promise<void> {
    const { id, first, last, rows } = archive;
    return this.unitOfWork.inSystem(async (transaction) => {
      const about = transaction.about(archive);
      if (!(await this.registry.keep(about, id, file))) throw new Error('The lease of the archive ended.');
      const caller = { ...tenantOf(archive), keyId: RETENTION_OPERATOR.name, scopes: [] };
      await this.trail.record(about, caller, {
        door: RETENTION_OPERATOR.door,
        interaction: '$archive-audit',
        action: 'E',
        patients: [],
        resources: [],
        query: `archive=${id}&first=${first}&last=${last}&rows=${rows}&sha256=${file.sha256}`,
      });
    });
  }

  /** null: rows stay beside the archive, as a patient is on hold or the organization keeps them longer by now. */
  private async empty(archive: AuditArchive): Promise<AuditArchive | null> {
    for (;;) {
      const dropped = await this.registry.dropRows(archive.id, DROPPED_AT_ONCE);
      if (dropped === null) return null;
      if (dropped === 0) return archive;
      await failpoint('audit_archive_dropping');
    }
  }

  private async clearAbandoned(): Promise<void> {
    for (const { id, objectKey } of await this.registry.abandoned()) {
      await this.files.removeFolder(objectKey);
      await this.registry.forget(id);
    }
  }

  /** As far as it goes: what cannot be cleared now is cleared when the lease has ended. */
  private async giveUp({ id }: AuditArchive): Promise<void> {
    const kept = await this.registry.list({}).catch(() => null);
    if (kept === null || kept.some((one) => one.id === id)) return;
    await this.files.removeFolder(archiveKeyOf(id)).then(
      () => this.registry.forget(id),
      () => undefined,
    );
  }
}

function nameOf(error: unknown): string {
  if (isSuturaError(error)) return error.code;
  return error instanceof Error ? error.message : 'unknown';
}
