import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  AuditArchiveRegistry,
  AuditArchives,
  type ArchivedRows,
  type ArchiveFile,
  type AuditArchive,
  type Redact,
} from '../../core/audit/audit-archive.js';
import { AuditAnchor } from '../../core/audit/audit-anchor.js';
import { AuditLog, type AuditBreak } from '../../core/audit/audit-log.js';
import { AuditSigner } from '../../core/audit/audit-signer.js';
import { AuditTrail } from '../../core/audit/audit-trail.js';
import { RETENTION_OPERATOR } from '../../core/erasure/patient-erasure.js';
import { isSuturaError } from '../../core/errors/sutura-error.js';
import { intactBytes, ObjectStore } from '../../core/images/object-store.js';
import { Clock } from '../../core/ports/clock.js';
import { IdSource } from '../../core/ports/id-source.js';
import { UnitOfWork, type TenantTransaction } from '../../core/ports/unit-of-work.js';
import { tenantOf, type Tenant } from '../../core/tenancy/tenant.js';
import { failpoint } from '../../platform/failpoints.js';
import { sharedGauge } from '../../platform/health/shared-metrics.js';
import { Logger } from '../../platform/logging/logger.js';
import { checkArchives } from './archive-check.js';
import { auditExport } from './audit-export.js';
import { ExportCheck } from './audit-export-check.js';
import { redactedFile } from './redacted-archive.js';

/** About 30 MB: a file is in memory while it is written. */
const MOST_ROWS = 50_000;
const DROPPED_AT_ONCE = 5000;
const LEASE_S = 600;
const NDJSON = 'application/x-ndjson';

/** The folder of a file in the object store. */
function keyOf(folderId: string): string {
  return `${folderOf(folderId)}trail.ndjson`;
}

function folderOf(folderId: string): string {
  return `audit-archives/${folderId}/`;
}

/** Archives in the object store. Its name of a file says nothing: whose rows it has, and which, stands signed in the file itself. */
@Injectable()
export class StoredAuditArchives extends AuditArchives {
  private readonly failing = sharedGauge(
    'sutura_audit_archives_failing',
    'Organizations and environments whose audit trail the last sweep could not archive; alarm on any',
  );
  private readonly failed = new Set<string>();

  constructor(
    private readonly registry: AuditArchiveRegistry,
    private readonly log: AuditLog,
    private readonly anchor: AuditAnchor,
    private readonly signer: AuditSigner,
    private readonly store: ObjectStore,
    private readonly unitOfWork: UnitOfWork,
    private readonly trail: AuditTrail,
    private readonly clock: Clock,
    private readonly ids: IdSource,
    private readonly logger: Logger,
  ) {
    super();
  }

  async sweep(tenant: Tenant, before: Date): Promise<ArchivedRows> {
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

  check(): Promise<{ readonly rows: number; readonly seals: number; readonly breaks: readonly AuditBreak[] }> {
    return checkArchives({
      archives: () => this.registry.list({}),
      read: async ({ objectKey }) => intactBytes(this.store, objectKey),
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
      const text = Buffer.from(await this.read(archive)).toString('utf8');
      const { pieces, redactions } = await redactedFile(text, redact, erasureId ?? this.ids.next(), this.signer);
      rows += redactions.length;
      if (redactions.length === 0 || erasureId === null) continue;
      const file = await this.put(archive, keyOf(this.ids.next()), pieces);
      await this.registry.replace(transaction, archive, file, erasureId, redactions);
      folders.push(archive.objectKey.slice(0, archive.objectKey.lastIndexOf('/') + 1));
    }
    return { rows, folders };
  }

  /** null: there is nothing to do. */
  private async archiveNext(tenant: Tenant, before: Date): Promise<AuditArchive | null> {
    const id = this.ids.next();
    const wish = { id, objectKey: keyOf(id), before, mostRows: MOST_ROWS, leaseS: LEASE_S };
    const begun = await this.registry.begin(tenant, wish);
    if (begun === null) return null;
    await failpoint('audit_archive_begun');
    try {
      const pieces: string[] = [];
      const { first, last } = begun;
      const blocks = this.log.blocks({ ...tenantOf(tenant), first, last });
      for await (const piece of auditExport(blocks, this.signer, this.clock.now(), { archive: true }))
        pieces.push(piece);
      const file = await this.put(begun, begun.objectKey, pieces);
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

  /** Reads it back: only what the store has, and what leads to the very seal, counts as kept. */
  private async put(archive: AuditArchive, objectKey: string, pieces: readonly string[]): Promise<ArchiveFile> {
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
      await this.store.deleteAll(objectKey.slice(0, objectKey.lastIndexOf('/') + 1));
      await this.registry.forget(id);
    }
  }

  /** As far as it goes: what cannot be cleared now is cleared when the lease has ended. */
  private async giveUp({ id }: AuditArchive): Promise<void> {
    const kept = await this.registry.list({}).catch(() => null);
    if (kept === null || kept.some((one) => one.id === id)) return;
    await this.store.deleteAll(folderOf(id)).then(
      () => this.registry.forget(id),
      () => undefined,
    );
  }

  async read(archive: AuditArchive): Promise<Uint8Array> {
    const bytes = await intactBytes(this.store, archive.objectKey);
    if (bytes === null || createHash('sha256').update(bytes).digest('hex') !== archive.sha256)
      throw new Error(`The archive ${archive.id} is not what was written: audit verify says more.`);
    return bytes;
  }
}

function nameOf(error: unknown): string {
  if (isSuturaError(error)) return error.code;
  return error instanceof Error ? error.message : 'unknown';
}
