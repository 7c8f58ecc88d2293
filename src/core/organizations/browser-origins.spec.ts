import type { Clock } from '../ports/clock.js';
import type { UnitOfWork } from '../ports/unit-of-work.js';
import type { Environment } from '../tenancy/tenant.js';
import { BrowserOrigins, isBrowserOrigin } from './browser-origins.js';
import type { OrganizationRepository } from './organization.repository.js';

const PAGE = 'https://ehr.example.org';
const LOCAL = 'http://localhost:5173';

class Bench {
  nowMs = 0;
  reads = 0;
  fault: Error | null = null;
  rows = [{ id: 'north', browserOrigins: [PAGE, LOCAL] }];
  readonly origins = new BrowserOrigins({
    unitOfWork: { inSystem: (work: (transaction: never) => unknown) => work(null as never) } as unknown as UnitOfWork,
    organizations: {
      listBrowserOrigins: () => {
        this.reads += 1;
        return this.fault === null ? Promise.resolve(this.rows) : Promise.reject(this.fault);
      },
    } as unknown as OrganizationRepository,
    clock: { now: () => new Date(this.nowMs) } as Clock,
  });

  refusal(organizationId: string, origin: string, environment: Environment = 'test'): Promise<unknown> {
    return this.origins.require({ organizationId, environment }, origin).then(
      () => null,
      ({ code }: { code: unknown }) => code,
    );
  }
}

describe('an origin', () => {
  it.each([
    ['*'],
    ['null'],
    ['http://ehr.example.org'],
    ['https://*.example.org'],
    ['https://ehr.example.org/'],
    ['https://EHR.example.org'],
    ['https://ehr.example.org:443'],
    ['https://user@ehr.example.org'],
    ['http://localhost'],
    ['http://localhost:0'],
    ['http://localhost:99999'],
    ['http://localhost.example.org:80'],
    ['http://127.0.0.1:5173'],
  ])('is not %s', (text) => expect(isBrowserOrigin(text)).toBe(false));

  it.each([[PAGE], ['https://ehr.example.org:8443'], [LOCAL]])('is %s', (text) =>
    expect(isBrowserOrigin(text)).toBe(true),
  );
});

describe('whose pages may call', () => {
  it('none of an origin that nobody allowed', async () => {
    const bench = new Bench();
    expect(await bench.origins.isAllowedAnywhere('https://evil.example.org')).toBe(false);
    expect(await bench.refusal('north', 'https://evil.example.org')).toBe('auth.origin');
  });

  it('not with the key of an organization that allowed nothing, though another did', async () => {
    const bench = new Bench();
    expect(await bench.origins.isAllowedAnywhere(PAGE)).toBe(true);
    expect(await bench.refusal('south', PAGE)).toBe('auth.origin');
    expect(await bench.refusal('north', PAGE, 'live')).toBeNull();
  });

  it('a page of this machine never for live data', async () => {
    const bench = new Bench();
    expect(await bench.refusal('north', LOCAL, 'live')).toBe('auth.origin');
    expect(await bench.refusal('north', LOCAL)).toBeNull();
  });

  it('is refused by what is the case', async () => {
    const bench = new Bench();
    const told = (origin: string, environment: Environment): Promise<string> =>
      bench.origins.require({ organizationId: 'north', environment }, origin).then(
        () => '',
        ({ detail }: { detail: string }) => detail,
      );
    expect(await told('https://evil.example.org', 'live')).toMatch(/^The organization lets no page of this origin/);
    expect(await told(LOCAL, 'live')).toMatch(/no live data.*key of the test environment/);
    expect(await told(LOCAL, 'test')).toBe('');
  });

  it('is read once for all who ask, and again before five seconds are over', async () => {
    const bench = new Bench();
    await Promise.all([bench.refusal('north', PAGE), bench.refusal('north', PAGE)]);
    bench.rows = [];
    expect([await bench.refusal('north', PAGE), bench.reads]).toEqual([null, 1]);
    bench.nowMs = 4999;
    expect([await bench.refusal('north', PAGE), bench.reads]).toEqual(['auth.origin', 2]);
  });

  it('is read again after a fault', async () => {
    const bench = new Bench();
    bench.fault = new Error('database away');
    await expect(bench.origins.isAllowedAnywhere(PAGE)).rejects.toThrow('database away');
    bench.fault = null;
    expect(await bench.origins.isAllowedAnywhere(PAGE)).toBe(true);
  });
});
