import type { Resource } from '@medplum/fhirtypes';
import type { Access } from '../../../core/audit/access.js';
import { AuditTrail, type CallerAccess } from '../../../core/audit/audit-trail.js';
import type { TenantTransaction, Transaction } from '../../../core/ports/unit-of-work.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { FhirAudit, patientsOf } from './fhir-audit.js';

class MemoryTrail extends AuditTrail {
  readonly written: { caller: Caller; access: Access }[] = [];
  recordAll(_: Transaction, accesses: readonly CallerAccess[]): Promise<void> {
    this.written.push(...accesses);
    return Promise.resolve();
  }
  recordNow(caller: Caller, access: Access): Promise<void> {
    return this.record({} as Transaction, caller, access);
  }
}

const caller: Caller = {
  organizationId: 'o',
  environment: 'test',
  keyId: 'k',
  scopes: [],
  origin: { requestId: 'http-1', address: '10.0.0.1' },
};
const call = { transaction: {} as TenantTransaction, caller, requestId: 'r-1' };
const area = { resourceType: 'Observation', id: 'a1', subject: { reference: 'Patient/p1' } } as Resource;
const task = { resourceType: 'Task', id: 't1', for: { reference: 'Patient/p2/_history/3' } } as Resource;
const device = { resourceType: 'Device', id: 'd1' } as Resource;

describe('the audit of the FHIR door', () => {
  it('finds nobody behind what is about nobody, nor behind a reference to a stranger’s server', () => {
    expect(patientsOf(device)).toEqual([]);
    expect(
      patientsOf({
        resourceType: 'Observation',
        subject: { reference: 'https://other.example/Patient/p1' },
      } as Resource),
    ).toEqual([]);
  });

  it('finds whom a resource is about, whatever its element is called', () => {
    expect(
      [area, task, { resourceType: 'BodyStructure', patient: { reference: 'Patient/p3' } } as Resource].map(patientsOf),
    ).toEqual([['p1'], ['p2'], ['p3']]);
    expect(
      patientsOf({
        resourceType: 'Bundle',
        type: 'searchset',
        entry: [{ resource: area }, { resource: { resourceType: 'Patient', id: 'p9' } }],
      } as Resource),
    ).toEqual(['p1', 'p9']);
  });

  it('names resources and patients once, with the address and the request', async () => {
    const trail = new MemoryTrail();
    await new FhirAudit(trail).record(call, 'read', { resources: [area, area, device], references: ['Binary/b1'] });
    expect(trail.written).toEqual([
      {
        caller: { ...caller, origin: { requestId: 'r-1', address: '10.0.0.1' } },
        access: {
          door: 'fhir',
          interaction: 'read',
          action: 'R',
          patients: ['p1'],
          resources: ['Observation/a1', 'Device/d1', 'Binary/b1'],
        },
      },
    ]);
  });

  it('keeps of a search what was asked and whose data was shown, not each row', async () => {
    const trail = new MemoryTrail();
    await new FhirAudit(trail).record(call, 'search-type', { resources: [area, task], query: 'code=89260-4' });
    expect(trail.written[0]?.access).toMatchObject({
      interaction: 'search-type',
      patients: ['p1', 'p2'],
      resources: [],
      query: 'code=89260-4',
    });
  });

  it('takes an operation for something done', async () => {
    const trail = new MemoryTrail();
    await new FhirAudit(trail).record(call, '$attest', { resources: [area] });
    expect(trail.written[0]?.access).toMatchObject({ interaction: '$attest', action: 'E' });
  });
});
