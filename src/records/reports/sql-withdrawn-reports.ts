import { Injectable } from '@nestjs/common';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { WithdrawnReports } from '../../core/report/withdrawn-reports.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

const IDS = `select id from reports where organization_id = $1 and environment = $2 and status = 'entered-in-error'
    and exists (select from report_versions made where made.report_id = reports.id and made.status not in ('preliminary', 'entered-in-error'))
  order by id`;

@Injectable()
export class SqlWithdrawnReports extends WithdrawnReports {
  async ids(transaction: TenantTransaction): Promise<readonly string[]> {
    const { organizationId, environment } = transaction.tenant;
    const { rows } = await statementsOf(transaction).run<{ id: string }>(IDS, [organizationId, environment]);
    return rows.map(({ id }) => id);
  }
}
