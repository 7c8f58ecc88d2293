import type { CapabilityStatementRestResource } from '@medplum/fhirtypes';
import { CORE_DEFINITIONS } from '../../../standards/fhir/types/fhir-release.js';
import { AUDIT_EVENT_PARAMETERS } from './audit-event-question.js';

const PARAMETER = 'http://hl7.org/fhir/SearchParameter';
const KINDS: Readonly<Record<string, readonly [definition: string, type: 'token' | 'date' | 'reference']>> = {
  _id: ['Resource-id', 'token'],
  date: ['AuditEvent-date', 'date'],
  patient: ['AuditEvent-patient', 'reference'],
  agent: ['AuditEvent-agent', 'reference'],
  entity: ['AuditEvent-entity', 'reference'],
  action: ['AuditEvent-action', 'token'],
  outcome: ['AuditEvent-outcome', 'token'],
  type: ['AuditEvent-type', 'token'],
  subtype: ['AuditEvent-subtype', 'token'],
};

/** AuditEvent in the CapabilityStatement. */
export const AUDIT_EVENT_CAPABILITIES: CapabilityStatementRestResource = {
  type: 'AuditEvent',
  profile: `${CORE_DEFINITIONS}AuditEvent`,
  documentation:
    'Who saw and changed what, for keys with the scope audit:read and tokens with system/AuditEvent, which system/* does not include. In the form of IHE BALP 1.1. Sorted by date. A parameter that is not served is refused. The agent is a key or client by its id, or a person by the identifier that the calling system states: agent:identifier. patient.identifier finds patients by a number.',
  interaction: [{ code: 'read' }, { code: 'search-type' }],
  versioning: 'no-version',
  readHistory: false,
  updateCreate: false,
  conditionalCreate: false,
  conditionalRead: 'not-supported',
  conditionalUpdate: false,
  conditionalDelete: 'not-supported',
  searchParam: AUDIT_EVENT_PARAMETERS.flatMap((name) => {
    const [definition, type] = KINDS[name] ?? [];
    // Chains and modifiers are no parameters of their own.
    return definition === undefined ? [] : [{ name, definition: `${PARAMETER}/${definition}`, type: type! }];
  }),
};
