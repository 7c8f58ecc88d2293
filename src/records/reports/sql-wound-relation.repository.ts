import { Injectable } from '@nestjs/common';
import type { RelationWithdrawal, WoundRelation } from '../../core/followup/wound-relation.js';
import { WoundRelationRepository } from '../../core/followup/wound-relation.repository.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { toJsonb } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

const INSERT = `insert into wound_relations (id, organization_id, environment, kind, whole_id, part_id, at, note, performer, recorded_at, entered_by)
  select $1, $2, $3, $4, $5, part, $7, $8, $9, $10, $11 from unnest($6::uuid[]) as part`;
const OF_WOUND = `select id, kind, whole_id as "wholeId", array_agg(part_id::text order by part_id) as "partIds", at, note, performer as by,
    recorded_at as "recordedAt", entered_by as "enteredBy", withdrawn_at as "withdrawnAt", withdrawal
  from wound_relations where organization_id = $1 and environment = $2
    and id = any (array(select id from wound_relations where whole_id = $3 or part_id = $3))
  group by id, kind, whole_id, at, note, performer, recorded_at, entered_by, withdrawn_at, withdrawal order by at, id`;
const WITHDRAW = `update wound_relations set withdrawn_at = $4, withdrawal = $5
  where organization_id = $1 and environment = $2 and id = $3 and withdrawn_at is null`;

interface RelationRow extends Omit<WoundRelation, 'withdrawal'> {
  readonly withdrawnAt: Date | null;
  readonly withdrawal: Omit<RelationWithdrawal, 'withdrawnAt'> | null;
}

@Injectable()
export class SqlWoundRelationRepository extends WoundRelationRepository {
  async insert(transaction: TenantTransaction, relation: WoundRelation): Promise<void> {
    const { organizationId, environment } = transaction.tenant;
    await statementsOf(transaction).run(INSERT, [
      relation.id,
      organizationId,
      environment,
      relation.kind,
      relation.wholeId,
      relation.partIds,
      relation.at,
      relation.note,
      toJsonb(relation.by),
      relation.recordedAt,
      relation.enteredBy,
    ]);
  }

  async ofWound(transaction: TenantTransaction, woundId: string): Promise<WoundRelation[]> {
    const { organizationId, environment } = transaction.tenant;
    const { rows } = await statementsOf(transaction).run<RelationRow>(OF_WOUND, [organizationId, environment, woundId]);
    return rows.map(({ withdrawnAt, withdrawal, ...relation }) => ({
      ...relation,
      withdrawal: withdrawnAt === null || withdrawal === null ? null : { withdrawnAt, ...withdrawal },
    }));
  }

  async withdraw(
    transaction: TenantTransaction,
    relationId: string,
    { withdrawnAt, ...withdrawal }: RelationWithdrawal,
  ): Promise<void> {
    const { organizationId, environment } = transaction.tenant;
    await statementsOf(transaction).run(WITHDRAW, [
      organizationId,
      environment,
      relationId,
      withdrawnAt,
      toJsonb(withdrawal),
    ]);
  }
}
