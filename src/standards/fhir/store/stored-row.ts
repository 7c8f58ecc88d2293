import type { Resource } from '@medplum/fhirtypes';
import { pacer } from '../../../platform/turns/turns.js';
import { contentOf, type KeptContent } from './packed-content.js';
import type { Author, StoredResource } from './resource-store.js';

/** Columns of a resource with its content, as every reading statement selects them. */
export interface StoredRow extends KeptContent {
  readonly version: number;
  readonly last_updated: Date;
  readonly created_by: string | null;
  /** Only where versions are read that may be deletions. */
  readonly is_deletion?: boolean;
  /** Only where pages are read. */
  readonly number?: string;
}

export function toStored<T extends Resource>(row: StoredRow): StoredResource<T> {
  return {
    resource: contentOf(row, row.number === undefined ? undefined : addressOf(row.number, row.version)) as T,
    version: row.version,
    lastUpdated: row.last_updated,
    createdBy: authorOf(row.created_by),
    ...(row.is_deletion === true ? { isDeletion: true } : {}),
  };
}

/** Of a version that cannot be read, where only the number of its resource is at hand. */
export function addressOf(number: string, version: number): string {
  return `Version ${version} of the FHIR resource with fhir_resources.number ${number}`;
}

/** Many at once, letting others have their turn: a page may have thousands. */
export async function toAllStored(rows: readonly StoredRow[]): Promise<StoredResource[]> {
  const stored: StoredResource[] = [];
  const pace = pacer();
  for (const row of rows) {
    stored.push(toStored(row));
    await pace();
  }
  return stored;
}

/** The key whose client wrote; null for the service itself. */
export function keyOf(author: Author): string | null {
  return author.kind === 'client' ? author.keyId : null;
}

function authorOf(keyId: string | null): Author {
  return keyId === null ? { kind: 'service' } : { kind: 'client', keyId };
}
