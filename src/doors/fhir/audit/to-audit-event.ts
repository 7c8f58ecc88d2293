import type { AuditEvent, AuditEventEntity } from '@medplum/fhirtypes';
import type { AuditRecord } from '../../../core/audit/access.js';
import { identifierSystem } from '../../../reports/index.js';

const DICOM = 'http://dicom.nema.org/resources/ontology/DCM';
const AUDIT_EVENT_TYPE = 'http://terminology.hl7.org/CodeSystem/audit-event-type';
const SECURITY_ROLE = 'http://terminology.hl7.org/CodeSystem/extra-security-role-type';
const INTERACTION = 'http://hl7.org/fhir/restful-interaction';
const ENTITY_TYPE = 'http://terminology.hl7.org/CodeSystem/audit-entity-type';
const ROLE = 'http://terminology.hl7.org/CodeSystem/object-role';

/** Systems of codes that AuditEvents are searched by. */
export const AUDIT_EVENT_CODES = {
  type: AUDIT_EVENT_TYPE,
  interaction: INTERACTION,
  action: 'http://hl7.org/fhir/audit-event-action',
  outcome: 'http://hl7.org/fhir/audit-event-outcome',
} as const;

/** A search is an execution (BALP, "Query"); the trail has it as a read. */
export const SEARCH_ACTION = 'E';

/** R4 restful-interaction has codes for these; anything else is an operation. */
export const INTERACTIONS: readonly string[] = [
  'read',
  'vread',
  'history-instance',
  'history-type',
  'history-system',
  'search-type',
  'create',
  'update',
  'patch',
  'delete',
  'transaction',
  'batch',
];

/** The number of the row that an AuditEvent of this id is made of; null: there can be none. */
export function idOfRow(id: string): string | null {
  return /^audit-([1-9]\d{0,17})$/.exec(id)?.[1] ?? null;
}

/** A row of the audit trail as R4 has it, in the form of IHE's Basic Audit Log Patterns (BALP). `site`: the address of this installation. */
export function toAuditEvent(record: AuditRecord, site: string): AuditEvent {
  const { interaction, address, person } = record;
  const known = INTERACTIONS.includes(interaction);
  return {
    resourceType: 'AuditEvent',
    id: `audit-${record.id}`,
    type: { system: AUDIT_EVENT_TYPE, code: 'rest', display: 'RESTful Operation' },
    subtype: [
      { system: INTERACTION, code: known ? interaction : 'operation', ...(known ? {} : { display: interaction }) },
    ],
    action: interaction === 'search-type' ? SEARCH_ACTION : record.action,
    recorded: record.recordedAt.toISOString(),
    ...outcomeOf(record),
    agent: [
      ...personAgent(person),
      {
        type: { coding: [{ system: DICOM, code: '110153', display: 'Source Role ID' }] },
        who: { identifier: { system: identifierSystem('api-key'), value: record.keyId } },
        requestor: person === null,
        ...(address === null || address === '' ? {} : { network: { address, type: '2' } }),
      },
      {
        type: { coding: [{ system: DICOM, code: '110152', display: 'Destination Role ID' }] },
        who: { identifier: { value: site }, display: 'Sutura' },
        requestor: false,
      },
    ],
    source: {
      site,
      observer: { type: 'Device', identifier: { value: site }, display: 'Sutura' },
      type: [
        {
          system: 'http://terminology.hl7.org/CodeSystem/security-source-type',
          code: '4',
          display: 'Application Server',
        },
      ],
    },
    ...entitiesOf(record),
  } as AuditEvent;
}

/** The person behind the request is its initiator, of whom there can be but one; the key is what they used. */
function personAgent(person: string | null): object[] {
  if (person === null) return [];
  const type = { coding: [{ system: SECURITY_ROLE, code: 'humanuser', display: 'human user' }] };
  return [{ type, who: { identifier: { value: person } }, requestor: true }];
}

/** R4 audit-event-outcome: 4 is an error that the caller can correct. */
function outcomeOf({ refusal }: AuditRecord): Pick<AuditEvent, 'outcome' | 'outcomeDesc'> {
  if (refusal === null) return { outcome: '0' };
  return {
    outcome: '4',
    outcomeDesc: refusal.occurrences === 1 ? refusal.code : `${refusal.code}, ${refusal.occurrences} times`,
  };
}

function entitiesOf({ patientId, resources, query, requestId }: AuditRecord): { entity?: AuditEventEntity[] } {
  const object = { system: ENTITY_TYPE, code: '2', display: 'System Object' };
  const entity: AuditEventEntity[] = [
    ...(patientId === null
      ? []
      : [
          {
            what: { reference: `Patient/${patientId}` },
            type: { system: ENTITY_TYPE, code: '1', display: 'Person' },
            role: { system: ROLE, code: '1', display: 'Patient' },
          },
        ]),
    ...resources.map((reference) => ({
      what: { reference },
      type: object,
      role: { system: ROLE, code: '4', display: 'Domain Resource' },
    })),
    ...(query === null
      ? []
      : [
          {
            type: object,
            role: { system: ROLE, code: '24', display: 'Query' },
            query: Buffer.from(query, 'utf8').toString('base64'),
          },
        ]),
    ...(requestId === null
      ? []
      : [
          {
            what: { identifier: { value: requestId } },
            type: { system: 'https://profiles.ihe.net/ITI/BALP/CodeSystem/BasicAuditEntityType', code: 'XrequestId' },
          },
        ]),
  ];
  return entity.length === 0 ? {} : { entity };
}
