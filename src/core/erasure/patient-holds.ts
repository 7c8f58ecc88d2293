import type { AuditTrail } from '../audit/audit-trail.js';
import type { Operator } from '../tenancy/operator.js';
import { SuturaError } from '../errors/sutura-error.js';
import type { Clock } from '../ports/clock.js';
import type { TenantTransaction, UnitOfWork } from '../ports/unit-of-work.js';
import { tenantOf } from '../tenancy/tenant.js';
import type { LegalHold, LegalHolds } from './legal-holds.js';
import type { PatientFinder, WantedPatient } from './patient-finder.js';

export interface PatientHoldsPorts {
  readonly unitOfWork: UnitOfWork;
  readonly finder: PatientFinder;
  readonly holds: LegalHolds;
  readonly trail: AuditTrail;
  readonly clock: Clock;
}

/** Places and lifts legal holds. */
export class PatientHolds {
  constructor(private readonly ports: PatientHoldsPorts) {}

  /** From now on nothing of the patient is erased, by age or on demand. Errors: those of PatientFinder. */
  place(operator: Operator, wanted: WantedPatient, reason: string): Promise<LegalHold> {
    const { unitOfWork, finder, holds, clock } = this.ports;
    return unitOfWork.inSystem(async (transaction) => {
      const about = transaction.about(wanted.tenant);
      const patientId = await finder.find(about, wanted);
      const hold = { patientId, reason, placedBy: operator.name, placedAt: clock.now() };
      await holds.place(about, hold);
      await this.record(about, operator, patientId, '$hold');
      return { ...tenantOf(wanted.tenant), ...hold };
    });
  }

  /** Errors: those of PatientFinder; `patient.not_held`. */
  release(operator: Operator, wanted: WantedPatient): Promise<string> {
    const { unitOfWork, finder, holds } = this.ports;
    return unitOfWork.inSystem(async (transaction) => {
      const about = transaction.about(wanted.tenant);
      const patientId = await finder.find(about, wanted);
      if (!(await holds.release(about, patientId))) throw new SuturaError('patient.not_held');
      await this.record(about, operator, patientId, '$release');
      return patientId;
    });
  }

  /** Oldest first. */
  list(organizationId: string): Promise<LegalHold[]> {
    return this.ports.holds.list(organizationId);
  }

  private record(
    about: TenantTransaction,
    { door, name, origin }: Operator,
    patientId: string,
    interaction: string,
  ): Promise<void> {
    const caller = { ...tenantOf(about.tenant), keyId: name, scopes: [], ...(origin === undefined ? {} : { origin }) };
    const access = {
      door,
      interaction,
      action: 'U',
      patients: [patientId],
      resources: [`Patient/${patientId}`],
    } as const;
    return this.ports.trail.record(about, caller, access);
  }
}
