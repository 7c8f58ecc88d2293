import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textOf } from '../../docs/pages.js';
import { ApiClient, expectStatus } from '../../support/api-client.js';
import { runCommand, type CommandEnd } from '../../support/command-line.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { startGateway, type Gateway } from '../../support/gateway.js';

const NUMBER = 'MRN-4711';
const OLD_ROWS = 40;

/** The commands of "An auditor's day", one by one, as the page has them. */
const COMMANDS = /## An auditor's day\n.*?```\n(.*?)```/s
  .exec(textOf('docs/operations.md'))![1]!
  .split('\n')
  .filter((line) => line.startsWith('npm run --silent cli -- '))
  .map((line) => line.replace('npm run --silent cli -- ', ''));

describe('an auditor’s day, by the commands of docs/operations.md', () => {
  let gateway: Gateway;
  let folder: string;
  let organization: string;
  let keyId: string;
  let patient: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sutura-auditor-'));
    gateway = await startGateway({ roles: 'api' });
    organization = await gateway.createOrganization('enterprise');
    // All that stands in the trail so far is of long ago.
    await queryDatabase(
      gateway.databaseUrl,
      `update audit_events set recorded_at = now() - interval '3 years' where organization_id = $1`,
      [organization],
    );
    await queryDatabase(
      gateway.databaseUrl,
      `insert into audit_events (organization_id, environment, recorded_at, door, interaction, action, key_id, resources, query)
         select $1, 'live', now() - interval '3 years', 'fhir', 'search-type', 'R', 'former', '{}', 'identifier=' || $2 from generate_series(1, $3)`,
      [organization, NUMBER, OLD_ROWS],
    );
    expect((await cli('audit verify')).code).toBe(0);
    const { key, ...made } = await gateway.createKey(organization, 'live');
    keyId = made.keyId;
    const client = new ApiClient(gateway.baseUrl, key);
    const resource = {
      resourceType: 'Patient',
      identifier: [{ system: 'urn:oid:2.999.1', value: NUMBER }],
    };
    const headers = { 'content-type': 'application/fhir+json' };
    const created = await eventually('the FHIR door', async () => {
      const answer = await client.request('POST', '/fhir/Patient', { json: resource, headers });
      return answer.status === 503 ? undefined : answer;
    });
    patient = expectStatus(201, created).body.id as string;
    expectStatus(200, await client.request('GET', `/fhir/Patient/${patient}`));
    await gateway.kill();
    // After the end of the first gateway: it could have begun an archive, which nobody else goes on with for ten minutes.
    expect((await cli(`retention set --org ${organization} --audit-days 730`)).code).toBe(0);
    gateway = await startGateway({ roles: 'api', databaseUrl: gateway.databaseUrl, dataDir: gateway.dataDir });
    await eventually(
      'the old rows to be archived',
      async () => (await queryDatabase(gateway.databaseUrl, `select from audit_archives where state = 'emptied'`))[0],
    );
    await copyFile(join(gateway.dataDir, 'audit-signing.pub'), join(folder, 'audit-signing.pub'));
  }, 180_000);
  afterAll(async () => {
    await gateway?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const cli = (words: string) =>
    runCommand(words.split(' '), { DATABASE_URL: gateway.databaseUrl, SUTURA_DATA_DIR: gateway.dataDir });
  /** A command of the page, with what stands for ids and files put in. */
  const run = (at: number): Promise<CommandEnd> => {
    const words = COMMANDS[at]!.replaceAll('--org ID', `--org ${organization}`)
      .replaceAll('PSEUDONYM', patient)
      .replaceAll(
        /(--out |--export |,|--public-key )([a-z])/g,
        (_, before: string, first: string) => `${before}${folder}/${first}`,
      );
    return cli(words);
  };

  it('has nine of them', () =>
    expect(COMMANDS.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'audit list',
      'audit verify',
      'audit export',
      'audit archives',
      'audit verify',
      'patient erase',
      'patient erasures',
      'audit list',
      'audit verify',
    ]));

  it('who saw the patient, and that older rows lie in an archive', async () => {
    const { code, out } = await run(0);
    expect([code, out]).toEqual([0, expect.stringContaining(keyId)]);
    expect(out).toContain(`Patient/${patient}`);
    expect(out).toMatch(/Rows up to \S+ lie in archives: 1\./);
  });

  it('the chain is whole, archives included', async () => {
    expect(await run(1)).toEqual({ code: 0, err: '', out: expect.stringContaining('The chain is whole.') });
  });

  it('the trail is given out, checked apart from the service, and whole from its first row', async () => {
    for (const at of [2, 3]) expect((await run(at)).code).toBe(0);
    const { code, out } = await run(4);
    expect([code, out]).toEqual([0, expect.stringContaining('The files are whole.')]);
    expect(out).not.toContain('begins with seal');
    expect(out).not.toContain('compare its fingerprint');
  });

  it('the patient is erased, and the trail proves it', async () => {
    expect((await run(5)).code).toBe(0);
    const erasures = await run(6);
    expect([erasures.code, erasures.out]).toEqual([0, expect.stringContaining(patient)]);
    const { out } = await run(7);
    expect(out).toContain('$erase');
    expect(out).toContain(keyId);
    expect(out).not.toContain(NUMBER);
    expect((await run(8)).out).toContain('The chain is whole.');
    expectStatus(
      404,
      await gateway.admin('POST', `/organizations/${organization}/patients/erase`, {
        environment: 'live',
        patient: NUMBER,
      }),
    );
    const again = join(folder, 'again');
    expect((await cli(`audit archives --org ${organization} --out ${again}`)).code).toBe(0);
    for (const name of await readdir(again)) expect(await readFile(join(again, name), 'utf8')).not.toContain(NUMBER);
  });
});
