import { SuturaError } from '../../../core/errors/sutura-error.js';
import { runCli } from '../../../platform/cli/run-cli.js';
import { TENANCY_COMMANDS, type TenancyServices } from './tenancy.commands.js';

const ORGANIZATION = {
  id: 'o-1',
  organizationId: 'o-1',
  name: 'Clinic',
  plan: 'pro',
  dailyLimit: 2000,
  dailyLimitOverride: null,
  resultPolicy: 'review',
  autoAnalyze: false,
  unservedTypes: 'refuse',
  imageHosts: ['pacs.example'],
  reviewFrameOrigins: [],
  timeZone: null,
  createdAt: '2026-01-05T08:30:00.000Z',
};
const KEY = {
  id: 'k-1',
  keyId: 'k-1',
  organizationId: 'o-1',
  environment: 'test',
  prefix: 'sut_test_abc',
  lastFour: 'wxyz',
  scopes: ['images:write'],
  state: 'active',
  createdAt: '2026-01-05T08:30:00.000Z',
  expiresAt: null,
  revokedAt: null,
  replacedBy: null,
  lastUsedAt: null,
  allowedNetworks: [],
};

const asked: unknown[][] = [];
const note =
  <T>(name: string, answer: T) =>
  (_operator: unknown, ...given: unknown[]): Promise<T> => {
    asked.push([name, ...given]);
    return Promise.resolve(answer);
  };
const tenancy = {
  createOrganization: note('createOrganization', ORGANIZATION),
  listOrganizations: note('listOrganizations', [ORGANIZATION]),
  changeOrganization: note('changeOrganization', ORGANIZATION),
  createKey: note('createKey', { ...KEY, key: 'sut_test_text' }),
  listKeys: note('listKeys', [KEY]),
  rotateKey: note('rotateKey', { ...KEY, key: 'sut_test_text' }),
  revokeKey: note('revokeKey', undefined),
  usage: note('usage', { organizationId: 'o-1', limit: 2000, used: 3, remaining: 1997, resetsInS: 60 }),
} as unknown as TenancyServices['tenancy'];

let opened = 0;

async function run(line: string, services: Pick<TenancyServices, 'tenancy'> = { tenancy }) {
  let out = '';
  let err = '';
  const open = () => {
    opened += 1;
    return Promise.resolve({ operator: { door: 'cli', name: 'operator:root' } as const, ...services });
  };
  const code = await runCli(line === '' ? [] : line.split(' '), TENANCY_COMMANDS.commands, open, {
    out: (text) => (out += `${text}\n`),
    err: (text) => (err += `${text}\n`),
  });
  return { code, out, err };
}

beforeEach(() => {
  asked.length = 0;
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
  const refusing = {
    tenancy: { createKey: () => Promise.reject(new SuturaError('key.limit')) } as unknown as TenancyServices['tenancy'],
  };
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
    const broken = {
      tenancy: { createKey: () => Promise.reject(new Error('bug')) } as unknown as TenancyServices['tenancy'],
    };
    await expect(run(line, broken)).rejects.toThrow('bug');
  });
});

test.each(['help', '--help', '-h'])('%s shows every command and ends with 0', async (line) => {
  const { code, out } = await run(line);
  expect(code).toBe(0);
  for (const { name } of TENANCY_COMMANDS.commands) expect(out).toContain(`  ${name}`);
});

test('the help of one command needs nothing else', async () => {
  expect(await run('key create --help')).toMatchObject({ code: 0, err: '' });
  expect(opened).toBe(0);
});

test.each([
  ['org create --name Clinic --plan pro', ['createOrganization', { name: 'Clinic', plan: 'pro' }]],
  [
    'org set --org o-1 --plan free --daily-limit 30 --result-policy auto-final',
    ['changeOrganization', 'o-1', { plan: 'free', dailyLimit: 30, resultPolicy: 'auto-final' }],
  ],
  ['org set --org o-1 --daily-limit none', ['changeOrganization', 'o-1', { dailyLimit: null }]],
  [
    'org set --org o-1 --auto-analyze on --image-hosts PACS.example,images.example:8443',
    ['changeOrganization', 'o-1', { autoAnalyze: true, imageHosts: ['pacs.example', 'images.example:8443'] }],
  ],
  ['org set --org o-1 --unserved-types ignore', ['changeOrganization', 'o-1', { unservedTypes: 'ignore' }]],
  [
    'org set --org o-1 --auto-analyze off --image-hosts none',
    ['changeOrganization', 'o-1', { autoAnalyze: false, imageHosts: [] }],
  ],
  ['org set --org o-1 --time-zone Europe/Berlin', ['changeOrganization', 'o-1', { timeZone: 'Europe/Berlin' }]],
  ['org set --org o-1 --time-zone none', ['changeOrganization', 'o-1', { timeZone: null }]],
  [
    'key create --org=o-1 --env test --scopes images:write,analysis:read',
    ['createKey', 'o-1', { environment: 'test', scopes: ['images:write', 'analysis:read'] }],
  ],
  [
    'key create --org o-1 --env live --scopes images:write --expires 2099-01-01T00:00:00Z',
    ['createKey', 'o-1', { environment: 'live', scopes: ['images:write'], expiresAt: '2099-01-01T00:00:00Z' }],
  ],
  ['key rotate --key k-1', ['rotateKey', 'k-1', { overlapS: 86_400 }]],
  ['key rotate --key k-1 --overlap-s 0', ['rotateKey', 'k-1', { overlapS: 0 }]],
  ['key revoke --key k-1', ['revokeKey', 'k-1']],
  ['key list --org o-1', ['listKeys', 'o-1']],
  ['org list', ['listOrganizations']],
  ['usage --org o-1', ['usage', 'o-1']],
])('%s does what it says, once', async (line, call) => {
  expect(await run(line)).toMatchObject({ code: 0, err: '' });
  expect(asked).toEqual([call]);
});

test('--json is one line of camelCase fields', async () => {
  expect(await run('org create --name Clinic --plan pro --json')).toEqual({
    code: 0,
    out: `${JSON.stringify(ORGANIZATION)}\n`,
    err: '',
  });
  expect(JSON.parse((await run('key create --org o-1 --env test --scopes images:write --json')).out)).toMatchObject({
    keyId: 'k-1',
    key: 'sut_test_text',
    organizationId: 'o-1',
  });
  expect(JSON.parse((await run('key list --org o-1 --json')).out)).toEqual([KEY]);
});

test('text is a table, and a new key is said to be shown once', async () => {
  const lines = (await run('org list')).out.trim().split('\n');
  expect(lines[0]).toMatch(/^ORGANIZATION +NAME +PLAN +PER DAY +RESULT POLICY$/);
  expect(lines[1]).toMatch(/^o-1 +Clinic +pro +2000 +review$/);
  expect((await run('key create --org o-1 --env test --scopes images:write')).out).toContain('it is not shown again');
});
