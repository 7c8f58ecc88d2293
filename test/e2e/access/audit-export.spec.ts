import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkAuditExports } from '../../../src/identity/audit/audit-export-check.js';
import { ApiClient, send } from '../../support/api-client.js';
import { callCommandLine, runCommand, type CommandEnd } from '../../support/command-line.js';
import { queryDatabase } from '../../support/database-query.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';

const ERASURE = '01997f2e-0000-7000-8000-00000000e5a5';
/** Ends a line for some programs, and for none that reads JSON. */
const ODD = 'Müller \u2028 "quoted" \\ \u0001 end';

interface Verdict {
  readonly rows: number;
  readonly seals: number;
  readonly breaks: readonly { readonly line: number; readonly reason: string }[];
}

describe('the audit trail in an auditor’s hands', () => {
  let gateway: SharedGateway;
  let folder: string;
  let organization: string;
  let file: string;
  let lines: string[];

  const cli = (...words: string[]): Promise<CommandEnd> =>
    callCommandLine([...words, '--json'], { DATABASE_URL: gateway.databaseUrl, SUTURA_DATA_DIR: gateway.dataDir });
  /** Without any database, and in a folder that there is not. */
  const nowhere = () => ({
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    SUTURA_DATA_DIR: join(folder, 'nowhere'),
  });
  const check = (...words: string[]): Promise<CommandEnd> =>
    callCommandLine(['audit', 'verify', ...words, '--json'], nowhere());

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sutura-auditor-'));
    gateway = await sharedGateway();
    organization = await gateway.createOrganization();
    const keys = [await gateway.createKey(organization), await gateway.createKey(organization, 'live')];
    for (const { key } of keys) await new ApiClient(gateway.baseUrl, key).request('GET', '/api/v1/analysis/jobs');
    await queryDatabase(
      gateway.databaseUrl,
      `insert into audit_events (organization_id, environment, recorded_at, door, interaction, action, key_id, resources, query)
         values ($1, 'test', now(), 'fhir', 'read', 'R', 'k', $2, $3)`,
      [organization, [ODD], ODD],
    );
    // Three seals at least.
    for (const path of ['Patient', 'Media']) {
      expect((await cli('audit', 'verify')).code).toBe(0);
      await send('GET', `${gateway.baseUrl}/fhir/${path}`, { key: keys[0]!.key });
    }
    await redact();
    file = join(folder, 'trail.ndjson');
    const { code, out, err } = await cli('audit', 'export', '--out', file, '--org', organization);
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ file });
    lines = (await readFile(file, 'utf8')).split('\n');
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  /** As an erasure does it, with words that it seals. */
  const redact = async (): Promise<void> => {
    await queryDatabase(
      gateway.databaseUrl,
      `update audit_events event set redacted_digest = sutura_audit_digest(event), redacted_by = $2, query = '[erased]'
         where organization_id = $1 and environment = 'test' and interaction = 'search-type'`,
      [organization, ERASURE],
    );
    await queryDatabase(
      gateway.databaseUrl,
      `insert into audit_events (organization_id, environment, recorded_at, door, interaction, action, key_id, resources, query)
         select $1, 'test', now(), 'cli', '$erase', 'D', 'operator:test', '{}', 'erasure=' || $2::text || '&state=done&redacted=' ||
           encode(sha256(string_agg(sutura_audit_content_digest(event) || sutura_audit_digest(event), ''::bytea order by event.id)), 'hex')
         from audit_events event where redacted_by = $2::text::uuid`,
      [organization, ERASURE],
    );
  };

  const verdictOf = ({ out }: CommandEnd): Verdict => JSON.parse(out) as Verdict;
  const isSeal = (line: string): boolean => line.startsWith('{"seal"');
  const isRow = (line: string): boolean => line.startsWith('[') || line.startsWith('{"redacted"');
  const fileWith = async (changed: readonly string[]): Promise<string> => {
    const path = join(folder, 'changed.ndjson');
    await writeFile(path, changed.join('\n'));
    return path;
  };
  const without = (place: number) => lines.filter((_, at) => at !== place);

  /** Without the rows and the seal of this number, of the chain of test. */
  const withoutBlock = (number: number): readonly string[] => {
    const place = lines.findIndex(
      (line) => isSeal(line) && JSON.parse(line).seal.environment === 'test' && JSON.parse(line).seal.number === number,
    );
    expect(place).toBeGreaterThan(0);
    const rows = JSON.parse(lines[place]!).seal.rows as number;
    return lines.filter((_, at) => at < place - rows || at > place);
  };

  describe('is shown to be false', () => {
    it.each<[string, () => readonly string[], string]>([
      [
        'where a row was changed',
        () =>
          lines.map((line) => (isRow(line) ? line.replace('"read"', '"vread"').replace('search-type', 'read') : line)),
        'row_changed_or_missing',
      ],
      ['where a row is missing', () => without(lines.findIndex(isRow)), 'row_changed_or_missing'],
      ['where a row was slipped in', () => [lines[0]!, lines[1]!, ...lines.slice(1)], 'row_changed_or_missing'],
      ['where a seal with its rows is missing', () => withoutBlock(2), 'seal_changed_or_missing'],
      ['where the first seal with its rows is missing', () => withoutBlock(1), 'end_changed'],
      ['where the newest seal with its rows was cut off', () => withoutBlock(3), 'end_changed'],
      ['where the end is missing', () => lines.filter((line) => !line.startsWith('{"end"')), 'end_missing'],
      [
        'where words were put in the place of erased ones',
        () => lines.map((line) => line.replace('[erased]', '[nobody]')),
        'redaction_not_accounted',
      ],
      ['where it is none of ours', () => ['{"hello":1}'], 'unreadable'],
      ['where a line is no JSON', () => [lines[0]!, '[1, 2', ...lines.slice(1)], 'unreadable'],
    ])('%s', async (_, change, reason) => {
      const { breaks } = await checkAuditExports([await fileWith(change())], null);
      expect(breaks.map((found) => found.reason)).toContain(reason);
    });

    it('where everything was made anew and signed by another key, to whoever has the right one', async () => {
      const other = generateKeyPairSync('ed25519');
      const end = lines.find((line) => line.startsWith('{"end"'))!;
      const stated = JSON.parse(end).end;
      const text = `sutura-audit-export/1\n${stated.chains
        .map(
          (chain: Record<string, unknown>) =>
            `${['organizationId', 'environment', 'first', 'last', 'rows', 'hash'].map((name) => chain[name]).join(' ')}\n`,
        )
        .join('')}`;
      const forged = {
        ...stated,
        publicKey: other.publicKey.export({ type: 'spki', format: 'pem' }),
        signature: sign(null, Buffer.from(text), other.privateKey).toString('base64'),
      };
      const path = await fileWith(lines.map((line) => (line === end ? JSON.stringify({ end: forged }) : line)));
      expect((await checkAuditExports([path], null)).breaks).toEqual([]);
      const judged = await check('--export', path, '--public-key', join(gateway.dataDir, 'audit-signing.pub'));
      expect([judged.code, verdictOf(judged).breaks.map(({ reason }) => reason)]).toEqual([1, ['signature_wrong']]);
    });

    it('and a missing file or key is said', async () => {
      expect((await check('--export', join(folder, 'none.ndjson'))).err).toContain('The file cannot be read');
      expect((await check('--export', file, '--public-key', file)).err).toContain('is no Ed25519 public key');
      expect((await check('--public-key', file)).code).toBe(2);
    });
  });

  it('is whole by one command, without the database, and has every row with its odd letters', async () => {
    const publicKey = join(gateway.dataDir, 'audit-signing.pub');
    const end = await runCommand(['audit', 'verify', '--export', file, '--public-key', publicKey, '--json'], nowhere());
    expect([end.code, end.err]).toEqual([0, '']);
    const { rows, seals, breaks } = verdictOf(end);
    const [kept] = await queryDatabase<{ count: number }>(
      gateway.databaseUrl,
      'select count(*)::int as count from audit_events where organization_id = $1',
      [organization],
    );
    expect({ rows, breaks }).toEqual({ rows: kept!.count, breaks: [] });
    expect(seals).toBeGreaterThanOrEqual(3);
    const read = lines.filter((line) => line.startsWith('[')).map((line) => JSON.parse(line) as unknown[]);
    expect(read.some((row) => row[12] === ODD && (row[11] as string[])[0] === ODD)).toBe(true);
    expect(read.map((row) => row[4])).toContain('rest');
    expect((await stat(file)).mode & 0o077).toBe(0);
  });

  it('is not written over a file that is there, and the export is a row of it', async () => {
    expect((await cli('audit', 'export', '--out', file)).code).toBe(1);
    const [row] = await queryDatabase<{ key_id: string }>(
      gateway.databaseUrl,
      `select key_id from audit_events where interaction = '$export-audit' and organization_id = $1`,
      [organization],
    );
    expect(row?.key_id).toMatch(/^operator:/);
  });

  describe('over HTTP', () => {
    const path = (query = '') => `/organizations/${organization}/audit-export${query}`;
    const pathOf = async (name: string, text: string): Promise<string> => {
      const at = join(folder, name);
      await writeFile(at, text);
      return at;
    };

    it.each([
      ['an environment that there is not', '?environment=prod', 400],
      ['a seal without its chain', '?afterSeal=1', 400],
      ['no number of a seal', '?environment=test&afterSeal=last', 400],
      ['a seal beyond all', '?environment=test&afterSeal=9999999999', 400],
    ])('is refused with %s', async (_, query, status) => {
      expect((await gateway.admin('GET', path(query))).status).toBe(status);
    });

    it('is refused for an organization that there is not', async () => {
      const unknown = '/organizations/01890000-0000-7000-8000-000000000000/audit-export';
      expect((await gateway.admin('GET', unknown)).status).toBe(404);
    });

    it('is what the command writes, whole to whoever has the key, and a row of itself', async () => {
      const answer = await gateway.admin('GET', path());
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
      const text = answer.bytes.toString('utf8');
      const pem = await readFile(join(gateway.dataDir, 'audit-signing.pub'), 'utf8');
      const { breaks, chains } = await checkAuditExports([await pathOf('http.ndjson', text)], pem);
      expect(breaks).toEqual([]);
      expect(chains.map(({ organizationId, first }) => [organizationId, first])).toEqual([
        [organization, 1],
        [organization, 1],
      ]);
      expect(text).toContain('"$export-audit"');
      expect(text).toContain(`"org=${organization}"`);
    });

    it('goes on behind the last seal that came, where it was cut off', async () => {
      const text = (await gateway.admin('GET', path('?environment=test'))).bytes.toString('utf8');
      const got = text.split('\n').slice(0, text.split('\n').findIndex(isSeal) + 2);
      const { number } = JSON.parse(got.find(isSeal)!).seal as { number: number };
      const rest = await gateway.admin('GET', path(`?environment=test&afterSeal=${number}`));
      const files = [
        await pathOf('cut.ndjson', `${got.join('\n')}\n`),
        await pathOf('rest.ndjson', rest.bytes.toString('utf8')),
      ];
      const { breaks, chains } = await checkAuditExports(files, null);
      expect(breaks.map(({ reason }) => reason)).toEqual(['end_missing']);
      expect(chains).toMatchObject([{ environment: 'test', first: 1 }]);
    });
  });

  it('has its heads signed, in a file and in the log of whoever sealed', async () => {
    const pem = await readFile(join(gateway.dataDir, 'audit-signing.pub'), 'utf8');
    const { heads } = JSON.parse(await readFile(join(gateway.dataDir, 'audit-heads.json'), 'utf8')) as {
      heads: { organizationId: string; environment: string; number: number; hash: string; signature: string }[];
    };
    expect(heads.filter(({ organizationId }) => organizationId === organization)).toHaveLength(2);
    for (const { organizationId, environment, number, hash, signature } of heads) {
      const text = `sutura-audit-head/1\n${organizationId}\n${environment}\n${number}\n${hash}\n`;
      expect(verify(null, Buffer.from(text), createPublicKey(pem), Buffer.from(signature, 'base64'))).toBe(true);
    }
    expect((await stat(join(gateway.dataDir, 'audit-signing.key'))).mode & 0o077).toBe(0);
    expect(gateway.logs).not.toContain('PRIVATE KEY');
  });
});
