import { Injectable } from '@nestjs/common';
import type { LookUpCursor, LookUpPage } from '../../core/analysis/look-up-page.js';
import { ReportLookUp, type FiledReport } from '../../core/report/report-look-up.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { isCanonicalUuid } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';
import { lookUpPageOf, orderPairs, type LookedRow } from '../analysis/job-pairs-reading.js';
import { filedOf, jobsWithPairs, type MetadataPairs, type Pair } from '../analysis/job-pairs.js';

@Injectable()
export class SqlReportLookUp extends ReportLookUp {
  async byMetadata(
    transaction: TenantTransaction,
    pairs: MetadataPairs,
    limit: number,
    after: LookUpCursor | null,
  ): Promise<LookUpPage<FiledReport>> {
    if (after !== null && !isCanonicalUuid(after.id)) return { items: [], lookedTo: null };
    const ordered = await orderPairs(transaction, pairs);
    const { sql, values } = reportListQuery(transaction.tenant, ordered, limit, after);
    const { rows } = await statementsOf(transaction).run<LookedRow<FiledReport>>(sql, values);
    return lookUpPageOf(rows);
  }
}

/** A page of a tenant's reports, by keyset along their jobs, those of the newest job first. */
export function reportListQuery(
  tenant: Tenant,
  pairs: readonly Pair[],
  limit: number,
  after: Pick<LookUpCursor, 'listedAt' | 'id'> | null,
): { readonly sql: string; readonly values: readonly unknown[] } {
  const values: unknown[] = [tenant.organizationId, tenant.environment];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const upTo = after === null ? null : parameter(after.listedAt);
  const behind = after === null ? '' : ` where (pairs.paired_at, filed.id) < (${upTo!}, ${parameter(after.id)}::uuid)`;
  const jobs = jobsWithPairs(pairs, parameter, upTo);
  const reports = `with recursive ${filedOf('pairs.job_id')}
      select report.id, report.job_id as "jobId", report.image_id as "imageId", report.wound_id as "woundId", wound.patient_id as "patientId",
        report.version, report.status, report.attention, report.replaces, report.replaced_by as "replacedBy",
        report.captured_at as "capturedAt", report.created_at as "createdAt"
      from filed join reports report on report.id = filed.id join wounds wound on wound.id = report.wound_id
      where report.organization_id = $1 and report.environment = $2 offset 0`;
  const most = parameter(limit);
  const select = `select filed.*, pairs.paired_at as "listedAt" from (${jobs.newestFirst()}) pairs cross join lateral (${reports}) filed${behind}
    order by pairs.paired_at desc, filed.id desc limit ${most}`;
  return { sql: jobs.page(select, most), values };
}
