import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import type { Ehr, EhrPush } from '../../../core/ehrs/ehr.js';
import { WoundRepository } from '../../../core/followup/wound.repository.js';
import { UnitOfWork, type TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import { ReportRepository } from '../../../core/report/report.repository.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import type { NewDelivery } from '../../kit/index.js';
import { DIALECTS } from '../dialects/dialects.js';
import { isWithdrawn, type FiledPart } from '../dialects/filing.js';
import { EhrQueue } from '../queue/ehr-queue.js';
import { FiledLedger } from '../queue/filed-ledger.js';
import { toPushing } from '../settings/pushing-ehr.js';
import { stableId } from '../settings/stable-id.js';
import { takenVersions } from './taken-versions.js';

/** Enqueues the versions of a report for every EHR that lacks them. */
@Injectable()
export class ResultFilings {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reports: ReportRepository,
    private readonly wounds: WoundRepository,
    private readonly ledger: FiledLedger,
    private readonly queue: EhrQueue,
    private readonly trail: AuditTrail,
  ) {}

  /** The withdrawal of a report that the EHR was not told of, made before it was registered, where a result may stand there. A repeat writes nothing. */
  owe(tenant: Tenant, reportId: string, ehr: Ehr): Promise<void> {
    return this.enqueueIn(tenant, reportId, [ehr]);
  }

  /** A report that this one replaces is withdrawn first. A repeat writes nothing. */
  async write(tenant: Tenant, reportId: string, ehrs: readonly Ehr[]): Promise<void> {
    const replaces = await this.unitOfWork.inTenant(tenant, async (transaction) => {
      const current = await this.reports.find(transaction, reportId);
      return current?.report.replaces ?? null;
    });
    if (replaces !== null) await this.write(tenant, replaces, ehrs);
    await this.enqueueIn(tenant, reportId, ehrs);
  }

  private async enqueueIn(tenant: Tenant, reportId: string, ehrs: readonly Ehr[]): Promise<void> {
    await this.unitOfWork.inTenant(tenant, async (transaction) => {
      const versions = await this.reports.versions(transaction, reportId);
      const last = versions.at(-1);
      if (last === undefined) return;
      const wound = await this.wounds.find(transaction, last.content.subject.woundRef);
      const patientId = wound?.patientId ?? null;
      for (const ehr of ehrs) await this.enqueue(transaction, ehr, versions, patientId);
    });
  }

  /**
   * An EHR is sent what is issued after it was registered; it is not flooded with older reports. What corrects or withdraws what it was given waits
   * for it even while nothing is filed there.
   */
  private async enqueue(
    transaction: TenantTransaction,
    ehr: Ehr,
    versions: readonly ClinicalReport[],
    patientId: string | null,
  ): Promise<void> {
    const reportId = versions[0]!.id;
    const push = toPushing(ehr)?.push ?? null;
    const told = await this.ledger.told(transaction, ehr.id, reportId);
    const isUntold = told.length === 0 && isWithdrawn(versions.at(-1)!);
    const isForgotten = isUntold && (await this.ledger.mayHaveForgotten(transaction, ehr.id, reportId));
    // Made once it is known how.
    if (isForgotten && ehr.push === null) return this.ledger.oweWithdrawals(transaction, ehr.id);
    if (push === null && told.length === 0 && !isForgotten) return;
    const lastVersion = Math.max(0, ...told.map(({ version }) => version));
    const toldFrom = told.length === 0 ? null : Math.min(...told.map(({ firstVersion }) => firstVersion));
    const isDue = (one: ClinicalReport): boolean =>
      toldFrom !== null || one.issuedAt >= ehr.createdAt || (isForgotten && isWithdrawn(one));
    const missing = takenVersions({ when: push?.when ?? null, toldFrom, isForgotten }, versions).filter(
      (one) => one.version > lastVersion && isDue(one),
    );
    let known = isForgotten ? mayStandAs(ehr.push!, versions) : told.map(({ part }) => part);
    const deliveries: NewDelivery[] = [];
    for (const report of missing) {
      known = partsOf(push, report, known);
      deliveries.push(...known.map((part) => toDelivery(report, part, patientId)));
    }
    if ((await this.queue.enqueue(transaction, { ...ehr, collapse: false }, deliveries)) === 0) return;
    const { id: keyId, organizationId, environment } = ehr;
    await this.trail.record(
      transaction,
      { organizationId, environment, keyId, scopes: [] },
      {
        door: 'ehr',
        interaction: '$send',
        action: 'R',
        patients: patientId === null ? [] : [patientId],
        resources: [`DiagnosticReport/${reportId}`],
      },
    );
  }
}

/**
 * What the version is filed as, and what it takes back of the versions before: parts that it lacks were entered in error. `push` null: nothing new is
 * filed there.
 */
function partsOf(push: EhrPush | null, report: ClinicalReport, known: readonly FiledPart[]): readonly FiledPart[] {
  if (push === null) return known;
  const dialect = DIALECTS[push.dialect];
  const own = report.status === 'entered-in-error' ? [] : dialect.partsOf(report, push);
  return [...new Set([...known.filter((part) => (part === 'bundle') === dialect.isBundled), ...own])];
}

/** What stands there nobody knows: all that a version would be filed as is taken back. */
function mayStandAs(push: EhrPush, versions: readonly ClinicalReport[]): readonly FiledPart[] {
  const may = versions.findLast((one) => !isWithdrawn(one));
  if (may === undefined) return [];
  return DIALECTS[push.dialect].partsOf(may, push);
}

function toDelivery({ id, version }: ClinicalReport, part: FiledPart, patientId: string | null): NewDelivery {
  return {
    subjectId: stableId('ehr', id, part),
    version,
    lane: patientId ?? id,
    preliminary: false,
    write: () => ({
      bytes: Buffer.from(JSON.stringify({ reportId: id, version, part })),
      columns: { type: part, report_id: id },
    }),
  };
}
