import type { OrganizationRepository } from '../organizations/organization.repository.js';
import type { BirthDates } from '../patients/birth-dates.js';
import type { Clock } from '../ports/clock.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import { isInForce, isOtherBirthDate, isUnreadBirthDate, type ChartPatient } from './chart-identity.js';
import type { EhrPatient, EhrPatients } from './ehr-patients.js';
import type { Ehr } from './ehr.js';

/**
 * Who the patient of an open chart is here. The number is of one record; `differs`: its birth date says that it is somebody else; `doubtful`: the
 * EHR states one that cannot be read.
 */
export type IdentifiedPatient = EhrPatient | { readonly kind: 'differs' } | { readonly kind: 'doubtful' };

export interface ChartPatientPorts {
  readonly patients: Pick<EhrPatients, 'find'>;
  readonly birthDates: BirthDates;
  readonly organizations: Pick<OrganizationRepository, 'find'>;
  readonly clock: Clock;
  /** Of organizations that name no time zone (IANA). */
  readonly timeZone: string;
}

/** Which record here the patient of an open chart is: for launches and cards alike, since both show it to whoever has the chart before them. */
export class ChartPatients {
  constructor(private readonly ports: ChartPatientPorts) {}

  /** By numbers whose time is not over, of the registered system; one record, with the same birth date as far as both know it. Makes no record. */
  async identify(
    transaction: TenantTransaction,
    ehr: Pick<Ehr, 'organizationId' | 'environment' | 'patientSystem'>,
    { numbers, birthDate }: ChartPatient,
  ): Promise<IdentifiedPatient> {
    const now = this.ports.clock.now();
    const timeZone = await this.zoneOf(transaction);
    const found = await this.ports.patients.find(transaction, ehr, numbers, (number) =>
      isInForce(number, now, timeZone),
    );
    if (found.kind !== 'one' || birthDate === null) return found;
    const known = await this.ports.birthDates.of(transaction, found.patientId);
    if (isUnreadBirthDate(known, birthDate)) return { kind: 'doubtful' };
    return isOtherBirthDate(known, birthDate) ? { kind: 'differs' } : found;
  }

  private async zoneOf(transaction: TenantTransaction): Promise<string> {
    const organization = await this.ports.organizations.find(transaction, transaction.tenant.organizationId);
    return organization?.timeZone ?? this.ports.timeZone;
  }
}
