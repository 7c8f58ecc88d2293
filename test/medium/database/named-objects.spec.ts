import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { queryDatabase } from '../../support/database-query.js';
import { createTestDatabase } from '../../support/test-database.js';

it('a back-up knows every table that names objects of the store', async () => {
  const database = await createTestDatabase();
  const tables = await queryDatabase<{ name: string }>(
    database.url,
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'object_key' order by 1`,
  );
  await database.drop();
  const source = readFileSync(resolve(__dirname, '../../../src/backup/named-objects.ts'), 'utf8');
  expect(tables.length).toBeGreaterThan(2);
  expect(
    tables.filter(({ name }) => !new RegExp(`select object_key.*, .*sha256.* from ${name}\\b`).test(source)),
  ).toEqual([]);
});
