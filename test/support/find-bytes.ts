import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unpackedJson } from '../../src/standards/fhir/store/packed-content.js';
import { withQuery, type Query } from './database-query.js';

/** Enough of a file's middle to be no other file's, and little enough to lie in one piece wherever the file does. */
const NEEDLE_BYTES = 30;

/** Where bytes of a file lie: tables of the database, by name, and files below the folder. As they are, in Base64, and as text or bytes. */
export async function placesOf(
  file: Buffer,
  { databaseUrl, dataDir }: { readonly databaseUrl: string; readonly dataDir: string },
): Promise<string[]> {
  const middle = Math.floor(file.length / 6) * 3;
  const raw = file.subarray(middle, middle + NEEDLE_BYTES);
  const base64 = raw.toString('base64');
  const asText = [base64, Buffer.from(base64).toString('hex'), raw.toString('hex')];
  const found = await withQuery(databaseUrl, (query) => tablesWith(query, asText));
  for await (const { name, content } of filesBelow(dataDir))
    if (content.includes(raw) || content.includes(base64)) found.push(name);
  return found;
}

/** Where words stand: columns of the database as `table.column`, of every type, and files below the folder; in any case, in UTF-8, in Latin-1 and in Base64. */
export async function placesOfWords(
  words: readonly string[],
  { databaseUrl, dataDir }: { readonly databaseUrl: string; readonly dataDir: string },
): Promise<string[]> {
  const bytes = words.flatMap((word) => [Buffer.from(word), Buffer.from(word, 'latin1')]);
  const needles = [
    ...words.map((word) => word.toLowerCase()),
    ...words.map((word) => encodeURIComponent(word).toLowerCase()),
    ...bytes.map((one) => one.toString('hex')),
  ];
  const found = await withQuery(databaseUrl, (query) => columnsWith(query, needles));
  for await (const { name, content } of filesBelow(dataDir))
    if (bytes.some((one) => content.includes(one))) found.push(name);
  return found;
}

/** A file that goes while it is looked for, such as one that is still being received, holds nothing any more. */
async function* filesBelow(folder: string): AsyncGenerator<{ readonly name: string; readonly content: Buffer }> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    try {
      yield { name: entry.name, content: await readFile(join(entry.parentPath, entry.name)) };
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code !== 'ENOENT') throw fault;
    }
  }
}

async function tablesWith(query: Query, needles: readonly string[]): Promise<string[]> {
  const tables = await query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const held = await rowsWith(
    query,
    tables.map(({ name }) => ({ name, table: name, text: 'held::text' })),
    needles,
  );
  return [...(await packedWith(query, needles)), ...held];
}

/** Names of those places where the text of a row has one of the needles: one statement looks into all of them. */
async function rowsWith(
  query: Query,
  places: readonly { readonly name: string; readonly table: string; readonly text: string }[],
  needles: readonly string[],
): Promise<string[]> {
  if (places.length === 0) return [];
  const looks = places.map(
    ({ name, table, text }) =>
      `select '${name}' as name where exists (select from "${table}" held where exists (select from unnest($1::text[]) needle where position(needle in ${text}) > 0))`,
  );
  return (await query<{ name: string }>(looks.join(' union all '), [needles])).map(({ name }) => name);
}

/** What no statement sees into: packed versions of FHIR resources. */
async function packedWith(query: Query, needles: readonly string[]): Promise<string[]> {
  const rows = await query<{ packed: Buffer }>('select packed from fhir_versions where packed is not null');
  const isFound = rows.some(({ packed }) => {
    const json = unpackedJson(packed).toLowerCase();
    return needles.some((needle) => json.includes(needle.toLowerCase()));
  });
  return isFound ? ['fhir_versions.packed'] : [];
}

async function columnsWith(query: Query, needles: readonly string[]): Promise<string[]> {
  const columns = await query<{ table: string; column: string }>(
    `select columns.table_name as "table", columns.column_name as "column" from information_schema.columns
      join information_schema.tables on tables.table_schema = columns.table_schema and tables.table_name = columns.table_name and tables.table_type = 'BASE TABLE'
      where columns.table_schema = 'public'`,
  );
  // The text of a whole row doubles quotes and backslashes: words with neither are in it where they are in one of its columns.
  if (needles.some((needle) => /["\\]/.test(needle))) throw new Error('Look for words without quotes and backslashes.');
  const tables = [...new Set(columns.map(({ table }) => table))];
  const holding = await rowsWith(
    query,
    tables.map((table) => ({ name: table, table, text: 'lower(held::text)' })),
    needles,
  );
  const places = columns
    .filter(({ table }) => holding.includes(table))
    .map(({ table, column }) => ({
      name: `${table}.${column}`,
      table,
      text: `lower(held."${column}"::text)`,
    }));
  return [...(await packedWith(query, needles)), ...(await rowsWith(query, places, needles))];
}
