import type { Tenant } from '../tenancy/tenant.js';
import type { AuditSignature } from './audit-signer.js';

/** The newest seal of one tenant's chain. Kept elsewhere, it proves later that the chain still leads to it. */
export interface ChainHead extends Tenant {
  readonly number: number;
  /** Hex. */
  readonly hash: string;
}

/** A head with the signature of `headText`. */
export interface SignedHead extends ChainHead, AuditSignature {}

/** What is signed of a head. Public: auditors check it by themselves (docs/audit.md). */
export function headText({ organizationId, environment, number, hash }: ChainHead): string {
  return `sutura-audit-head/1\n${organizationId}\n${environment}\n${number}\n${hash}\n`;
}

/** Heads of the audit chains, kept where the database's owner does not reach. */
export abstract class AuditAnchor {
  /** 'changed': what is kept is not what was written. */
  abstract read(): Promise<readonly ChainHead[] | 'changed'>;
  /** Signs and keeps them. */
  abstract write(heads: readonly ChainHead[]): Promise<readonly SignedHead[]>;
}
