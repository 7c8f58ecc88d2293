import { createHmac } from 'node:crypto';
import { sampleResult } from './bulk-jobs.mjs';
import { query } from './postgres-server.mjs';

const AT_ONCE = 100_000;
/** As src/standards/hl7v2/encryption/search-terms.ts makes a term where messages are stored in the clear. */
const CLEAR = createHmac('sha256', Buffer.alloc(32)).update('sutura hl7v2 search terms').digest();
const termOf = (kind, value) => createHmac('sha256', CLEAR).update(`${kind}\0${value}`).digest().subarray(0, 12);

/** In one of `places` tenants; each tenth row, by its number, is about a patient or an order whose number follows from it. */
const TENANT = `tenants as (select row_number() over () - 1 as place, organization_id, image_id from unnest($1::uuid[], $2::uuid[]) as given (organization_id, image_id))`;
const OF_TENANT = `join tenants on tenants.place = number % (select count(*) from tenants)`;
const MOMENT = `cross join lateral (select now() - interval '30 days' * random() as moment) as times`;
const UUID = 'gen_random_uuid()';

const INBOUND = `with ${TENANT} insert into hl7_inbound (id, organization_id, environment, source_id, transport, received_at, key_id, address,
    sending_application, sending_facility, control_id, message_type, version, holds_key, sha256, raw, size_bytes, state, attempts, lease_until,
    processed_at, application_ack, ack_code, terms, file_digests)
  select ${UUID}, tenants.organization_id, 'test', ${UUID}, 'mllp', moment, ${UUID}::text, '192.0.2.1', 'EHR', 'HOSP', 'CTRL-' || number, 'OMG^O19', '2.5.1', false,
    decode(md5(number::text) || md5(number::text), 'hex'), '\\x00', 900, 'processed', 1, moment, moment, 'now', 'AA',
    array[substring(sha256(('p' || number / 10)::bytea) for 12), substring(sha256(('o' || number)::bytea) for 12)], '{}'
  from generate_series($3::int, $4::int) as number ${OF_TENANT} ${MOMENT}`;
const DELIVERIES = `insert into webhook_deliveries (id, webhook_id, organization_id, environment, number, subject_id, version, lane, preliminary, type, report_id,
    body, size_bytes, state, attempts, next_at, created_at, sent_at, delivered_at)
  select ${UUID}, hook.id, hook.organization_id, 'test', number + 1000, ${UUID}, 1, 'lane', false, 'report.ready', ${UUID}, '\\x7b7d', 2, 'delivered', 1, moment, moment, moment, moment
  from generate_series($1::int, $2::int) as number cross join (select id, organization_id from webhooks limit 1) hook ${MOMENT}`;
const RESOURCES = `with ${TENANT} insert into fhir_resources (organization_id, environment, type, id, version, last_updated, sort_at, is_long, present)
  select tenants.organization_id, 'test', 'ServiceRequest', ${UUID}::text, 1, moment, moment, false, '{}' from generate_series($3::int, $4::int) as number ${OF_TENANT} ${MOMENT}`;
const IMAGES = `with ${TENANT} insert into images (id, organization_id, environment, patient_id, status, origin, max_bytes, upload_expires_at, object_key, size_bytes, sha256, verdict, created_at, stored_at)
  select ${UUID}, tenants.organization_id, 'test', patient.id, 'stored', 'upload', 1, moment, 'none', 1, 'aa', '{"readable": true, "format": "jpeg", "widthPx": 1, "heightPx": 1}', moment, moment
  from generate_series($3::int, $4::int) as number ${OF_TENANT} ${MOMENT}
    join patient_identifiers named on named.organization_id = tenants.organization_id and named.environment = 'test' and named.system = 'bench' and named.value = 'P-' || (number % 1000)
    join patients patient on patient.id = named.patient_id`;
/** One for each photo: a photo with thousands of jobs is none that anybody has. */
const JOBS = `insert into analysis_jobs (id, report_id, organization_id, environment, image_id, patient_id, source, status, attempts, captured_at, created_at, started_at, completed_at, result)
  select ${UUID}, ${UUID}, organization_id, environment, id, patient_id, 'rest', 'completed', 1, created_at, created_at, created_at, created_at, $1::jsonb from images where object_key = 'none'`;
const AUDIT = `with ${TENANT} insert into audit_events (organization_id, environment, recorded_at, door, interaction, action, key_id, request_id, address, resources)
  select tenants.organization_id, 'test', moment, 'rest', 'read', 'R', ${UUID}::text, ${UUID}::text, '192.0.2.1', array['Task/' || ${UUID}]
  from generate_series($3::int, $4::int) as number ${OF_TENANT} cross join lateral (select now() - interval '30 days' + interval '2 s' * number as moment) as times order by number`;
const PATIENTS = `with ${TENANT}, made as (insert into patients (id, organization_id, environment)
    select ${UUID}, tenants.organization_id, 'test' from generate_series(0, 999) as number cross join tenants returning id, organization_id)
  insert into patient_identifiers (organization_id, environment, system, value, patient_id)
    select organization_id, 'test', 'bench', 'P-' || (row_number() over (partition by organization_id) - 1), id from made`;

/** A message whose order and patient are found by these numbers. */
export async function addMessage(databaseUrl, { organizationId, order, patient, controlId }) {
  await query(
    databaseUrl,
    `insert into hl7_inbound (id, organization_id, environment, source_id, transport, received_at, key_id, address, sending_application, sending_facility,
       control_id, message_type, version, holds_key, sha256, raw, size_bytes, state, attempts, lease_until, processed_at, application_ack, ack_code, terms, file_digests)
     values (${UUID}, $1, 'test', ${UUID}, 'mllp', now(), ${UUID}::text, '192.0.2.1', 'EHR', 'HOSP', $2, 'OMG^O19', '2.5.1', false, '\\x00', '\\x00', 900, 'failed', 1, now(), now(), 'now', 'AE', $3, '{}')`,
    [organizationId, controlId, [termOf('order', order), termOf('patient', patient)]],
  );
}

const TABLES = [
  'analysis_jobs',
  'hl7_inbound',
  'fhir_resources',
  'images',
  'webhook_deliveries',
  'audit_events',
  'patients',
  'patient_identifiers',
];
/** Those that no constraint needs: made once all rows are there, they take a third of the time. */
const FREE_INDEXES = `select kept.indexname as name, kept.indexdef as definition from pg_indexes kept
  where kept.schemaname = 'public' and kept.tablename = any($1) and not exists (select from pg_constraint where conindid = kept.indexname::regclass)`;

/** `total` rows in each of the tables that a search of the console looks into. Every tenant needs an imageId, and one a webhook. */
export async function loadConsole(databaseUrl, tenants, total) {
  const owners = [tenants.map(({ organizationId }) => organizationId), tenants.map(({ imageId }) => imageId)];
  await query(databaseUrl, PATIENTS, owners);
  const indexes = await query(databaseUrl, FREE_INDEXES, [TABLES]);
  for (const { name } of indexes) await query(databaseUrl, `drop index ${name}`);
  for (let from = 1; from <= total; from += AT_ONCE) {
    const to = Math.min(total, from + AT_ONCE - 1);
    for (const sql of [INBOUND, RESOURCES, IMAGES, AUDIT]) await query(databaseUrl, sql, [...owners, from, to]);
    await query(databaseUrl, DELIVERIES, [from, to]);
  }
  await query(databaseUrl, JOBS, [JSON.stringify(sampleResult())]);
  for (const { definition } of indexes) await query(databaseUrl, `set maintenance_work_mem = '512MB'; ${definition}`);
  for (const table of TABLES) await query(databaseUrl, `vacuum (analyze) ${table}`);
}
