import { randomBytes } from 'node:crypto';
import { LegalHolds } from '../../../../src/core/erasure/legal-holds.js';
import { UnitOfWork } from '../../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { MessageEncryption } from '../../../../src/standards/hl7v2/encryption/message-encryption.js';
import { messageTerms } from '../../../../src/standards/hl7v2/encryption/search-terms.js';
import { AgedMessages } from '../../../../src/doors/hl7v2/inbox/store/aged-messages.js';
import { readSettings } from '../../../../src/platform/config/settings.js';
import { IdSource } from '../../../../src/core/ports/id-source.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { queryDatabase } from '../../../support/database-query.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';

const NOW = new Date();
const KEY = randomBytes(32).toString('base64');
const LOST_KEY = randomBytes(32).toString('base64');
const PID = (number: string) => `MSH|^~\\&|EHR|H|S|H|2026||ORM^O01|1|T|2.5.1\rPID|1||${number}^^^H^MR\r`;
const WITHOUT_PATIENT = 'MSH|^~\\&|EHR|H|S|H|2026||ORM^O01|1|T|2.5.1\rORC|NW|A-1^EHR\r';

describe('old messages, while a patient of the organization is on legal hold', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let tenant: Tenant;
  let aged: AgedMessages;
  const encryption = new MessageEncryption(readSettings({ HL7_ENCRYPTION_KEY: KEY }));
  const lost = new MessageEncryption(readSettings({ HL7_ENCRYPTION_KEY: LOST_KEY }));
  const query = <Row extends object = Record<string, unknown>>(sql: string, values: unknown[] = []) =>
    queryDatabase<Row>(database.url, sql, values);

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    aged = new AgedMessages(encryption);
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    tenant = await context.createTenant();
  });

  async function keep(
    text: string,
    { state = 'processed', by = encryption, terms = true, analysisIds = [] as string[] } = {},
  ) {
    const id = context.get(IdSource).next();
    const bytes = Buffer.from(text);
    await query(
      `insert into hl7_inbound (id, organization_id, environment, source_id, transport, received_at, key_id, address, sending_application, sending_facility,
          control_id, message_type, version, holds_key, sha256, raw, size_bytes, state, lease_until, application_ack, terms, analysis_ids)
        values ($1, $2, $3, $1, 'mllp', now() - interval '2 years', 'k', '', '', '', '1', 'ORM^O01', '2.5.1', false, '\\x00', $4, $5, $6, now(), 'never', $7, $8)`,
      [
        id,
        tenant.organizationId,
        tenant.environment,
        by.seal(bytes, id),
        bytes.length,
        state,
        terms ? messageTerms(by.terms, bytes) : [],
        analysisIds,
      ],
    );
    return id;
  }
  async function holdSomebody(number: string): Promise<string> {
    const patientId = context.get(IdSource).next();
    const of = [patientId, tenant.organizationId, tenant.environment];
    await query('insert into patients (id, organization_id, environment, created_at) values ($1, $2, $3, now())', of);
    await query(
      `insert into patient_identifiers (patient_id, organization_id, environment, system, value) values ($1, $2, $3, '', $4)`,
      [...of, number],
    );
    await context.get(UnitOfWork).inSystem((transaction) =>
      context.get(LegalHolds).place(transaction.about(tenant), {
        patientId,
        reason: 'Court file 12-345',
        placedBy: 'operator',
        placedAt: NOW,
      }),
    );
    return patientId;
  }
  const sweep = async (of = tenant) =>
    context
      .get(UnitOfWork)
      .inSystem(async (transaction) => (await aged.removeBefore(transaction.about(of), NOW, 50)).rows);
  const left = async (ids: readonly string[]) =>
    new Set((await query<{ id: string }>('select id from hl7_inbound where id = any($1)', [ids])).map(({ id }) => id));

  it('stay where they name that patient, or nobody can tell whom: sealed with a lost key, without a number, refused', async () => {
    const patientId = await holdSomebody('MRN-1');
    const { id: jobId } = await context.createJob(tenant, { patientId });
    const kept = [
      await keep(PID('MRN-1')),
      await keep(PID('MRN-1'), { by: lost }),
      await keep(PID('MRN-2'), { by: lost }),
      await keep('rubbish', { terms: false, state: 'failed' }),
      await keep(WITHOUT_PATIENT, { state: 'failed' }),
      await keep(PID('MRN-2'), { state: 'discarded' }),
      await keep(WITHOUT_PATIENT, { analysisIds: [jobId] }),
    ];
    const other = await keep(PID('MRN-3'));
    const ignored = await keep(PID('MRN-4'), { state: 'ignored' });
    expect(await sweep()).toBe(2);
    expect(await left([...kept, other, ignored])).toEqual(new Set(kept));
  });

  it('go once nobody is on hold any more, and in every other organization meanwhile', async () => {
    const elsewhere = tenant;
    const there = await keep('rubbish', { terms: false, state: 'failed' });
    tenant = await context.createTenant();
    await holdSomebody('MRN-1');
    const here = await keep(PID('MRN-1'), { by: lost });
    expect(await sweep()).toBe(0);
    expect(await sweep(elsewhere)).toBe(1);
    await query('delete from legal_holds');
    expect(await sweep()).toBe(1);
    expect(await left([here, there])).toEqual(new Set());
  });
});
