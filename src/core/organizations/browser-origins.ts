import { SuturaError } from '../errors/sutura-error.js';
import type { Clock } from '../ports/clock.js';
import type { UnitOfWork } from '../ports/unit-of-work.js';
import { isHttpsOrigin } from '../tenancy/https-origin.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { OrganizationRepository } from './organization.repository.js';

/** Below the 5 s within which a change takes effect. */
const LIFE_MS = 4000;
/** A page of the machine on which an integration is made. */
const LOCAL = /^http:\/\/localhost:[1-9]\d{0,4}$/;

const LIVE_ON_LOCALHOST = {
  detail:
    'A page of http://localhost gets no live data, whatever the organization allowed. Use a key of the test environment.',
};

type Allowed = ReadonlyMap<string, readonly string[]>;

export interface BrowserOriginsPorts {
  readonly unitOfWork: UnitOfWork;
  readonly organizations: OrganizationRepository;
  readonly clock: Clock;
}

/** True for an origin exactly as a browser names it, over https, or `http://localhost:PORT`. */
export function isBrowserOrigin(text: string): boolean {
  return isHttpsOrigin(text) || (LOCAL.test(text) && Number(text.split(':')[2]) < 65_536);
}

/** Whose pages may call the service. All origins are read together, at most once in `LIFE_MS`: anybody may ask, without a key. */
export class BrowserOrigins {
  private latest: { readonly readAtMs: number; readonly allowed: Promise<Allowed> } | null = null;

  constructor(private readonly ports: BrowserOriginsPorts) {}

  /** Before a request there is no key, so that the organization is not known: whether any of them lets pages of this origin in. */
  async isAllowedAnywhere(origin: string): Promise<boolean> {
    return [...(await this.read()).values()].some((origins) => origins.includes(origin));
  }

  /** `auth.origin` unless the organization lets pages of this origin in; a local one never to live data. */
  async require({ organizationId, environment }: Tenant, origin: string): Promise<void> {
    const origins = (await this.read()).get(organizationId) ?? [];
    if (environment === 'live' && LOCAL.test(origin)) throw new SuturaError('auth.origin', LIVE_ON_LOCALHOST);
    if (!origins.includes(origin)) throw new SuturaError('auth.origin');
  }

  private read(): Promise<Allowed> {
    const nowMs = this.ports.clock.now().getTime();
    if (this.latest !== null && Math.abs(nowMs - this.latest.readAtMs) < LIFE_MS) return this.latest.allowed;
    const allowed = this.readAnew();
    const latest = { readAtMs: nowMs, allowed };
    this.latest = latest;
    // A read that failed is no answer for the next.
    allowed.catch(() => {
      if (this.latest === latest) this.latest = null;
    });
    return allowed;
  }

  private async readAnew(): Promise<Allowed> {
    const { unitOfWork, organizations } = this.ports;
    const found = await unitOfWork.inSystem((transaction) => organizations.listBrowserOrigins(transaction));
    return new Map(found.map(({ id, browserOrigins }) => [id, browserOrigins]));
  }
}
