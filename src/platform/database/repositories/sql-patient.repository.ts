import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PatientRepository } from '../../../core/ports/patient.repository.js';
import type { Transaction } from '../../../core/ports/unit-of-work.js';
import type { PatientIdentifier } from '../../../core/patients/patient.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import type { Statements } from '../statements.js';
import { statementsOf } from '../unit-of-work.js';

const FIND = `select patient_id as id from patient_identifiers
  where organization_id = $1 and environment = $2 and system = $3 and value = $4`;
const INSERT_PATIENT = 'insert into patients (id, organization_id, environment) values ($1, $2, $3)';
const INSERT_IDENTIFIER = `insert into patient_identifiers (organization_id, environment, system, value, patient_id)
  values ($1, $2, $3, $4, $5)`;

@Injectable()
export class SqlPatientRepository extends PatientRepository {
  async resolve(transaction: Transaction, tenant: Tenant, identifier: PatientIdentifier, newId: string): Promise<string> {
    const statements = statementsOf(transaction);
    const row = [tenant.organizationId, tenant.environment, identifier.system, identifier.value];
    const known = await this.find(statements, row);
    if (known !== null) return known;
    // Held until the commit: whoever asks for the same new identifier meanwhile waits and then finds it.
    await statements.run('select pg_advisory_xact_lock($1::bigint)', [lockNumber(row)]);
    const madeMeanwhile = await this.find(statements, row);
    if (madeMeanwhile !== null) return madeMeanwhile;
    await statements.run(INSERT_PATIENT, [newId, tenant.organizationId, tenant.environment]);
    await statements.run(INSERT_IDENTIFIER, [...row, newId]);
    return newId;
  }

  private async find(statements: Statements, row: readonly string[]): Promise<string | null> {
    const { rows } = await statements.run<{ id: string }>(FIND, row);
    return rows[0]?.id ?? null;
  }
}

function lockNumber(row: readonly string[]): string {
  return createHash('sha256').update(['patient', ...row].join('\0')).digest().readBigInt64BE(0).toString();
}
