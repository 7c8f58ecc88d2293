import type { Patient } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import { SERVICE_TENANT } from '../../../core/audit/operator-trail.js';
import type { SharedNumber } from '../../../core/patients/authority.repository.js';
import { compareIdentity, isIdentityConflict, statedPersonOf } from '../../../core/patients/identity-comparison.js';
import { PatientJoins, type JoinActor } from '../../../core/patients/joined-authorities.js';
import { PatientRepository } from '../../../core/patients/patient.repository.js';
import { UnitOfWork, type TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { KnownPatients } from '../interactions/known-patients.js';
import { PatientMerging } from '../interactions/patient-merging.js';
import { FhirActivation } from '../projection/fhir-activation.js';

/** Joins records whose numbers turned out to be one, as A40 and $merge do. */
@Injectable()
export class AuthorityJoins extends PatientJoins {
  constructor(
    private readonly opening: FhirActivation,
    private readonly merging: PatientMerging,
    private readonly known: KnownPatients,
    private readonly patients: PatientRepository,
    private readonly trail: AuditTrail,
    private readonly unitOfWork: UnitOfWork,
  ) {
    super();
  }

  async join(tenant: Tenant, pair: SharedNumber, by: JoinActor, isConfirmed = false): Promise<boolean> {
    await this.opening.ensureActive(tenant);
    return this.unitOfWork.inTenant(tenant, async (transaction) => {
      if (!(await this.bothStand(transaction, pair))) return true;
      if (!isConfirmed && !(await this.areAlike(transaction, pair))) return false;
      const caller = { ...tenant, keyId: SERVICE_TENANT.organizationId, scopes: [] };
      const { priorId, survivorId } = pair;
      const call = { transaction, caller, base: '', requestId: priorId };
      const written = await this.merging.merge(call, { priorId, survivorId });
      await this.trail.record(
        transaction,
        { ...caller, keyId: by.name },
        {
          door: by.door,
          interaction: '$merge',
          action: 'U',
          patients: [survivorId, priorId],
          resources: [...new Set([`Patient/${survivorId}`, `Patient/${priorId}`, ...written])],
        },
      );
      return true;
    });
  }

  async areAlike(transaction: TenantTransaction, { survivorId, priorId }: SharedNumber): Promise<boolean> {
    const one = await this.known.find(transaction, survivorId);
    const other = await this.known.find(transaction, priorId);
    if (one === null || other === null) return true;
    return !isIdentityConflict(compareIdentity(personIn(one), personIn(other)));
  }

  /** Another process may have joined them meanwhile. */
  private async bothStand(transaction: TenantTransaction, { survivorId, priorId }: SharedNumber): Promise<boolean> {
    for (const id of [survivorId, priorId]) {
      const row = await this.patients.find(transaction, id);
      if (row === null || row.mergedInto !== null) return false;
    }
    await this.known.show(transaction, [survivorId, priorId]);
    return true;
  }
}

function personIn({ name = [], birthDate }: Patient): ReturnType<typeof statedPersonOf> {
  return statedPersonOf(name, birthDate);
}
