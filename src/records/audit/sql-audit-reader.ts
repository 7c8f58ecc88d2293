import { Injectable } from '@nestjs/common';
import type { AuditRecord } from '../../core/audit/access.js';
import {
  AuditReader,
  type AuditCriterion,
  type AuditInterval,
  type AuditPage,
  type AuditQuestion,
} from '../../core/audit/audit-reader.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { isCanonicalUuid, type Statements } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';
import { carriersOf, familyOf } from './audit-patients.js';
import { AUDIT_COLUMNS } from './audit-row.js';

const COLUMNS = `${AUDIT_COLUMNS}, to_char(recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`;
/** Row-level security shows these rows only to statements that declare to read the trail, so that no other statement sees them by mistake. */
const OPEN = `select set_config('app.reads_trail', 'on', true)`;
const CLOSE = `select set_config('app.reads_trail', '', true)`;
/** $1, $2: the tenant. */
const MINE = 'organization_id = $1 and environment = $2';
/** Read and sorted in some milliseconds. */
const FEW_ROWS = 5000;
const ARCHIVED = `select max(newest_at) as at from audit_archives where ${MINE} and state <> 'writing'`;

@Injectable()
export class SqlAuditReader extends AuditReader {
  async find(transaction: TenantTransaction, question: AuditQuestion): Promise<AuditPage> {
    const { organizationId, environment } = transaction.tenant;
    const statements = statementsOf(transaction);
    await statements.run(OPEN);
    const narrow = await narrowest(statements, [organizationId, environment], question.criteria);
    const { rows } = await statements.run<AuditRecord & { readonly at: string }>(
      ...pageStatement([organizationId, environment], question, narrow),
    );
    const archived = await statements.run<{ at: Date | null }>(ARCHIVED, [organizationId, environment]);
    await statements.run(CLOSE);
    const shown = rows.slice(0, question.limit);
    const last = shown.at(-1);
    const end = rows.length > question.limit && last !== undefined ? { id: last.id, at: last.at } : null;
    return { records: shown.map(({ at: _at, ...record }) => record), end, archivedUpTo: archived.rows[0]?.at ?? null };
  }
}

/**
 * A criterion with an index of its own and few rows; null: none. PostgreSQL estimates a key's rows by the average of all keys: to find three rows of
 * one it would walk through years of the trail.
 */
async function narrowest(
  statements: Statements,
  tenant: readonly string[],
  criteria: readonly AuditCriterion[],
): Promise<AuditCriterion | null> {
  for (const criterion of criteria.filter(({ kind }) => ['patient', 'patient-number', 'agent'].includes(kind))) {
    const values: unknown[] = [...tenant];
    const condition = conditionOf(criterion, (value) => `$${values.push(value)}`);
    const probe = `select count(*)::int as found from (select from audit_events where ${MINE} and ${condition} limit ${FEW_ROWS + 1}) few`;
    if ((await statements.run<{ found: number }>(probe, values)).rows[0]!.found <= FEW_ROWS) return criterion;
  }
  return null;
}

function pageStatement(
  tenant: readonly string[],
  { criteria, newestFirst, limit, after }: AuditQuestion,
  narrow: AuditCriterion | null,
): [sql: string, values: unknown[]] {
  const values: unknown[] = [...tenant];
  const add = (value: unknown): string => `$${values.push(value)}`;
  const source =
    narrow === null
      ? 'audit_events'
      : `(select * from audit_events where ${MINE} and ${conditionOf(narrow, add)} offset 0) audit_events`;
  const conditions = criteria
    .filter((criterion) => criterion !== narrow)
    .map((criterion) => conditionOf(criterion, add));
  if (after !== null)
    conditions.push(
      `(recorded_at, id) ${newestFirst ? '<' : '>'} (${add(after.at)}::timestamptz, ${add(after.id)}::bigint)`,
    );
  const order = newestFirst ? 'recorded_at desc, id desc' : 'recorded_at, id';
  const where = [MINE, ...conditions].join(' and ');
  return [`select ${COLUMNS} from ${source} where ${where} order by ${order} limit ${add(limit + 1)}`, values];
}

function conditionOf(criterion: AuditCriterion, add: (value: unknown) => string): string {
  switch (criterion.kind) {
    case 'recorded':
      return anyOf(criterion.intervals.map((interval) => within(interval, add)));
    case 'patient':
      return `patient_id = any (${familyOf(add(criterion.ids.filter(isCanonicalUuid)), MINE)})`;
    case 'patient-number':
      return anyOf(
        criterion.numbers.map(({ system, value }) => {
          const inSystem = system === undefined ? '' : ` and system = ${add(system)}`;
          return `patient_id = any (${familyOf(carriersOf(`${MINE} and value = ${add(value)}${inSystem}`), MINE)})`;
        }),
      );
    case 'agent':
      return `(key_id = any (${add(criterion.keyIds)}::text[]) or person = any (${add(criterion.persons)}::text[]))`;
    case 'resource':
      return `resources && ${add(criterion.references)}::text[]`;
    case 'interaction': {
      const named = `interaction = any (${add(criterion.names)}::text[])`;
      return criterion.orOperation ? `(${named} or starts_with(interaction, '$'))` : named;
    }
    case 'action':
      return `case when interaction = 'search-type' then ${add(criterion.searches)}::boolean else action::text = any (${add(criterion.actions)}::text[]) end`;
    case 'refused':
      return `(refusal is not null) = any (${add(criterion.refused)}::boolean[])`;
    case 'row':
      return `id = any (${add(criterion.ids)}::bigint[])`;
  }
}

function within({ low, high }: AuditInterval, add: (value: unknown) => string): string {
  return [
    'true',
    ...(low === null ? [] : [`recorded_at >= ${add(low)}`]),
    ...(high === null ? [] : [`recorded_at < ${add(high)}`]),
  ].join(' and ');
}

function anyOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? 'false' : `(${conditions.map((one) => `(${one})`).join(' or ')})`;
}
