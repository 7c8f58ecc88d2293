import { hash } from 'node:crypto';
import type { Tenant } from '../../../../core/tenancy/tenant.js';

/** Separator that occurs in no element path, so that two keys cannot run together. */
const SEPARATOR = '\u0000';
const DIGEST_DIGITS = 32;
const LONGEST_PLAIN = 500;

/** Elements, codes and systems are few, unless a client invents them: then the cache is emptied. */
const REMEMBERED = 10_000;
const LONGEST_REMEMBERED = 300;
const keys = new Map<string, string>();
const links = new Map<string, string>();
const qualifiers = new Map<string, string>();

/** The key of the index rows of one tenant, element and value: the first 128 bits of SHA-256, in the form of a UUID. */
export function indexKey({ organizationId, environment }: Tenant, path: string, value = ''): string {
  return remembered(
    keys,
    `${organizationId}${SEPARATOR}${environment}${SEPARATOR}${path}${SEPARATOR}${value}`,
    (text) => hash('sha256', text).slice(0, DIGEST_DIGITS),
  );
}

/** An element as index rows name it that have their values in columns: the first 64 bits of its key, as PostgreSQL's bigint. */
export function linkOf(tenant: Tenant, path: string): string {
  return remembered(links, indexKey(tenant, path), (key) =>
    BigInt.asIntN(64, BigInt(`0x${key.slice(0, 16)}`)).toString(),
  );
}

/**
 * What index rows name a resource by, and `fhir_resources.address` has by the same digest: type and id within a tenant. The type is '' for what is no literal
 * reference of ours, and the id the whole URL.
 */
export function addressOf({ organizationId, environment }: Tenant, type: string, id: string): string {
  return hash('sha256', [organizationId, environment, type, id].join(SEPARATOR)).slice(0, DIGEST_DIGITS);
}

/** A search parameter as `fhir_resources.present` has it: 32 bits of its name's digest, as PostgreSQL's int. */
export function parameterNumber(name: string): number {
  return Number.parseInt(hash('sha256', name).slice(0, 8), 16) | 0;
}

/** A code system as index rows name it: a bigint, 0 for none. */
export function qualifierOf(system: string): string {
  return system === '' ? '0' : remembered(qualifiers, system, digest64);
}

function remembered(digests: Map<string, string>, text: string, digest: (text: string) => string): string {
  const known = digests.get(text);
  if (known !== undefined) return known;
  const made = digest(text);
  if (text.length > LONGEST_REMEMBERED) return made;
  if (digests.size >= REMEMBERED) digests.clear();
  digests.set(text, made);
  return made;
}

/** 64 bits of SHA-256 as PostgreSQL's bigint. */
export function digest64(text: string): string {
  return BigInt.asIntN(64, BigInt(`0x${hash('sha256', text).slice(0, 16)}`)).toString();
}

/** A text for an index column, which takes 2 700 bytes at most: a longer one by its digest. PostgreSQL's text knows no NUL. */
export function indexable(text: string): string {
  const plain = text.replaceAll('\u0000', '');
  return plain.length <= LONGEST_PLAIN ? plain : `sha256:${hash('sha256', plain)}`;
}
