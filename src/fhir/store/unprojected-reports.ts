import { Injectable } from '@nestjs/common';
import type { Environment, Tenant } from '../../core/tenancy/tenant.js';
import { SystemStatements } from '../../platform/database/statements.js';

/** Reports of known patients whose present version no DiagnosticReport shows: both count their versions alike. */
const FIND = `select report.id, report.organization_id, report.environment from reports report join wounds wound on wound.id = report.wound_id
  where wound.patient_id is not null and report.id > $1 and not exists (
    select from fhir_resources shown
      where shown.organization_id = report.organization_id and shown.environment = report.environment collate "C"
        and shown.type = 'DiagnosticReport' and shown.id = report.id::text collate "C" and shown.version >= report.version)
  order by report.id limit $2`;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

interface UnprojectedReport {
  readonly tenant: Tenant;
  readonly reportId: string;
}

/** Reports that the FHIR door does not show yet, over all tenants: those from before it was there. */
@Injectable()
export class UnprojectedReports {
  constructor(private readonly statements: SystemStatements) {}

  /** Oldest first, after `after` where given. */
  async find(limit: number, after: string | null): Promise<UnprojectedReport[]> {
    const { rows } = await this.statements.run<{ id: string; organization_id: string; environment: Environment }>(
      FIND,
      [after ?? BEFORE_ALL, limit],
    );
    return rows.map((row) => ({
      tenant: { organizationId: row.organization_id, environment: row.environment },
      reportId: row.id,
    }));
  }
}
