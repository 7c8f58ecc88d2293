import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['hl7_outbox', 'webhook_deliveries', 'fhir_subscription_deliveries'];

const STATEMENTS = [
  // Entries with the same words in a row are counted in one, and the newest 40 are kept: a silent receiver is tried for weeks.
  `create function sutura_noted(history jsonb, entry jsonb) returns jsonb language sql immutable parallel safe set search_path = pg_catalog as
     $$ select case
       when newest.kept is not null and not entry ? 'by'
         and newest.kept - array['at', 'until', 'times', 'attempt', 'said'] = entry - array['at', 'attempt', 'said']
       then (history - -1) || jsonb_build_array(entry || jsonb_build_object('at', newest.kept -> 'at', 'until', entry -> 'at',
         'times', coalesce((newest.kept ->> 'times')::int, 1) + 1))
       when jsonb_array_length(history) >= 40 then (history - 0) || jsonb_build_array(entry)
       else history || jsonb_build_array(entry) end
     from (select history -> -1 as kept) as newest $$`,
  ...TABLES.map((table) => `alter table ${table} add column history jsonb not null default '[]'`),
];

/** Each delivery keeps what happened to it: attempts that failed, by their codes, and what people did with it. */
export class KeepDeliveryHistory1764780946500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
