import { Injectable } from '@nestjs/common';
import type {
  Encounter,
  Identifier,
  Media,
  Organization,
  Patient,
  Practitioner,
  Reference,
  Resource,
  ServiceRequest,
} from '@medplum/fhirtypes';
import { OrganizationRepository } from '../../../core/organizations/organization.repository.js';
import { identifyingNumbers } from '../../../core/patients/patient-numbers.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { ReportHeadings, type HeadingSubject, type ReportHeading } from '../../../core/report/report-heading.js';
import { Settings } from '../../../platform/config/settings.js';
import { HeadingResources } from '../../../standards/fhir/store/heading-resources.js';
import { patientNameOf, professionalNameOf } from '../intake/person-name.js';

const MOST_CHARACTERS = 120;

/** Headings from the resources of clients, of which HL7 v2 messages are some; they say nothing beyond what was sent. */
@Injectable()
export class FhirReportHeadings extends ReportHeadings {
  constructor(
    private readonly resources: HeadingResources,
    private readonly organizations: OrganizationRepository,
    private readonly settings: Settings,
  ) {
    super();
  }

  async of(transaction: TenantTransaction, subject: HeadingSubject): Promise<ReportHeading> {
    const organization = await this.organizations.find(transaction, transaction.tenant.organizationId);
    const around = new Surroundings(await this.resources.of(transaction, subject), subject.patientId);
    return {
      patientName: joined(patientNameOf(around.patient?.name) ?? undefined),
      birthDate: around.patient?.birthDate ?? null,
      patientNumber: numberOf(subject, around.patient),
      facility: joined(around.serviceProvider ?? organization?.name, around.location),
      orderer: around.requester,
      timeZone: organization?.timeZone ?? this.settings.process.timeZone,
    };
  }
}

/** The resources around a report, each of them only where it is this patient's and stands. */
class Surroundings {
  readonly patient: Patient | undefined;
  private readonly order: ServiceRequest | undefined;
  private readonly visit: Encounter | undefined;

  constructor(
    private readonly resources: readonly Resource[],
    patientId: string | null,
  ) {
    const subject = `Patient/${patientId ?? ''}`;
    // A photo of the wrong patient had another's order and visit.
    const isOurs = <T extends ServiceRequest | Encounter | Media>(one: T | undefined): one is T =>
      one?.subject?.reference === subject && one.status !== 'entered-in-error';
    const [order, photo] = [this.first<ServiceRequest>('ServiceRequest'), this.first<Media>('Media')];
    this.patient = patientId === null ? undefined : this.first<Patient>('Patient', patientId);
    this.order = isOurs(order) ? order : undefined;
    const visit = this.at<Encounter>((this.order ?? (isOurs(photo) ? photo : undefined))?.encounter);
    this.visit = isOurs(visit) ? visit : undefined;
  }

  get requester(): string | null {
    const { requester } = this.order ?? {};
    const person = this.at<Practitioner | Organization>(requester);
    const name =
      person?.resourceType === 'Practitioner'
        ? professionalNameOf(person.name)
        : person?.resourceType === 'Organization'
          ? person.name
          : undefined;
    return joined(requester?.display ?? name ?? undefined);
  }

  get serviceProvider(): string | undefined {
    const { serviceProvider } = this.visit ?? {};
    return serviceProvider?.display ?? this.at<Organization>(serviceProvider)?.name;
  }

  get location(): string | undefined {
    const places = this.visit?.location ?? [];
    const present =
      places.find(({ status }) => status === 'active') ?? places.find(({ status }) => status !== 'completed');
    return present?.location.display ?? this.order?.locationReference?.[0]?.display;
  }

  private at<T extends Resource>(reference: Reference | undefined): T | undefined {
    const [type = '', id = ''] = reference?.reference?.split('/') ?? [];
    if (type.startsWith('#')) return this.order?.contained?.find((one) => one.id === type.slice(1)) as T | undefined;
    return this.first<T>(type as T['resourceType'], id);
  }

  private first<T extends Resource>(type: T['resourceType'], id?: string): T | undefined {
    return this.resources.find((one) => one.resourceType === type && (id === undefined || one.id === id)) as
      | T
      | undefined;
  }
}

/** The number that the wound is filed under as long as it is the patient's; where it was corrected, the one that stands now. */
function numberOf({ patient: filed }: HeadingSubject, patient: Patient | undefined): string | null {
  const listed = patient?.identifier ?? [];
  const number =
    listed.find(({ system = '', value, use }) => use !== 'old' && system === filed?.system && value === filed.value) ??
    identifyingNumbers(listed)[0];
  return joined(number === undefined ? filed?.value : written(number));
}

/** With its authority by the sender's name; else with its type, where that is not simply the record's. */
function written({ value = '', assigner, type }: Identifier): string {
  const code = type?.coding?.find((coding) => coding.code !== undefined)?.code;
  const authority = assigner?.display ?? (code === 'MR' ? undefined : code);
  return authority === undefined ? value : `${value} (${authority})`;
}

/** In one line of a head; more than that is no name. null where nothing is left. */
function joined(...parts: readonly (string | undefined)[]): string | null {
  const characters = [...parts.flatMap((part) => part?.trim().replace(/\s+/g, ' ') || []).join(', ')];
  if (characters.length === 0) return null;
  return characters.length <= MOST_CHARACTERS
    ? characters.join('')
    : `${characters.slice(0, MOST_CHARACTERS).join('')}…`;
}
