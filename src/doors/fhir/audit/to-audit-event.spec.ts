import type { AuditRecord } from '../../../core/audit/access.js';
import { ProfileLibrary } from '../../../standards/fhir/profiles/profile-library.js';
import { R4Definitions } from '../../../standards/fhir/definitions/r4-definitions.js';
import { ResourceValidator } from '../../../standards/fhir/validation/resource-validator.js';
import { toAuditEvent } from './to-audit-event.js';

const definitions = new R4Definitions();
const validator = new ResourceValidator(definitions, new ProfileLibrary(definitions));
const SITE = 'https://gateway.example';
const RECORD: AuditRecord = {
  id: '42',
  organizationId: '0199d0a1-0000-7000-8000-000000000001',
  environment: 'live',
  recordedAt: new Date('2026-03-15T08:40:05.001Z'),
  door: 'fhir',
  interaction: 'read',
  action: 'R',
  keyId: '0199c0de-1a00-7b11-8c22-3d4e5f6a7b8c',
  requestId: 'r-1',
  address: '10.20.30.40',
  patientId: '0199d0a1-4a00-7b10-8a01-000000001001',
  resources: ['DiagnosticReport/0199e1c4-e987-7d42-9f22-1d3e4f5a6b02'],
  query: null,
  refusal: null,
  person: null,
};

describe('a row of the trail as AuditEvent', () => {
  it.each<[string, Partial<AuditRecord>]>([
    ['of a read', {}],
    ['of a search', { interaction: 'search-type', resources: [], query: 'code=89260-4' }],
    ['of an operation', { interaction: '$attest', action: 'E' }],
    ['of a transaction', { interaction: 'transaction', action: 'E' }],
    ['of a deletion', { interaction: 'delete', action: 'D' }],
    ['of a person', { person: 'HCP-0042' }],
    ['with next to nothing', { address: null, requestId: null, patientId: null, resources: [] }],
  ])('%s meets R4', (_, change) => {
    expect(validator.validate(toAuditEvent({ ...RECORD, ...change }, SITE))).toEqual({ level: null, issues: [] });
  });

  it('says who by the key’s id, from where, whose data and what', () => {
    expect(toAuditEvent(RECORD, SITE)).toMatchObject({
      action: 'R',
      subtype: [{ code: 'read' }],
      recorded: '2026-03-15T08:40:05.001Z',
      agent: [
        {
          who: { identifier: { value: RECORD.keyId } },
          requestor: true,
          network: { address: '10.20.30.40', type: '2' },
        },
        { type: { coding: [{ code: '110152' }] }, who: { identifier: { value: SITE } }, requestor: false },
      ],
      entity: [
        { what: { reference: `Patient/${RECORD.patientId!}` } },
        { what: { reference: RECORD.resources[0] }, role: { code: '4' } },
        { what: { identifier: { value: 'r-1' } } },
      ],
    });
  });

  it('names the person behind the request before the key that they used', () => {
    expect(toAuditEvent({ ...RECORD, person: 'Zoë 42' }, SITE).agent).toMatchObject([
      { type: { coding: [{ code: 'humanuser' }] }, who: { identifier: { value: 'Zoë 42' } }, requestor: true },
      { who: { identifier: { value: RECORD.keyId } }, requestor: false },
      { type: { coding: [{ code: '110152' }] }, requestor: false },
    ]);
  });

  it('has a search as an execution, which the trail has as a read', () => {
    expect(toAuditEvent({ ...RECORD, interaction: 'search-type' }, SITE).action).toBe('E');
  });

  it('keeps a query as base64', () => {
    const { entity } = toAuditEvent(
      { ...RECORD, interaction: 'search-type', resources: [], query: 'patient=p1&code=ä' },
      SITE,
    );
    expect(Buffer.from(entity!.find(({ query }) => query !== undefined)!.query!, 'base64').toString()).toBe(
      'patient=p1&code=ä',
    );
  });
});
