import { Injectable } from '@nestjs/common';
import type { CardSize } from '../../core/calibration/calibration-card.js';
import { CalibrationRepository, type MeasuredCard } from '../../core/calibration/calibration.repository.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

const SELECT = `select size, bar_mm as "barMm", measured_at as "measuredAt" from calibration_cards
  where organization_id = $1 and environment = $2 order by size`;
const SAVE = `insert into calibration_cards (organization_id, environment, size, bar_mm, measured_at) values ($1, $2, $3, $4, $5)
  on conflict (organization_id, environment, size) do update set bar_mm = excluded.bar_mm, measured_at = excluded.measured_at`;
const REMOVE = `delete from calibration_cards where organization_id = $1 and environment = $2 and ($3::text is null or size = $3)`;

@Injectable()
export class SqlCalibrationRepository extends CalibrationRepository {
  async list(transaction: TenantTransaction): Promise<MeasuredCard[]> {
    const { organizationId, environment } = transaction.tenant;
    return (await statementsOf(transaction).run<MeasuredCard>(SELECT, [organizationId, environment])).rows;
  }

  async save(transaction: TenantTransaction, { size, barMm, measuredAt }: MeasuredCard): Promise<void> {
    const { organizationId, environment } = transaction.tenant;
    await statementsOf(transaction).run(SAVE, [organizationId, environment, size, barMm, measuredAt]);
  }

  async remove(transaction: TenantTransaction, size: CardSize | null): Promise<void> {
    const { organizationId, environment } = transaction.tenant;
    await statementsOf(transaction).run(REMOVE, [organizationId, environment, size]);
  }
}
