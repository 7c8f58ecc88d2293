import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import pg from 'pg';
import { readSettings } from '../../src/platform/config/settings.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { openDatabase, type DatabaseHandle } from '../../src/platform/database/open-database.js';
import { Logger } from '../../src/platform/logging/logger.js';
import { textOf } from '../docs/pages.js';
import { writtenBill, type Bill } from './bill-of-materials.js';

interface Statement {
  readonly vulnerability: { readonly name: string };
  readonly products: readonly {
    readonly '@id': string;
    readonly subcomponents: readonly { readonly '@id': string }[];
  }[];
  readonly status: string;
  readonly justification?: string;
  readonly impact_statement?: string;
  readonly action_statement?: string;
}

const { statements } = JSON.parse(textOf('vex.openvex.json')) as { statements: readonly Statement[] };
/** OpenVEX 0.2.0, "Status Justifications". */
const JUSTIFICATIONS = [
  'component_not_present',
  'vulnerable_code_not_present',
  'vulnerable_code_not_in_execute_path',
  'vulnerable_code_cannot_be_controlled_by_adversary',
  'inline_mitigations_already_exist',
];

describe('vex.openvex.json', () => {
  let bill: Bill;

  beforeAll(() => {
    bill = JSON.parse(writtenBill(0)) as Bill;
  });

  it('names no product and no part that the bill of materials does not have', () => {
    const refs = new Set(bill.components.map((component) => component['bom-ref']));
    const own = bill.metadata.component['bom-ref'];
    const unknown = statements.flatMap(({ products }) =>
      products.flatMap(({ '@id': product, subcomponents }) => [
        ...(product === own ? [] : [product]),
        ...subcomponents.map((part) => part['@id']).filter((part) => !refs.has(part)),
      ]),
    );
    expect(unknown).toEqual([]);
  });

  it('gives a reason wherever it says "not affected", and says what to do wherever it says "affected"', () => {
    const unfounded = statements.filter(
      ({ status, justification, impact_statement, action_statement }) =>
        !(
          status === 'fixed' ||
          status === 'under_investigation' ||
          (status === 'affected' && action_statement !== undefined) ||
          (status === 'not_affected' && JUSTIFICATIONS.includes(justification!) && impact_statement !== undefined)
        ),
    );
    expect(unfounded).toEqual([]);
  });

  it('says one thing of each vulnerability', () => {
    const names = statements.map(({ vulnerability }) => vulnerability.name);
    expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
  });

  it('answers every advisory of advisories.json about a package that is shipped', () => {
    const { advisories } = JSON.parse(textOf('advisories.json')) as {
      advisories: readonly { readonly package: string; readonly id: string }[];
    };
    const shipped = new Set(
      bill.components.map(({ 'bom-ref': ref }) => ref.replace('%40', '@').replace(/@[^@]*$/, '')),
    );
    const asked = advisories.filter((advisory) => shipped.has(`pkg:npm/${advisory.package}`)).map(({ id }) => id);
    expect(asked.length).toBeGreaterThan(3);
    expect(statements.map(({ vulnerability }) => vulnerability.name)).toEqual(expect.arrayContaining(asked));
  });
});

describe('what vex.openvex.json says of the libraries beside the embedded PostgreSQL rests on a database', () => {
  let dataDir: string;
  let database: DatabaseHandle;
  let client: pg.Client;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sutura-vex-'));
    const logger = Logger.create('error', new PassThrough());
    database = await openDatabase(readSettings({ SUTURA_DATA_DIR: dataDir }), logger);
    await migrate(database.url, logger);
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const firstColumn = async (sql: string): Promise<unknown[]> =>
    (await client.query({ text: sql, rowMode: 'array' })).rows.map(([value]: unknown[]) => value);

  it('without TLS, so that OpenSSL reads no certificate', async () => {
    expect(await firstColumn('show ssl')).toEqual(['off']);
  });

  it('without XML, so that libxml2 parses nothing', async () => {
    const used = `select attrelid::regclass::text from pg_attribute where atttypid in ('xml'::regtype, 'xml[]'::regtype)
      union all select oid::regprocedure::text from pg_proc where prosrc ~* 'xml' and pronamespace = 'public'::regnamespace`;
    expect(await firstColumn(used)).toEqual([]);
  });

  it('without extensions, so that libxslt is never loaded', async () => {
    expect(await firstColumn('select extname from pg_extension')).toEqual(['plpgsql']);
  });

  it('with the C locale and no collation of ICU', async () => {
    const providers = `select datlocprovider from pg_database where datname = current_database()`;
    expect(await firstColumn(providers)).toEqual(['c']);
    const collated = `select attrelid::regclass::text from pg_attribute join pg_collation c on c.oid = attcollation
      where collprovider = 'i' and attrelid >= 16384`;
    expect(await firstColumn(collated)).toEqual([]);
  });

  it('with base backups that are asked for without compression, so that zlib compresses nothing', () => {
    const command = /BASE_BACKUP \((.*)\)/.exec(textOf('src/platform/embedded-postgres/base-backup.ts'))![1];
    expect(command).not.toMatch(/COMPRESSION/i);
  });
});
