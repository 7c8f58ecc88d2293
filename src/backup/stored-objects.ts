import { createHash } from 'node:crypto';
import type pg from 'pg';
import { digestOfFault, NamedObjects, type Comparison } from './named-objects.js';
import { databaseClient } from '../platform/database/database-address.js';

/** A store, as far as objects are read from it. */
export interface StoredObjects {
  /** null: no such object. */
  get(objectKey: string): Promise<Uint8Array | null>;
}

export interface ObjectComparison extends Comparison {
  /** How many the database names. */
  readonly named: number;
}

const AT_ONCE = 4;

/** Reads every object that the database names, and compares it with the digest that the database remembers. */
export async function compareObjects(databaseUrl: string, store: StoredObjects): Promise<ObjectComparison> {
  const named = await withConnection(databaseUrl, (client) => NamedObjects.read(client));
  const found = new Map<string, string>();
  const keys = named.keys.values();
  const lane = async (): Promise<void> => {
    // The lanes share one iterator.
    for (const key of keys) {
      const digest = await digestOf(store, key);
      if (digest !== null) found.set(key, digest);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return { named: named.keys.length, ...named.compare(found) };
}

async function digestOf(store: StoredObjects, objectKey: string): Promise<string | null> {
  try {
    const bytes = await store.get(objectKey);
    return bytes === null ? null : createHash('sha256').update(bytes).digest('hex');
  } catch (fault) {
    return digestOfFault(fault);
  }
}

/** Runs `work` on a connection of its own. */
export async function withConnection<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = databaseClient(databaseUrl);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
