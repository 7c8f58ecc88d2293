import type { Environment, Tenant } from '../tenancy/tenant.js';
import type { AuditSignature } from './audit-signer.js';

/** What stands first in a file of the audit trail. */
export const AUDIT_EXPORT_FORMAT = 'sutura-audit-export/1';

/** A seal and the rows that it holds, as they were hashed: its hash is sha256(hash before || sha256(row) || sha256(row) …). */
export interface SealedBlock extends Tenant {
  readonly number: number;
  readonly sealedAt: string;
  /** Hash of the seal before, hex; empty for the first. */
  readonly previous: string;
  /** Hex. */
  readonly hash: string;
  /** Each a JSON array, byte for byte what its digest is of; `{"redacted":{"digest","by"},"row"}` where an erasure took words out. */
  readonly rows: readonly string[];
}

/** The part of one chain that a file has. */
export interface ExportedChain {
  readonly organizationId: string;
  readonly environment: Environment;
  /** Numbers of the first and the last seal. */
  readonly first: number;
  readonly last: number;
  readonly rows: number;
  /** Of the last seal, hex. */
  readonly hash: string;
}

/** What stands last in a file, and binds it. */
export interface ExportEnd extends AuditSignature {
  readonly chains: readonly ExportedChain[];
  /** PEM; to be compared with the one that the auditor has from elsewhere. */
  readonly publicKey: string;
}

/** What is signed of a file. Public: auditors check it by themselves (docs/audit.md). */
export function exportText(chains: readonly ExportedChain[]): string {
  const lines = chains.map(
    ({ organizationId, environment, first, last, rows, hash }) =>
      `${organizationId} ${environment} ${first} ${last} ${rows} ${hash}\n`,
  );
  return `${AUDIT_EXPORT_FORMAT}\n${lines.join('')}`;
}
