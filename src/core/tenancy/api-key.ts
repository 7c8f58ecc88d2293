import type { SystemScope } from './system-scopes.js';
import type { Environment, Tenant } from './tenant.js';

/**
 * The rights of a key. Published names; analysis:review is for reviews, merging, closing and reopening wounds, webhooks:manage for webhooks, bulk:export for taking all of a tenant's resources away as files, audit:read for the tenant's own audit trail,
 * patients:erase for erasing patients where the installation offers it.
 */
export const SCOPES = [
  'images:write',
  'analysis:write',
  'analysis:read',
  'analysis:review',
  'webhooks:manage',
  'bulk:export',
  'audit:read',
  'patients:erase',
] as const;
export type Scope = (typeof SCOPES)[number];

/** A key as it is stored: the text itself is shown once and never kept, only its SHA-256. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly environment: Environment;
  /** For display: the first characters and the last four. */
  readonly prefix: string;
  readonly lastFour: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** The key that took this one's place by rotation; a replaced key works until it expires and no longer counts against the plan. */
  readonly replacedBy: string | null;
  readonly lastUsedAt: Date | null;
  /** From where it may be used, as CIDR (`10.20.0.0/16`); none: from anywhere. */
  readonly allowedNetworks: readonly string[];
  /** It may name the person behind a request: X-Sutura-User. */
  readonly namesPersons: boolean;
}

/** What can be changed of a key or a client in use; what is left out stays. */
export interface CredentialChange {
  readonly allowedNetworks?: readonly string[] | undefined;
  readonly namesPersons?: boolean | undefined;
}

export type ApiKeyState = 'active' | 'expired' | 'revoked';

export function apiKeyStateAt(key: Pick<ApiKeyRecord, 'expiresAt' | 'revokedAt'>, now: Date): ApiKeyState {
  // A revocation is never for later, and the database's clock may run ahead of ours.
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt !== null && key.expiresAt <= now) return 'expired';
  return 'active';
}

/** The origin of a request, as the audit trail keeps it. */
export interface RequestOrigin {
  readonly requestId: string;
  /** IP address; behind a trusted proxy that of the client. */
  readonly address: string;
}

/** The caller behind a checked key, or behind the token of a client. */
export interface Caller extends Tenant {
  /** Of the key, or of the client. */
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  /** Of a token: what it may do with resources of FHIR, instead of what the scopes say. Absent for a key. */
  readonly grants?: readonly SystemScope[];
  /** True for a key or client that may name the person behind a request. */
  readonly namesPersons?: boolean;
  /** The person behind the request, as the calling system names them (`readPerson`). */
  readonly person?: string;
  /** Absent where no request is behind it. */
  readonly origin?: RequestOrigin;
}

export function hasScope(caller: Pick<Caller, 'scopes'>, scope: Scope): boolean {
  return caller.scopes.includes(scope);
}
