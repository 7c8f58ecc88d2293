import type { Resource } from '@medplum/fhirtypes';
import type { Author, StoredResource } from './resource-store.js';

/** Columns of a resource with its content, as every reading statement selects them. */
export interface StoredRow {
  readonly version: number;
  readonly last_updated: Date;
  readonly created_by: string | null;
  /** Only where versions are read that may be deletions. */
  readonly is_deletion?: boolean;
  readonly content: Resource;
}

export function toStored<T extends Resource>(row: StoredRow): StoredResource<T> {
  return {
    resource: row.content as T,
    version: row.version,
    lastUpdated: row.last_updated,
    createdBy: authorOf(row.created_by),
    ...(row.is_deletion === true ? { isDeletion: true } : {}),
  };
}

/** The key whose client wrote; null for the service itself. */
export function keyOf(author: Author): string | null {
  return author.kind === 'client' ? author.keyId : null;
}

function authorOf(keyId: string | null): Author {
  return keyId === null ? { kind: 'service' } : { kind: 'client', keyId };
}
