import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../core/audit/audit-trail.js';
import { fhirBaseOf } from '../../core/ehrs/ehr-addresses.js';
import type { ChartPatient } from '../../core/ehrs/chart-identity.js';
import { ChartPatients, type IdentifiedPatient } from '../../core/ehrs/chart-patients.js';
import { isGrave, WoundsToTell, type WoundToTell } from '../../core/ehrs/wounds-to-tell.js';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { IdSource } from '../../core/ports/id-source.js';
import { UnitOfWork, type TenantTransaction } from '../../core/ports/unit-of-work.js';
import type { Caller, RequestOrigin } from '../../core/tenancy/api-key.js';
import { readPerson } from '../../core/tenancy/person.js';
import { tenantOf } from '../../core/tenancy/tenant.js';
import { EHR_PATIENT, toChartPatient } from '../../ehrs/index.js';
import { PublicAddress } from '../../platform/http/public-address.js';
import { tellWoundCard } from '../../reports/index.js';
import type { CdsEhr } from './cds-callers.js';
import type { CdsCall } from './cds.schema.js';
import type { CdsService } from './cds-services.js';

/** Card of CDS Hooks 2.0. */
export interface CdsCard {
  readonly uuid: string;
  readonly summary: string;
  readonly detail: string;
  readonly indicator: 'info' | 'warning';
  readonly source: { readonly label: string; readonly url: string };
  readonly links?: readonly {
    readonly label: string;
    readonly url: string;
    readonly type: 'smart';
    readonly appContext: string;
  }[];
}

/** The cards of one moment of care: one for each wound of which there is something to say. */
@Injectable()
export class CdsCards {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly patients: ChartPatients,
    private readonly wounds: WoundsToTell,
    private readonly trail: AuditTrail,
    private readonly ids: IdSource,
    private readonly address: PublicAddress,
  ) {}

  /** `cds.server`, `cds.patient`. None for a patient whom nobody knows here, and none for whoever is no clinician. */
  async cardsOf(ehr: CdsEhr, service: CdsService, call: CdsCall, origin: RequestOrigin): Promise<readonly CdsCard[]> {
    if (call.fhirServer !== undefined && fhirBaseOf(call.fhirServer) !== ehr.fhirBaseUrl)
      throw new SuturaError('cds.server');
    const stated = patientOf(call);
    // Cards are for those who treat. A patient's own portal asks by the same service.
    if (!isClinician(call.context.userId)) return [];
    return this.unitOfWork.inTenant(tenantOf(ehr), async (transaction) => {
      const patientId = patientIdOf(await this.patients.identify(transaction, ehr, stated));
      if (patientId === null) return [];
      const told = await this.wounds.read(transaction, patientId, service.moment);
      const cards = told.map((one) => this.cardOf(ehr, one));
      await this.record(transaction, callerOf(ehr, call, origin), service, patientId, told, cards);
      return cards;
    });
  }

  private cardOf(ehr: CdsEhr, told: WoundToTell): CdsCard {
    const { summary, detail, openLabel } = tellWoundCard(told, ehr.cds.language);
    return {
      uuid: this.ids.next(),
      summary,
      detail,
      indicator: isGrave(told) ? 'warning' : 'info',
      source: { label: 'Sutura', url: this.address.url },
      ...(ehr.launch === null
        ? {}
        : {
            links: [{ label: openLabel, url: `${this.address.url}/launch`, type: 'smart', appContext: told.wound.id }],
          }),
    };
  }

  /** Before anything is answered, and of a patient without a card too: it was looked at. */
  private record(
    transaction: TenantTransaction,
    caller: Caller,
    { id }: CdsService,
    patientId: string,
    told: readonly WoundToTell[],
    cards: readonly CdsCard[],
  ): Promise<void> {
    return this.trail.record(transaction, caller, {
      door: 'ehr',
      interaction: '$cds-hook',
      action: 'R',
      patients: [patientId],
      resources: told.map(({ wound }) => `BodyStructure/${wound.id}`),
      query: `service=${id}&cards=${cards.map(({ uuid }) => uuid).join(',')}`,
    });
  }
}

/** Who asks, as the trail has it: the registration, and the person whom the EHR names. */
export function callerOf(ehr: CdsEhr, call: Pick<CdsCall, 'context'> | null, origin: RequestOrigin): Caller {
  const person = call === null ? null : readPerson(call.context.userId);
  return {
    ...tenantOf(ehr),
    keyId: ehr.id,
    scopes: [],
    origin,
    ...(person === null ? {} : { person }),
  };
}

/** The Patient of the context. `cds.patient` where another was sent, or none. */
function patientOf({ prefetch, context }: CdsCall): ChartPatient {
  const patient = EHR_PATIENT.safeParse(prefetch?.patient).data;
  if (patient === undefined) throw new SuturaError('cds.patient');
  if (patient.id !== context.patientId)
    throw new SuturaError('cds.patient', { detail: 'The prefetched Patient is not the one of the context.' });
  return toChartPatient(patient);
}

/** null: nobody knows them here. `cds.patient` where it is in doubt who is meant. */
function patientIdOf(patient: IdentifiedPatient): string | null {
  switch (patient.kind) {
    case 'one':
      return patient.patientId;
    case 'nobody':
      return null;
    case 'unstated':
      throw new SuturaError('cds.patient');
    case 'several':
      throw new SuturaError('cds.patient', {
        detail:
          'The number is of more than one record here. Say whether their systems are one authority ("authorities").',
      });
    case 'differs':
      throw new SuturaError('cds.patient', {
        detail: 'The patient here with this number has another birth date. Have both records looked at.',
      });
    case 'doubtful':
      throw new SuturaError('cds.patient', {
        detail: 'birthDate of the prefetched Patient cannot be read: it is 1951-07-14, 1951-07 or 1951.',
      });
  }
}

/** `userId` refers to a resource of the EHR. As for launches: whoever is neither, such as the patient or a relative, is told nothing. */
function isClinician(userId: string): boolean {
  return /(?:^|\/)(?:Practitioner|PractitionerRole)\/[^/]+(?:\/_history\/[^/]+)?$/.test(userId);
}
