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
  const found: string[] = await packedWith(query, needles);
  for (const { name } of tables) {
    const rows = await query(
      `select 1 from "${name}" held where exists (select from unnest($1::text[]) needle where position(needle in held::text) > 0) limit 1`,
      [needles],
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
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
  const found: string[] = await packedWith(query, needles);
  for (const { table, column } of columns) {
    const rows = await query(
      `select 1 from "${table}" held where exists (select from unnest($1::text[]) needle where position(needle in lower(held."${column}"::text)) > 0) limit 1`,
      [needles],
    );
    if (rows.length > 0) found.push(`${table}.${column}`);
  }
  return found;
}
