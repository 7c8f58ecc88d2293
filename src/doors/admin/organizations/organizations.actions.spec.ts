import type { OperatorAct } from '../../../core/audit/operator-trail.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { runCli } from '../../../platform/cli/run-cli.js';
import { KEY_ACTIONS } from './keys.actions.js';
import { ORGANIZATION_ACTIONS, USAGE_ACTIONS } from './organizations.actions.js';

const MADE = new Date('2026-01-05T08:30:00Z');
const ORGANIZATION = {
  id: 'o-1',
  name: 'Clinic',
  plan: 'pro',
  dailyLimitOverride: null,
  resultPolicy: 'review',
  autoAnalyze: false,
  unservedTypes: 'refuse',
  imageHosts: ['pacs.example'],
  reviewFrameOrigins: [],
  browserOrigins: [],
  deliveryNetworks: [],
  timeZone: null,
  unmatchedAfterMinutes: 1440,
  createdAt: MADE,
};
const KEY = {
  id: 'k-1',
  organizationId: 'o-1',
  environment: 'test',
  prefix: 'sut_test_abc',
  lastFour: 'wxyz',
  scopes: ['images:write'],
  createdAt: MADE,
  expiresAt: null,
  revokedAt: null,
  replacedBy: null,
  lastUsedAt: null,
  allowedNetworks: [],
  namesPersons: false,
};

const asked: unknown[][] = [];
const acts: OperatorAct[] = [];
const note =
  <T>(name: string, answer: T) =>
  (...given: unknown[]): Promise<T> => {
    asked.push([name, ...given.filter((one) => one !== undefined && typeof one !== 'function')]);
    return Promise.resolve(answer);
  };
const issued = { record: KEY, text: 'sut_test_text' };
const tenancy: object = {
  createOrganization: note('createOrganization', ORGANIZATION),
  listOrganizations: note('listOrganizations', [ORGANIZATION]),
  changeOrganization: note('changeOrganization', ORGANIZATION),
  createKey: note('createKey', issued),
  listKeys: note('listKeys', [KEY]),
  rotateKey: note('rotateKey', issued),
  changeKey: note('changeKey', KEY),
  revokeKey: note('revokeKey', KEY),
  usage: note('usage', { limit: 2000, used: 3, resetsInS: 60 }),
};
const trail = {
  record: (_: unknown, act: OperatorAct) => {
    acts.push(act);
    return Promise.resolve();
  },
};
const COMMANDS = [ORGANIZATION_ACTIONS, KEY_ACTIONS, USAGE_ACTIONS].flatMap(({ commands }) => commands.commands);

let opened = 0;

async function run(line: string, services: { readonly tenancy: object } = { tenancy }) {
  let out = '';
  let err = '';
  const open = () => {
    opened += 1;
    const operator = { door: 'cli', name: 'operator:root' };
    const organizations = { findOrganization: () => Promise.resolve(ORGANIZATION) };
    return Promise.resolve({ operator, organizations, trail, clock: { now: () => MADE }, ...services } as never);
  };
  const code = await runCli(line === '' ? [] : line.split(' '), COMMANDS, open, {
    out: (text) => (out += `${text}\n`),
    err: (text) => (err += `${text}\n`),
  });
  return { code, out, err };
}

beforeEach(() => {
  asked.length = 0;
  acts.length = 0;
  opened = 0;
});

describe('misuse ends with 2 and a usage text, and opens nothing', () => {
  test.each([
    ['', 'COMMAND'],
    ['org', 'no such command'],
    ['org delete --org o-1', 'no such command'],
    ['org create', '--name is missing'],
    ['org create --name Clinic', '--plan is missing'],
    ['org create --name Clinic --plan gold', '--plan must be one of free, pro, enterprise'],
    ['org create --name Clinic --plan pro --colour red', '--colour'],
    ['org create --name Clinic --plan pro extra', 'extra'],
    ['org set --org o-1', 'must change something'],
    ['org set --plan pro', '--org is missing'],
    ['org set --org o-1 --daily-limit many', '--daily-limit must be a whole number'],
    ['org set --org o-1 --result-policy auto', '--result-policy must be one of'],
    ['org set --org o-1 --auto-analyze yes', '--auto-analyze must be on or off'],
    ['org set --org o-1 --image-hosts https://pacs.example', '--image-hosts must be a host name'],
    ['org set --org o-1 --time-zone Europe/Wurzburg', '--time-zone must be a time zone such as Europe/Berlin'],
    ['org set --org o-1 --time-zone +02:00', '--time-zone must be a time zone such as Europe/Berlin'],
    ['key create --org o-1 --env staging --scopes images:write', '--env must be one of test, live'],
    ['key create --org o-1 --env test --scopes images:write,everything', '--scopes must be one of'],
    [
      'key create --org o-1 --env test --scopes images:write --expires 2020-01-01T00:00:00Z',
      '--expires must lie in the future',
    ],
    ['key create --org o-1 --env test', '--scopes is missing'],
    ['key rotate --key k-1 --overlap-s -5', '--overlap-s'],
    ['key rotate --key k-1 --overlap-s 99999999', '--overlap-s must be at most'],
    ['key list', '--org is missing'],
    ['key revoke', '--key is missing'],
    ['usage', '--org is missing'],
  ])('%s', async (line, said) => {
    const { code, out, err } = await run(line);
    expect(code).toBe(2);
    expect(out + err).toContain(said);
    expect(out + err).toContain('Usage: npm run --silent cli --');
    expect(opened).toBe(0);
  });
});

describe('a refusal ends with 1 and the advice', () => {
  const refusing = { tenancy: { createKey: () => Promise.reject(new SuturaError('key.limit')) } };
  const line = 'key create --org o-1 --env test --scopes images:write';

  test('for a person', async () => {
    expect(await run(line, refusing)).toEqual({
      code: 1,
      out: '',
      err: 'Key limit reached (key.limit). The plan allows no further active key. Revoke one, or raise the plan.\n',
    });
  });

  test('as JSON', async () => {
    const { code, out, err } = await run(`${line} --json`, refusing);
    expect([code, out, (JSON.parse(err) as { error: { code: string } }).error.code]).toEqual([1, '', 'key.limit']);
  });

  test('a fault of the program is not taken for one', async () => {
    const broken = { tenancy: { createKey: () => Promise.reject(new Error('bug')) } };
    await expect(run(line, broken)).rejects.toThrow('bug');
  });
});

test.each(['help', '--help', '-h'])('%s shows every command and ends with 0', async (line) => {
  const { code, out } = await run(line);
  expect(code).toBe(0);
  for (const { usage } of COMMANDS) expect(out).toContain(`  ${usage}`);
});

test('the help of one command needs nothing else', async () => {
  expect(await run('key create --help')).toMatchObject({ code: 0, err: '' });
  expect(opened).toBe(0);
});

test.each([
  ['org create --name Clinic --plan pro', ['createOrganization', 'Clinic', 'pro'], 'create plan=pro'],
  [
    'org set --org o-1 --plan free --daily-limit 30 --result-policy auto-final',
    ['changeOrganization', 'o-1', { plan: 'free', dailyLimitOverride: 30, resultPolicy: 'auto-final' }],
    'update plan=free&resultPolicy=auto-final&dailyLimitOverride=30',
  ],
  [
    'org set --org o-1 --daily-limit none',
    ['changeOrganization', 'o-1', { dailyLimitOverride: null }],
    'update dailyLimitOverride=null',
  ],
  [
    'org set --org o-1 --auto-analyze on --image-hosts PACS.example,images.example:8443',
    ['changeOrganization', 'o-1', { autoAnalyze: true, imageHosts: ['pacs.example', 'images.example:8443'] }],
    'update autoAnalyze=true&imageHosts=pacs.example%2Cimages.example%3A8443',
  ],
  [
    'org set --org o-1 --unserved-types ignore --review-frames none',
    ['changeOrganization', 'o-1', { unservedTypes: 'ignore', reviewFrameOrigins: [] }],
    'update unservedTypes=ignore&reviewFrameOrigins=',
  ],
  [
    'org set --org o-1 --auto-analyze off --image-hosts none --time-zone none',
    ['changeOrganization', 'o-1', { autoAnalyze: false, imageHosts: [], timeZone: null }],
    'update autoAnalyze=false&imageHosts=&timeZone=null',
  ],
  [
    'key create --org=o-1 --env test --scopes images:write,analysis:read --persons on',
    [
      'createKey',
      {
        organizationId: 'o-1',
        environment: 'test',
        scopes: ['images:write', 'analysis:read'],
        expiresAt: null,
        allowedNetworks: [],
        namesPersons: true,
      },
    ],
    '$create-key scopes=images:write,analysis:read&namesPersons=true',
  ],
  [
    'key create --org o-1 --env live --scopes images:write --expires 2099-01-01T00:00:00Z --networks 10.20.0.0/16',
    [
      'createKey',
      {
        organizationId: 'o-1',
        environment: 'live',
        scopes: ['images:write'],
        expiresAt: new Date('2099-01-01T00:00:00Z'),
        allowedNetworks: ['10.20.0.0/16'],
        namesPersons: false,
      },
    ],
    '$create-key scopes=images:write&allowedNetworks=10.20.0.0/16',
  ],
  ['key rotate --key k-1', ['rotateKey', 'k-1', 86_400], '$rotate-key replaces=k-1&overlapS=86400'],
  ['key rotate --key k-1 --overlap-s 0', ['rotateKey', 'k-1', 0], '$rotate-key replaces=k-1&overlapS=0'],
  [
    'key set --key k-1 --networks none',
    ['changeKey', 'k-1', { allowedNetworks: [] }],
    '$restrict-key allowedNetworks=',
  ],
  ['key revoke --key k-1', ['revokeKey', 'k-1'], '$revoke-key'],
  ['key list --org o-1', ['listKeys', 'o-1'], '$list-keys'],
  ['org list', ['listOrganizations'], 'search-type Organization'],
  ['usage --org o-1', ['usage', 'o-1'], '$usage'],
])('%s does what it says, once, and the trail says so', async (line, call, act) => {
  expect(await run(line)).toMatchObject({ code: 0, err: '' });
  expect(asked).toEqual([call]);
  expect(acts.map(({ interaction, query }) => [interaction, query].filter(Boolean).join(' '))).toEqual([act]);
});

test('--json is one line of camelCase fields', async () => {
  const { out } = await run('org create --name Clinic --plan pro --json');
  expect(out.trimEnd().split('\n')).toHaveLength(1);
  expect(JSON.parse(out)).toEqual({
    ...ORGANIZATION,
    organizationId: 'o-1',
    dailyLimit: 2000,
    createdAt: MADE.toISOString(),
    etag: expect.stringMatching(/^"[\w-]+"$/) as string,
  });
  expect(JSON.parse((await run('key create --org o-1 --env test --scopes images:write --json')).out)).toMatchObject({
    keyId: 'k-1',
    key: 'sut_test_text',
    organizationId: 'o-1',
  });
  expect(JSON.parse((await run('key list --org o-1 --json')).out)).toEqual([
    { ...KEY, keyId: 'k-1', state: 'active', createdAt: MADE.toISOString() },
  ]);
});

test('text is a table, and a new key is said to be shown once', async () => {
  const lines = (await run('org list')).out.trim().split('\n');
  expect(lines[0]).toMatch(/^ORGANIZATION +NAME +PLAN +PER DAY +RESULT POLICY$/);
  expect(lines[1]).toMatch(/^o-1 +Clinic +pro +2000 +review$/);
  expect((await run('key create --org o-1 --env test --scopes images:write')).out).toContain('it is not shown again');
});
