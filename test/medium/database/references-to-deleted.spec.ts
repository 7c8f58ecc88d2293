import { queryDatabase } from '../../support/database-query.js';
import { createTestDatabase } from '../../support/test-database.js';

/** Reports and wounds are kept as long as their patient, who seldom goes; keys for good. */
const SELDOM_DELETED = ['api_keys', 'patients', 'reports', 'wounds'];

it('rows of a table that refer to others of it are found by an index, where such are deleted by age', async () => {
  const database = await createTestDatabase();
  const unindexed = await queryDatabase<{ table: string; column: string }>(
    database.url,
    `select conrelid::regclass::text as table, attname as column from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
       where contype = 'f' and conrelid = confrelid and not exists (select from pg_index where indrelid = conrelid and indkey[0] = conkey[1])
       order by 1, 2`,
  );
  await database.drop();
  expect(unindexed.length).toBeGreaterThan(0);
  expect(unindexed.filter(({ table }) => !SELDOM_DELETED.includes(table))).toEqual([]);
});
