import { join } from 'node:path';
import pg from 'pg';
import { NamedObjects } from './named-objects.js';
import type { ObjectFolder } from './object-copies.js';
import { sumOf } from './summed-files.js';

/** Keys that a database names and the store beside it does not have, or has otherwise than the database remembers. */
export async function compareObjects(
  databaseUrl: string,
  objects: ObjectFolder,
): Promise<{ readonly missing: string[]; readonly changed: string[] }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const found = new Map<string, string>();
    for await (const { objectKey, path } of objects.list())
      found.set(objectKey, (await sumOf(join(objects.root, path))).sha256);
    return (await NamedObjects.read(client)).compare(found);
  } finally {
    await client.end().catch(() => undefined);
  }
}
