import { Injectable } from '@nestjs/common';
import { ReportLookUp, type FiledReport, type FiledReportCursor } from '../../core/report/report-look-up.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { isCanonicalUuid } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';
import { filedWithPairs, type MetadataPairs } from '../analysis/job-pairs.js';

@Injectable()
export class SqlReportLookUp extends ReportLookUp {
  async byMetadata(
    transaction: TenantTransaction,
    pairs: MetadataPairs,
    limit: number,
    after: FiledReportCursor | null,
  ): Promise<FiledReport[]> {
    if (after !== null && !isCanonicalUuid(after.id)) return [];
    const { sql, values } = reportListQuery(transaction.tenant, pairs, limit, after);
    return (await statementsOf(transaction).run<FiledReport>(sql, values)).rows;
  }
}

/** A page of a tenant's reports, newest first, by keyset. */
export function reportListQuery(
  tenant: Tenant,
  pairs: MetadataPairs,
  limit: number,
  after: FiledReportCursor | null,
): { readonly sql: string; readonly values: readonly unknown[] } {
  const values: unknown[] = [tenant.organizationId, tenant.environment];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const filed = filedWithPairs(pairs, parameter);
  const behind =
    after === null
      ? ''
      : ` and (report.created_at, report.id) < (${parameter(after.createdAt)}, ${parameter(after.id)}::uuid)`;
  const sql = `with recursive ${filed}
    select report.id, report.job_id as "jobId", report.image_id as "imageId", report.wound_id as "woundId", wound.patient_id as "patientId",
      report.version, report.status, report.attention, report.replaces, report.replaced_by as "replacedBy",
      report.captured_at as "capturedAt", report.created_at as "createdAt"
    from filed join reports report on report.id = filed.id join wounds wound on wound.id = report.wound_id
    where report.organization_id = $1 and report.environment = $2${behind}
    order by report.created_at desc, report.id desc limit ${parameter(limit)}`;
  return { sql, values };
}
