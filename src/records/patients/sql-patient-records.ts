import { Injectable } from '@nestjs/common';
import { SERVICE_TENANT } from '../../core/audit/operator-trail.js';
import type { ErasedRows, ErasedPatient, PatientRecordIds, PatientWords } from '../../core/erasure/patient-record.js';
import {
  PatientRecords,
  type RecordsErasure,
  type TypedText,
  type TypedTextsWanted,
} from '../../core/erasure/patient-records.js';
import type { PatientIdentifier } from '../../core/patients/patient.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { failpoint } from '../../platform/failpoints.js';
import { isCanonicalUuid } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';
import {
  ARE_SOMEBODYS,
  CARRIERS,
  FOLDERS,
  FORGET_PATIENTS,
  GATHER,
  GATHER_UNNAMED,
  IS_FILED_UNDER,
  IS_IN_USE,
  KEPT_SYSTEMS,
  LET_GO,
  LET_GO_OF_REPORTS,
  LET_GO_OF_WOUNDS,
  LOCK_PATIENTS,
  LOCK_PHOTOS,
  LOCK_UNNAMED,
  NUMBERS,
  NUMBERS_OF_OTHERS,
  PATIENCE,
  REDACT,
  REDACTED_DIGEST,
  REMOVALS,
  STANDING,
  SYSTEMS_OF,
  TYPED_TEXTS,
} from './patient-record-statements.js';
import { lockNumber } from './sql-patient.repository.js';

interface IdRow {
  readonly id: string;
}

@Injectable()
export class SqlPatientRecords extends PatientRecords {
  async carriers(
    transaction: TenantTransaction,
    { value, system }: { readonly value: string; readonly system?: string | undefined },
  ): Promise<string[]> {
    if (!isCanonicalUuid(transaction.tenant.organizationId)) return [];
    const { rows } = await statementsOf(transaction).run<IdRow>(CARRIERS, [
      ...tenant(transaction),
      value,
      system ?? null,
    ]);
    return rows.map(({ id }) => id);
  }

  async takeTime(transaction: TenantTransaction): Promise<void> {
    await statementsOf(transaction).run(PATIENCE);
  }

  async claimValue(transaction: TenantTransaction, value: string): Promise<void> {
    const number = lockNumber([...tenant(transaction), value]);
    await statementsOf(transaction).run('select pg_advisory_xact_lock($1::bigint)', [number]);
  }

  async keptSystems(transaction: TenantTransaction, systems: readonly string[]): Promise<readonly string[]> {
    if (systems.length === 0 || !isCanonicalUuid(transaction.tenant.organizationId)) return [];
    const values = [...tenant(transaction), systems];
    return (await statementsOf(transaction).run<{ system: string }>(KEPT_SYSTEMS, values)).rows.map(
      (row) => row.system,
    );
  }

  async systemsOf(transaction: TenantTransaction, patientId: string, value: string): Promise<readonly string[]> {
    const values = [...tenant(transaction), patientId, value];
    return (await statementsOf(transaction).run<{ system: string }>(SYSTEMS_OF, values)).rows.map((row) => row.system);
  }

  async isFiledUnder(transaction: TenantTransaction, { system, value }: PatientIdentifier): Promise<boolean> {
    const values = [...tenant(transaction), system, value];
    return (await statementsOf(transaction).run<{ isFiled: boolean }>(IS_FILED_UNDER, values)).rows[0]!.isFiled;
  }

  async areNobodys(transaction: TenantTransaction, photoIds: readonly string[]): Promise<boolean> {
    const statements = statementsOf(transaction);
    const values = [...tenant(transaction), photoIds.filter(isCanonicalUuid)];
    await statements.run(LOCK_PHOTOS, values);
    return !(await statements.run<{ areSomebodys: boolean }>(ARE_SOMEBODYS, values)).rows[0]!.areSomebodys;
  }

  async standing(transaction: TenantTransaction, patientId: string): Promise<string | null> {
    if (![patientId, transaction.tenant.organizationId].every(isCanonicalUuid)) return null;
    const { rows } = await statementsOf(transaction).run<IdRow>(STANDING, [...tenant(transaction), patientId]);
    return rows[0]?.id ?? null;
  }

  async gather(
    transaction: TenantTransaction,
    patientId: string,
    photos: readonly string[] = [],
  ): Promise<PatientRecordIds & PatientWords> {
    const statements = statementsOf(transaction);
    await statements.run(PATIENCE);
    const locked = await statements.run<IdRow>(LOCK_PATIENTS, [...tenant(transaction), patientId]);
    const patientIds = locked.rows.map(({ id }) => id);
    const { rows } = await statements.run<Omit<PatientRecordIds, 'patientIds'>>(GATHER, [
      ...tenant(transaction),
      patientIds,
      photos.filter(isCanonicalUuid),
    ]);
    const found = rows[0]!;
    const numbers = await statements.run<PatientIdentifier>(NUMBERS, [
      ...tenant(transaction),
      patientIds,
      found.jobIds,
    ]);
    return { patientIds, ...found, numbers: numbers.rows, names: [] };
  }

  async gatherUnnamed(transaction: TenantTransaction, jobId: string): Promise<PatientRecordIds | null> {
    if (!isCanonicalUuid(jobId)) return null;
    const statements = statementsOf(transaction);
    await statements.run(PATIENCE);
    const values = [...tenant(transaction), jobId];
    if ((await statements.run<IdRow>(LOCK_UNNAMED, values)).rows.length === 0) return null;
    const { rows } = await statements.run<Omit<PatientRecordIds, 'patientIds'>>(GATHER_UNNAMED, values);
    return { patientIds: [], ...rows[0]! };
  }

  async isInUse(transaction: TenantTransaction, patient: PatientRecordIds): Promise<boolean> {
    const values = [...tenant(transaction), patient.jobIds, idsOf(patient)];
    const { rows } = await statementsOf(transaction).run<{ isInUse: boolean }>(IS_IN_USE, values);
    return rows[0]!.isInUse;
  }

  async remove(
    transaction: TenantTransaction,
    patient: ErasedPatient,
    attachmentIds: readonly string[],
  ): Promise<RecordsErasure> {
    await failpoint('erase_rows');
    const statements = statementsOf(transaction);
    const own = tenant(transaction);
    const folders = await statements.run<{ folder: string }>(FOLDERS, [
      patient.imageIds,
      patient.reportIds,
      attachmentIds,
    ]);
    for (const sql of LET_GO_OF_REPORTS) await statements.run(sql, [...own, patient.reportIds]);
    await statements.run(LET_GO_OF_WOUNDS, [...own, patient.woundIds]);
    const ids = { ...patient, attachmentIds, all: idsOf(patient) };
    const counts: ErasedRows[] = [];
    for (const { what, sql, values } of REMOVALS) {
      const { rows } = await statements.run<{ bytes: string | number }>(sql, [...own, ids[values]]);
      counts.push({ what, rows: rows.length, bytes: rows.reduce((sum, { bytes }) => sum + Number(bytes), 0) });
    }
    for (const sql of LET_GO) await statements.run(sql, [...own, patient.patientIds]);
    for (const sql of FORGET_PATIENTS) await statements.run(sql, [...own, patient.patientIds]);
    return { counts, folders: folders.rows.map(({ folder }) => folder) };
  }

  async sharedValues(
    transaction: TenantTransaction,
    values: readonly string[],
    patientIds: readonly string[],
  ): Promise<readonly string[]> {
    const { rows } = await statementsOf(transaction).run<{ value: string }>(NUMBERS_OF_OTHERS, [
      ...tenant(transaction),
      values,
      patientIds,
    ]);
    return rows.map(({ value }) => value);
  }

  async typedTexts(
    transaction: TenantTransaction,
    { patient, needles, after, limit }: TypedTextsWanted,
  ): Promise<TypedText[]> {
    const pattern = needles.length === 0 ? '^\\Z.' : [...new Set(needles.flatMap(firstPart))].join('|');
    const { rows } = await statementsOf(transaction).run<TypedText>(TYPED_TEXTS, [
      ...tenant(transaction),
      pattern,
      patient.patientIds,
      after,
      limit,
      SERVICE_TENANT.organizationId,
    ]);
    return rows;
  }

  async redact(transaction: TenantTransaction, erasureId: string, texts: readonly TypedText[]): Promise<void> {
    await statementsOf(transaction).run(REDACT, [erasureId, JSON.stringify(texts)]);
  }

  async redactedDigest(transaction: TenantTransaction, erasureId: string): Promise<string | null> {
    const { rows } = await statementsOf(transaction).run<{ digest: string | null }>(REDACTED_DIGEST, [erasureId]);
    return rows[0]?.digest ?? null;
  }
}

function tenant({ tenant: { organizationId, environment } }: TenantTransaction): [string, string] {
  return [organizationId, environment];
}

/** Everything of the patient by its id. */
function idsOf(patient: PatientRecordIds): string[] {
  const { patientIds, imageIds, jobIds, reportIds, woundIds, requestIds } = patient;
  return [...new Set([...patientIds, ...imageIds, ...jobIds, ...reportIds, ...woundIds, ...requestIds])];
}

/** The first part of a needle as a query has it: letters and digits of ASCII as they are, all others also in percent-encoding. */
function firstPart(needle: string): string[] {
  const part = needle.split(' ')[0]!;
  return [part, encodeURIComponent(part), encodeURIComponent(part.toUpperCase())].map(escaped);
}

function escaped(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '\\$&');
}
