import type { HeldRights, Role } from '../tenancy/roles.js';
import { SuturaError } from '../errors/sutura-error.js';
import { EhrRegistry } from './ehr-registry.js';
import type { EhrRegister } from './ehr.register.js';
import type { Ehr } from './ehr.js';
import type { StatedEhr } from './stated-ehr.js';

const TENANT = { organizationId: 'o-1', environment: 'test' } as const;
const BASE: StatedEhr = {
  name: 'EHR',
  fhirBaseUrl: 'https://ehr.example/fhir',
  patientSystem: 'https://h.example/mrn',
};
const as = (role: Role, organizationId = 'o-1'): HeldRights => ({
  isInstallationAdmin: false,
  roles: [{ organizationId, role }],
});

class MemoryRegister implements EhrRegister {
  readonly rows = new Map<string, Ehr>();
  find = (organizationId: string, id: string) => {
    const row = this.rows.get(id);
    return Promise.resolve(row?.organizationId === organizationId ? row : null);
  };
  registered = this.find;
  byFhirBaseUrl = () => Promise.resolve(null);
  byCdsIssuer = () => Promise.resolve(null);
  list = () => Promise.resolve([...this.rows.values()]);
  pushing = () => Promise.resolve([...this.rows.values()]);
  add = (ehr: Ehr) => Promise.resolve(void this.rows.set(ehr.id, ehr));
  change = (_organizationId: string, id: string, change: (present: Ehr) => object) => {
    const changed = { ...this.rows.get(id)!, ...change(this.rows.get(id)!) } as Ehr;
    this.rows.set(id, changed);
    return Promise.resolve(changed);
  };
  remove = (_organizationId: string, id: string) => Promise.resolve(this.rows.delete(id));
}

describe('who registers an EHR', () => {
  let register: MemoryRegister;
  let asked: string[];
  let closed: string[];
  let registry: EhrRegistry;

  beforeEach(() => {
    register = new MemoryRegister();
    [asked, closed] = [[], []];
    registry = new EhrRegistry({
      ehrs: register,
      ids: { next: () => `e-${register.rows.size + 1}` },
      clock: { now: () => new Date('2026-11-30T08:00:00Z') },
      pushRules: { faultsOf: () => [] },
      addresses: {
        mayCall: (address) => {
          asked.push(address);
          return Promise.resolve(!closed.includes(address));
        },
      },
    });
  });

  const codeOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'done',
      (fault: unknown) => (fault instanceof SuturaError ? fault.code : 'other'),
    );

  it('is an admin of that organization: neither an integrator nor an admin of another', async () => {
    for (const giver of [as('viewer'), as('reviewer'), as('integrator'), as('admin', 'o-2')])
      expect(await codeOf(registry.create(TENANT, BASE, giver))).toBe('auth.role');
    expect(register.rows.size).toBe(0);
    expect(asked).toEqual([]);
    expect(await codeOf(registry.create(TENANT, BASE, as('admin')))).toBe('done');
  });

  it('lets an integrator change name and push, and nothing that says who is let in or where secrets go', async () => {
    const { id } = await registry.create(TENANT, BASE);
    const change = (stated: StatedEhr, giver: HeldRights) => codeOf(registry.change('o-1', id, stated, giver));
    for (const stated of [
      { launch: { clientId: 'a' } },
      { launch: null },
      { cds: { enabled: false } },
      { origins: ['https://evil.example'] },
      { fhirBaseUrl: 'https://evil.example' },
      { patientSystem: 'https://evil.example' },
      { frameAncestors: ['https://evil.example'] },
      { push: { enabled: true }, cds: null },
    ] as const)
      expect([stated, await change(stated, as('integrator'))]).toEqual([stated, 'auth.role']);
    expect(await change({ name: 'EHR North', push: { enabled: true } }, as('integrator'))).toBe('done');
    expect(await change({ launch: { clientId: 'a' } }, as('admin'))).toBe('done');
    expect(register.rows.get(id)).toMatchObject({
      name: 'EHR North',
      push: { enabled: true },
      launch: { clientId: 'a' },
    });
  });

  it('is refused an address in a network that is not opened, whichever address it is', async () => {
    const cds = { enabled: true, issuer: 'i', jwksUrl: 'https://keys.example/jwks' };
    const whole = { ...BASE, origins: ['https://keys.example'], cds };
    for (const address of [BASE.fhirBaseUrl!, 'https://keys.example', cds.jwksUrl]) {
      closed = [address];
      expect([address, await codeOf(registry.create(TENANT, whole))]).toEqual([address, 'ehr.address_refused']);
    }
  });

  it('is not hindered in other changes by a network that was closed since', async () => {
    const { id } = await registry.create(TENANT, BASE);
    closed = [BASE.fhirBaseUrl!];
    expect(await codeOf(registry.change('o-1', id, { name: 'EHR North' }))).toBe('done');
    expect(await codeOf(registry.change('o-1', id, { origins: [...closed, 'https://x.example'] }))).toBe(
      'request.invalid',
    );
  });

  it('finds no other organization’s', async () => {
    const { id } = await registry.create(TENANT, BASE);
    expect(await codeOf(registry.find('o-2', id))).toBe('ehr.not_found');
    expect(await codeOf(registry.change('o-2', id, { name: 'x' }))).toBe('ehr.not_found');
    expect(await codeOf(registry.remove('o-2', id))).toBe('ehr.not_found');
    expect(register.rows.size).toBe(1);
  });

  it('has results filed from the test environment alone, whether they are switched on at once or later', async () => {
    const live = { ...TENANT, environment: 'live' } as const;
    const push = { enabled: true, dialect: 'us-core-note', auth: 'none', send: ['pdf'] } as const;
    const refused = { code: 'request.invalid', facts: { errors: [{ pointer: '/push/enabled' }] } };
    await expect(registry.create(live, { ...BASE, push })).rejects.toMatchObject(refused);
    const { id } = await registry.create(live, { ...BASE, push: { ...push, enabled: false } });
    await expect(registry.change('o-1', id, { push: { enabled: true } })).rejects.toMatchObject(refused);
    expect((await registry.create(TENANT, { ...BASE, push })).push?.enabled).toBe(true);
  });
});
