import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuditLog } from '../../../src/core/audit/audit-log.js';
import { PatientErasureRepository } from '../../../src/core/erasure/patient-erasure.repository.js';
import { PatientRecords } from '../../../src/core/erasure/patient-records.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const INSERT = `insert into audit_events (organization_id, environment, recorded_at, door, interaction, action, key_id, patient_id, resources, query)
  values ($1, $2, now(), 'fhir', $3, 'R', 'k', $4, '{}', $5)`;

describe('rows whose words an erasure took out', () => {
  let database: TestDatabase;
  let dataDir: string;
  let context: DatabaseContext;
  let tenant: Tenant;
  const [erasureId, patientId] = [randomUUID(), randomUUID()];
  beforeAll(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'sutura-redacted-'));
    context = await DatabaseContext.open(database.url, { SUTURA_DATA_DIR: dataDir });
    tenant = await context.createTenant();
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const insert = (interaction: string, query: string) =>
    queryDatabase(database.url, INSERT, [tenant.organizationId, tenant.environment, interaction, patientId, query]);
  const alter = (query: string) =>
    queryDatabase(database.url, 'update audit_events set query = $1 where redacted_by is not null', [query]);
  const breaks = async () => (await context.get(AuditLog).verify()).breaks.map(({ reason }) => reason);

  it('are a break until the erasure says so in its last row, and when others stand there afterwards', async () => {
    await insert('search-type', 'family=Verlierova');
    await context.get(AuditLog).seal();
    await context.get(UnitOfWork).inSystem(async (transaction) => {
      const about = transaction.about(tenant);
      const found = await context.get(PatientRecords).typedTexts(about, {
        patient: {
          tenant,
          patientIds: [patientId],
          imageIds: [],
          jobIds: [],
          reportIds: [],
          woundIds: [],
          requestIds: [],
          words: { numbers: [], names: [] },
          sharedValues: [],
        },
        needles: ['verlierova'],
        after: '0',
        limit: 10,
      });
      const erased = found.map((text) => ({ ...text, query: '[erased]' }));
      await context.get(PatientRecords).redact(about, erasureId, erased);
    });
    expect(await breaks()).toEqual(['redaction_not_accounted']);

    const digest = await context.get(UnitOfWork).inSystem(async (transaction) => {
      const about = transaction.about(tenant);
      const erasures = context.get(PatientErasureRepository);
      await erasures.insert(
        about,
        { id: erasureId, patientId, askedBy: 'operator', askedThrough: 'admin', askedAt: new Date() },
        60,
      );
      await erasures.rowsErased(about, erasureId, { record: null, folders: [], counts: [], leftMessages: [] }, 60);
      return context.get(PatientRecords).redactedDigest(about, erasureId);
    });
    // Under way: its last row is still to come.
    expect(await breaks()).toEqual([]);
    await context
      .get(UnitOfWork)
      .inSystem((transaction) => context.get(PatientErasureRepository).done(transaction.about(tenant), erasureId, []));
    expect(await breaks()).toEqual(['redaction_not_accounted']);
    await insert('$erase', `erasure=${erasureId}&state=done&redacted=${digest}`);
    await context.get(AuditLog).seal();
    expect(await breaks()).toEqual([]);

    await alter('family=Somebody');
    expect(await breaks()).toEqual(['redaction_not_accounted']);
    await alter('[erased]');
    expect(await breaks()).toEqual([]);
    await queryDatabase(database.url, `update audit_events set key_id = 'x' where interaction = '$erase'`);
    expect(await breaks()).toEqual(['row_changed_or_missing']);
  });
});
