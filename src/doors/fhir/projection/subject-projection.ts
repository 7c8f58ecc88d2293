import { Injectable } from '@nestjs/common';
import type { BodyStructure, Identifier, Organization, Patient } from '@medplum/fhirtypes';
import { OrganizationRepository } from '../../../core/organizations/organization.repository.js';
import { PatientRepository } from '../../../core/patients/patient.repository.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { WoundRepository } from '../../../core/followup/wound.repository.js';
import { Settings } from '../../../platform/config/settings.js';
import { EventProjection } from './event-projection.js';
import { ServiceResources, type FoundResources } from './service-resources.js';
import { toBodyStructure, toOrganization, toPatient } from './minimal-resources.js';

/** Patients, wounds and the organization, where no client has written them. */
@Injectable()
export class SubjectProjection {
  /** Tenants whose organization exists as a resource. */
  private readonly shown = new Set<string>();

  constructor(
    private readonly resources: ServiceResources,
    private readonly patients: PatientRepository,
    private readonly wounds: WoundRepository,
    private readonly organizations: OrganizationRepository,
    private readonly settings: Settings,
    private readonly events: EventProjection,
  ) {}

  /**
   * The patient, and the organization that answers for what is said of them. `stated`: what is known of some of its numbers. `found`: where the patient
   * was looked for before.
   */
  async ensurePatient(
    transaction: TenantTransaction,
    patientId: string,
    stated: readonly Identifier[] = [],
    found?: FoundResources,
  ): Promise<void> {
    await this.ensureOrganization(transaction);
    const make = async (): Promise<Patient> => {
      const patient = await this.patients.find(transaction, patientId);
      return toPatient(patient ?? { ...transaction.tenant, id: patientId, identifiers: [], mergedInto: null }, stated);
    };
    await this.resources.ensure<Patient>(transaction, 'Patient', patientId, make, found?.of('Patient', patientId));
  }

  async ensureOrganization(transaction: TenantTransaction): Promise<void> {
    const { tenant } = transaction;
    const key = `${tenant.organizationId} ${tenant.environment}`;
    if (this.shown.has(key)) return;
    await this.resources.ensure<Organization>(transaction, 'Organization', tenant.organizationId, async () => {
      const organization = await this.organizations.find(transaction, tenant.organizationId);
      if (organization === null) throw new Error('A tenant without its organization.');
      return toOrganization(organization);
    });
    // Resources are never removed, so this is checked once.
    transaction.afterCommit(() => this.shown.add(key));
  }

  /** `found`: where it was looked for before. */
  async ensureWound(
    transaction: TenantTransaction,
    woundId: string,
    patientId: string,
    found: FoundResources,
  ): Promise<void> {
    const make = async (): Promise<BodyStructure> => {
      const wound = await this.wounds.find(transaction, woundId);
      if (wound === null) throw new Error('A report without its wound.');
      return toBodyStructure(wound, patientId, this.settings.fhir.snomed);
    };
    const known = found.of<BodyStructure>('BodyStructure', woundId);
    await this.resources.ensure<BodyStructure>(transaction, 'BodyStructure', woundId, make, known);
    // What was done to it before it was shown.
    if (known === null) await this.events.project(transaction, woundId);
  }
}
