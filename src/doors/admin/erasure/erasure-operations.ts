import { Injectable } from '@nestjs/common';
import { OperatorTrail } from '../../../core/audit/operator-trail.js';
import type { Operator } from '../../../core/tenancy/operator.js';
import { PatientErasure } from '../../../core/erasure/patient-erasure.js';
import { PatientErasureRepository } from '../../../core/erasure/patient-erasure.repository.js';
import type { WantedPatient } from '../../../core/erasure/patient-finder.js';
import { PatientHolds } from '../../../core/erasure/patient-holds.js';
import { TenancyService } from '../../../core/organizations/tenancy.service.js';
import type { ErasureInput, HoldInput, NamedPatient } from './erasure.schema.js';
import { toErasureView, toHoldView, type ErasureView, type HoldView } from './erasure.views.js';

const MOST_LISTED = 1000;

/** PatientErasure and PatientHolds for the admin API and the command line. Both write into the audit trail themselves; the lists are written here. */
@Injectable()
export class ErasureOperations {
  constructor(
    private readonly erasure: PatientErasure,
    private readonly erasures: PatientErasureRepository,
    private readonly holding: PatientHolds,
    private readonly tenancy: TenancyService,
    private readonly trail: OperatorTrail,
  ) {}

  /** Errors: those of PatientErasure. */
  async erase(operator: Operator, organizationId: string, input: ErasureInput): Promise<ErasureView> {
    const wanted = wantedOf(organizationId, input);
    if (input.dryRun === true) {
      const { patientId, counts, leftMessages } = await this.erasure.preview(operator, wanted);
      return {
        erasureId: null,
        organizationId,
        environment: input.environment,
        patientId,
        state: 'dry_run',
        counts,
        leftMessages,
        askedBy: null,
        askedAt: null,
        completedAt: null,
        waitsFor: null,
        seal: null,
      };
    }
    const record = await this.erasure.erase(operator, wanted);
    return toErasureView(record, await this.erasures.sealOf(record.id));
  }

  /** Newest first. `organization.not_found`. */
  async list(operator: Operator, organizationId: string): Promise<ErasureView[]> {
    await this.look(operator, organizationId, '$list-erasures');
    const records = await this.erasures.list(organizationId, MOST_LISTED);
    return Promise.all(records.map(async (record) => toErasureView(record, await this.erasures.sealOf(record.id))));
  }

  async hold(operator: Operator, organizationId: string, input: HoldInput): Promise<HoldView> {
    return toHoldView(await this.holding.place(operator, wantedOf(organizationId, input), input.reason));
  }

  /** The id of the patient. */
  release(operator: Operator, organizationId: string, input: NamedPatient): Promise<string> {
    return this.holding.release(operator, wantedOf(organizationId, input));
  }

  async holds(operator: Operator, organizationId: string): Promise<HoldView[]> {
    await this.look(operator, organizationId, '$list-holds');
    return (await this.holding.list(organizationId)).map(toHoldView);
  }

  /** `organization.not_found`. */
  private async look(operator: Operator, organizationId: string, interaction: string): Promise<void> {
    await this.tenancy.findOrganization(organizationId);
    const resources = [`Organization/${organizationId}`];
    await this.trail.record(operator, { interaction, action: 'R', of: { organizationId }, resources });
  }
}

function wantedOf(organizationId: string, { environment, patient, system }: NamedPatient): WantedPatient {
  return { tenant: { organizationId, environment }, patient, system };
}
