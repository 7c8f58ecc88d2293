import type { Tenant } from '../tenancy/tenant.js';

/** The newest seal of one tenant's chain. Whoever keeps it elsewhere can tell later whether the chain still leads to it. */
export interface ChainHead extends Tenant {
  readonly number: number;
  /** Hex. */
  readonly hash: string;
}

/** Heads of the audit chains, kept where the database's owner does not reach. */
export abstract class AuditAnchor {
  /** 'changed': what is kept is not what was written. */
  abstract read(): Promise<readonly ChainHead[] | 'changed'>;
  abstract write(heads: readonly ChainHead[]): Promise<void>;
}
