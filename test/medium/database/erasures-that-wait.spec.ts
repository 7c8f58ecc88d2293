import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LegalHolds } from '../../../src/core/erasure/legal-holds.js';
import type { PatientErasure } from '../../../src/core/erasure/patient-erasure.js';
import { PatientErasureRepository } from '../../../src/core/erasure/patient-erasure.repository.js';
import { PatientDataEraser, PatientDataErasers } from '../../../src/core/erasure/patient-data-eraser.js';
import type { ErasedPatient } from '../../../src/core/erasure/patient-record.js';
import { SuturaError } from '../../../src/core/errors/sutura-error.js';
import type { ObjectStore } from '../../../src/core/images/object-store.js';
import { IdSource } from '../../../src/core/ports/id-source.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { erasureServicesOver } from '../../support/erasure-services.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const OPERATOR = { door: 'cli', name: 'operator' } as const;

/** A part of the service that cannot say whose something is, or fails, as long as a patient is named here. */
class Unreadable extends PatientDataEraser {
  readonly refuses = new Map<string, Error>();

  override refuseInUse(_: unknown, { patientIds }: ErasedPatient): Promise<void> {
    return this.look(patientIds);
  }

  async erase(_: unknown, { patientIds }: ErasedPatient) {
    await this.look(patientIds);
    return { counts: [] };
  }

  private look([id]: readonly string[]): Promise<void> {
    const refusal = this.refuses.get(id ?? '');
    return refusal === undefined ? Promise.resolve() : Promise.reject(refusal);
  }
}

describe('an erasure that cannot go on', () => {
  let database: TestDatabase;
  let dataDir: string;
  let context: DatabaseContext;
  let tenant: Tenant;
  let erasure: PatientErasure;
  let unreadable: Unreadable;
  const query = <Row extends object = Record<string, unknown>>(sql: string, values: unknown[] = []) =>
    queryDatabase<Row>(database.url, sql, values);

  beforeAll(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'sutura-waiting-'));
    context = await DatabaseContext.open(database.url, { SUTURA_DATA_DIR: dataDir });
    const erasers = new PatientDataErasers();
    unreadable = new Unreadable();
    erasers.declare(unreadable);
    const store = { deleteAll: () => Promise.resolve() } as unknown as ObjectStore;
    erasure = erasureServicesOver(context, store, erasers).erasure;
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  beforeEach(async () => {
    tenant = await context.createTenant();
    unreadable.refuses.clear();
  });

  async function patientWith(number: string, of: Tenant = tenant): Promise<string> {
    const id = context.get(IdSource).next();
    const values = [of.organizationId, of.environment, id];
    await query(
      `insert into patients (id, organization_id, environment, created_at) values ($3, $1, $2, now())`,
      values,
    );
    await query(
      `insert into patient_identifiers (organization_id, environment, system, value, patient_id) values ($1, $2, '', $4, $3)`,
      [...values, number],
    );
    return id;
  }
  const erase = (patient: string, more: object = {}) => erasure.erase(OPERATOR, { tenant, patient, ...more });
  const stateOf = async (id: string) => (await context.get(PatientErasureRepository).find(id))!;
  const exists = async (patientId: string) =>
    (await query('select from patients where id = $1', [patientId])).length === 1;

  it('is refused where a number of one patient is the id of another, and finds the id where it is asked for as one', async () => {
    const meant = await patientWith('MRN-1');
    const other = await patientWith(meant);
    await expect(erase(meant)).rejects.toMatchObject({ code: 'patient.ambiguous' });
    expect(await erase(meant, { isId: true })).toMatchObject({ patientId: meant, state: 'done' });
    expect([await exists(meant), await exists(other)]).toEqual([false, true]);
  });

  it('is asked for all the same, says what it waits for, answers with that when it is asked for again, and ends by itself', async () => {
    const patientId = await patientWith('MRN-2');
    unreadable.refuses.set(patientId, new SuturaError('hl7.sealed'));
    const first = await erase('MRN-2');
    expect(first).toMatchObject({ state: 'asked', waitsFor: 'hl7.sealed', triedAt: expect.any(Date) });
    const again = await erase(patientId);
    expect([again.id, again.waitsFor]).toEqual([first.id, 'hl7.sealed']);
    expect(await context.get(PatientErasureRepository).backlog()).toEqual([
      { waitsFor: 'hl7.sealed', erasures: 1, oldestS: expect.any(Number) },
    ]);
    unreadable.refuses.clear();
    expect(await erasure.resume()).toBe(1);
    expect(await stateOf(first.id)).toMatchObject({ state: 'done', waitsFor: null });
  });

  it('waits where a hold came after it was asked for', async () => {
    const patientId = await patientWith('MRN-3');
    unreadable.refuses.set(patientId, new SuturaError('hl7.sealed'));
    const { id } = await erase('MRN-3');
    unreadable.refuses.clear();
    await context.get(UnitOfWork).inSystem((transaction) =>
      context.get(LegalHolds).place(transaction.about(tenant), {
        patientId,
        reason: 'Court file 12-345',
        placedBy: 'operator',
        placedAt: new Date(),
      }),
    );
    expect(await erasure.resume()).toBe(0);
    expect([(await stateOf(id)).waitsFor, await exists(patientId)]).toEqual(['patient.on_hold', true]);
    await expect(erase('MRN-3')).rejects.toMatchObject({ code: 'patient.on_hold' });
    await query('delete from legal_holds');
    expect(await erasure.resume()).toBe(1);
  });

  it('keeps no other waiting, however many there are, and whatever it fails with', async () => {
    const stuck: string[] = [];
    for (let count = 0; count < 24; count += 1) {
      const patientId = await patientWith(`STUCK-${count}`);
      const failure = count % 8 === 0 ? new Error('disk') : new SuturaError('hl7.sealed');
      unreadable.refuses.set(patientId, new SuturaError('hl7.sealed'));
      stuck.push((await erase(patientId)).id);
      unreadable.refuses.set(patientId, failure);
    }
    const late = await patientWith('LATE');
    unreadable.refuses.set(late, new SuturaError('hl7.sealed'));
    const { id } = await erase('LATE');
    unreadable.refuses.delete(late);
    await expect(erasure.resume()).rejects.toThrow('disk');
    expect((await stateOf(id)).state).toBe('done');
    const waits = await Promise.all(stuck.map(async (one) => (await stateOf(one)).waitsFor));
    expect(new Set(waits)).toEqual(new Set(['hl7.sealed', 'service.internal']));
    unreadable.refuses.clear();
    expect(await erasure.resume()).toBe(24);
  });

  it('is one erasure, where two ask at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const patientId = await patientWith(`BOTH-${round}`);
      const both = await Promise.allSettled([erase(patientId), erase(patientId), erase(patientId)]);
      const refusals = both.flatMap((one) => (one.status === 'rejected' ? [(one.reason as SuturaError).code] : []));
      expect(refusals.filter((code) => code !== 'patient.not_found')).toEqual([]);
      const rows = await query<{ state: string }>('select state from patient_erasures where patient_id = $1', [
        patientId,
      ]);
      expect(rows.map(({ state }) => state)).toEqual(['done']);
    }
  });
});
