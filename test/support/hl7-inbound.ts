import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BodyStructure, BundleEntry, Identifier, Observation, Resource, ResourceType } from '@medplum/fhirtypes';
import { decodeMessage } from '../../src/standards/hl7v2/er7/decode-message.js';
import { applicationCodeOf, type ApplicationCode } from '../../src/doors/hl7v2/ack/acknowledgment-code.js';
import { receiptProblems } from '../../src/doors/hl7v2/mapping/header-check.js';
import { InboundMapper } from '../../src/doors/hl7v2/mapping/inbound-mapper.js';
import type { InboundPlan } from '../../src/doors/hl7v2/mapping/plan/inbound-plan.js';
import type { EarlierHandling } from '../../src/doors/hl7v2/mapping/reading/earlier-handling.js';
import { UNSETTLED } from '../../src/doors/hl7v2/mapping/reading/message-reading.js';
import { NO_CODE_MAPS } from '../../src/doors/hl7v2/mapping/reading/mapped-fields.js';
import type { Hl7Source } from '../../src/doors/hl7v2/mapping/reading/hl7-source.js';
import type { FiledPhoto, RecordLookups, StatedFinding } from '../../src/standards/hl7v2/records/clinical-records.js';
import type { Hl7Problem } from '../../src/standards/hl7v2/problems/hl7-problem.js';

const FIXTURES = resolve(__dirname, '../fixtures/hl7');
/** The smallest files that say of themselves what they are; whoever decodes them draws his own. */
export const HL7_FILES: Readonly<Record<string, Buffer>> = {
  jpeg: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46, 0x49, 0x46]),
  png: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]),
  pdf: Buffer.from('%PDF-1.4\n%%EOF'),
};

/** A source that takes everything. */
export function hl7SourceOf(changes: Partial<Hl7Source> = {}): Hl7Source {
  return {
    organizationId: '0199e1c4-7a10-7b3e-9c55-2f6d0a1b2c3d',
    environment: 'test',
    id: '0199e1c4-7a10-7b3e-9c55-2f6d0a1b2c3e',
    name: 'ward',
    timeZone: 'Europe/Berlin',
    characterSet: null,
    processingIds: ['T', 'D'],
    acknowledgment: 'auto',
    woundIdSystem: null,
    woundKey: 'optional',
    woundNumberField: null,
    accessionField: null,
    accessionSystem: null,
    autoAnalyze: false,
    analysisCodes: [],
    quotaPolicy: 'hold',
    typedOrderResponse: false,
    storeDemographics: true,
    unknownPatient: 'create',
    onConflict: 'hold',
    reusedControlId: 'reject',
    receivingApplications: [],
    senders: [],
    acceptedMessages: [],
    patientAuthorities: [],
    lenientVersion: false,
    systems: {},
    bareNumbers: {},
    sexCodes: {},
    codes: NO_CODE_MAPS,
    nakUnparsable: false,
    returnDestinationId: null,
    deferredOnSameConnection: false,
    ...changes,
  } as Hl7Source;
}

/** Records that are there already. */
export class KnownRecords implements RecordLookups {
  constructor(
    private readonly resources: readonly Resource[] = [],
    private readonly fulfilledOrders: readonly string[] = [],
  ) {}

  waitsForPhoto(_tenant: unknown, orderId: string): Promise<boolean> {
    return Promise.resolve(!this.fulfilledOrders.includes(orderId));
  }

  standingOf(): Promise<null> {
    return Promise.resolve(null);
  }

  filedPhotos(): Promise<readonly FiledPhoto[]> {
    return Promise.resolve([]);
  }

  async woundOf(
    tenant: unknown,
    patient: string,
    number: { system: string; value: string },
  ): Promise<BodyStructure | null> {
    const found = await this.findByIdentifier<BodyStructure>(tenant, 'BodyStructure', [number]);
    return found.find((wound) => wound.patient.reference === patient) ?? null;
  }

  findingsSince(_tenant: unknown, _of: StatedFinding): Promise<readonly Observation[] | 'too_many'> {
    return Promise.resolve([]);
  }

  photoOfOrder(): Promise<string | null> {
    return Promise.resolve(null);
  }

  findByIdentifier<T extends Resource>(
    _tenant: unknown,
    type: ResourceType,
    wanted: readonly { readonly system: string; readonly value: string }[],
  ): Promise<T[]> {
    const found = this.resources.filter(
      (resource) =>
        resource.resourceType === type &&
        identifiersOf(resource).some(({ system = '', value }) =>
          wanted.some((one) => one.system === system && one.value === value),
        ),
    );
    return Promise.resolve(structuredClone(found) as T[]);
  }

  read<T extends Resource>(_tenant: unknown, type: ResourceType, id: string): Promise<T | null> {
    return Promise.resolve(
      (structuredClone(this.resources.find((resource) => resource.resourceType === type && resource.id === id)) as
        | T
        | undefined) ?? null,
    );
  }
}

/** The sample messages by their path below the folder, `2.5.1/omg-o19-photo`. */
export function hl7SampleNames(): string[] {
  return readdirSync(FIXTURES).flatMap((version) =>
    readdirSync(join(FIXTURES, version)).map((name) => `${version}/${name.replace(/\.hl7$/, '')}`),
  );
}

/** A sample as it comes over the wire, its files filled in, with pieces of its text replaced. */
export function hl7Sample(name: string, ...changes: readonly (readonly [from: string, to: string])[]): Buffer {
  const text = readFileSync(join(FIXTURES, `${name}.hl7`), 'utf8').replaceAll(
    /\{(jpeg|png|pdf)\}/g,
    (_, kind: string) => HL7_FILES[kind]!.toString('base64'),
  );
  const changed = changes.reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`The sample ${name} does not say ${JSON.stringify(from)}.`);
    return before.replaceAll(from, to);
  }, text);
  return Buffer.from(changed, changed.includes('8859/1') ? 'latin1' : 'utf8');
}

export interface Judged {
  readonly plan: InboundPlan;
  /** MSA-1 of original mode, as far as the message itself decides it. */
  readonly code: ApplicationCode;
  readonly problems: readonly Hl7Problem[];
}

/** From bytes to the plan, in the order in which the door does it. */
export async function judgeHl7(
  bytes: Uint8Array,
  source: Hl7Source = hl7SourceOf(),
  records: RecordLookups = new KnownRecords(),
  earlier: EarlierHandling | null = null,
): Promise<Judged> {
  const decoded = decodeMessage(bytes, { characterSet: source.characterSet });
  const nothing: InboundPlan = {
    bundle: null,
    places: [],
    joins: [],
    waitingOrders: [],
    newPhotos: [],
    newOrders: [],
    conflicts: [],
    problems: [],
    orders: [],
  };
  if (decoded.kind === 'undecodable') return { plan: nothing, code: decoded.outcome, problems: [decoded.problem] };
  const atReceipt = receiptProblems(decoded.message, decoded.header, source);
  if (atReceipt.length > 0) return { plan: nothing, code: applicationCodeOf(atReceipt), problems: atReceipt };
  const plan = await new InboundMapper().plan(decoded.message, decoded.header, source, records, UNSETTLED, earlier);
  const problems = [...decoded.warnings, ...plan.problems];
  return { plan, code: applicationCodeOf(problems), problems };
}

/** The entries of a plan that are of a type. */
export function plannedOf<T extends Resource>(
  plan: InboundPlan,
  type: T['resourceType'],
): (BundleEntry & { readonly resource: T })[] {
  return (plan.bundle?.entry ?? []).filter(({ resource }) => resource?.resourceType === type) as (BundleEntry & {
    readonly resource: T;
  })[];
}

/** `OBX^1^5^1^5`, as ERR-2 writes a place. */
export function writtenPlace({ place }: Hl7Problem): string {
  if (place === null) return '';
  const { segment, sequence, field, repetition, component } = place;
  return [segment, sequence, field, field === undefined ? undefined : (repetition ?? 1), component]
    .filter((part) => part !== undefined)
    .join('^');
}

function identifiersOf(resource: Resource): Identifier[] {
  const { identifier, masterIdentifier } = resource as { identifier?: Identifier[]; masterIdentifier?: Identifier };
  return [...(identifier ?? []), ...(masterIdentifier === undefined ? [] : [masterIdentifier])];
}
