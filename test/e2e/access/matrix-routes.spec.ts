import type { CapabilityStatement } from '@medplum/fhirtypes';
import { routesOfCapabilities, routesOfOperations } from './matrix-routes.js';

const statement = (resource: object, operation: object[] = []) =>
  ({ rest: [{ resource: [resource], operation }] }) as unknown as CapabilityStatement;
const RIGHTS = new Map([['AuditEvent', { read: '`audit:read`', write: '–' }]]);

describe('the matrix of docs/conformance/access.md fails', () => {
  it('for a type that is served and in no row', () => {
    const served = statement({ type: 'Immunization', interaction: [{ code: 'read' }] });
    expect(() => routesOfCapabilities(served, RIGHTS)).toThrow('Immunization read is in no row of access.md.');
  });

  it('for an interaction that it does not know', () => {
    const served = statement({ type: 'AuditEvent', interaction: [{ code: 'purge' }] });
    expect(() => routesOfCapabilities(served, RIGHTS)).toThrow('AuditEvent purge is in no row of access.md.');
  });

  it('for an operation that is served and in no row, of a type or of the system', () => {
    const ofType = statement({ type: 'AuditEvent', operation: [{ name: 'purge' }] });
    expect(() => routesOfOperations(ofType, new Map(), RIGHTS)).toThrow('$purge is in no row of access.md.');
    const ofSystem = statement({ type: 'AuditEvent' }, [{ name: 'export' }]);
    expect(() => routesOfOperations(ofSystem, new Map(), RIGHTS)).toThrow('$export is in no row of access.md.');
  });
});

it('each address of a type asks for the scope of its row', () => {
  const served = statement({ type: 'AuditEvent', interaction: [{ code: 'read' }, { code: 'search-type' }] });
  expect(routesOfCapabilities(served, RIGHTS).map(({ name, oneOf, letter }) => [name, oneOf, letter])).toEqual([
    ['GET /fhir/AuditEvent/{id} (read)', ['audit:read'], 'r'],
    ['GET /fhir/AuditEvent (search-type)', ['audit:read'], 's'],
    ['POST /fhir/AuditEvent/_search (search-type)', ['audit:read'], 's'],
  ]);
});
