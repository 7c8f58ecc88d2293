import { writeFile } from 'node:fs/promises';
import { ApiClient, expectStatus, type Answer } from '../../support/api-client.js';
import { AdminBrowser, PASSWORD } from '../../support/admin-browser.js';
import { eventually } from '../../support/eventually.js';
import { askToken, makeClientKey, signAssertion, type ClientKey } from '../../support/smart-client.js';
import { NOBODY, type CommandGround, type CommandRow } from './command-row.js';

/** What earlier rows made. */
export interface Made {
  organizationId: string;
  keyId: string;
  key: string;
  clientId: string;
  readonly clientKeys: ClientKey[];
  userId: string;
}

export type AccessGround = CommandGround & { readonly made: Made };

const SCOPES = ['--scopes', 'analysis:read,analysis:write'];
const KEYS_FILE = 'jwks.json';

const idOf = (out: string, name: string): string => {
  const value: unknown = (JSON.parse(out) as Record<string, unknown>)[name];
  if (typeof value !== 'string') throw new Error(`No ${name} in ${out}`);
  return value;
};

/** What the gateway says to a key. */
const statusFor = async ({ gateway }: CommandGround, key: string): Promise<number> =>
  (await new ApiClient(gateway.baseUrl, key).request('GET', '/api/v1/usage')).status;

async function writeKeys(ground: AccessGround): Promise<string> {
  const key = await makeClientKey('ES384');
  ground.made.clientKeys.push(key);
  await writeFile(ground.file(KEYS_FILE), JSON.stringify({ keys: [key.publicJwk] }));
  return ground.file(KEYS_FILE);
}

/** What the gateway answers a client that asks for a token with the key that was written last. */
async function token({ gateway, made }: AccessGround): Promise<Answer> {
  const url = `${gateway.baseUrl}/auth/token`;
  const assertion = await signAssertion(made.clientId, url, made.clientKeys.at(-1)!);
  return askToken(url, { scope: 'system/Patient.rs', client_assertion: assertion });
}

const logIn = async ({ gateway }: CommandGround, password = PASSWORD): Promise<number> =>
  (await new AdminBrowser(gateway).tryLogIn('anna', password)).status;

const organizations: readonly CommandRow<AccessGround>[] = [
  {
    name: 'org create',
    call: () => ['--name', 'Clinic North', '--plan', 'pro', '--json'],
    async effect(out, { made, gateway }) {
      made.organizationId = idOf(out, 'organizationId');
      const { items } = expectStatus(200, await gateway.admin('GET', '/organizations')).body;
      expect(items).toContainEqual(expect.objectContaining({ id: made.organizationId, name: 'Clinic North' }));
    },
    refused: {
      call: () => ['--name', 'Clinic South', '--plan', 'golden'],
      code: 2,
      says: '--plan',
      async leaves({ gateway }) {
        expect(JSON.stringify((await gateway.admin('GET', '/organizations')).body)).not.toContain('South');
      },
    },
  },
  {
    name: 'org list',
    call: () => [],
    effect: (out, { made }) => expect(out).toMatch(new RegExp(`^${made.organizationId} +Clinic North +pro `, 'm')),
    refused: {
      call: () => [],
      variables: ({ gateway }) => ({ DATABASE_URL: new URL('/none', gateway.databaseUrl).href }),
      code: 1,
      says: 'The server of DATABASE_URL has no database of its name. Correct DATABASE_URL.',
    },
  },
  {
    name: 'org set',
    call: ({ made }) => ['--org', made.organizationId, '--plan', 'enterprise', '--time-zone', 'Europe/Berlin'],
    async effect(out, { gateway }) {
      expect(out).toMatch(/time zone +Europe\/Berlin/);
      const { items } = (await gateway.admin('GET', '/organizations')).body;
      expect(items).toContainEqual(expect.objectContaining({ plan: 'enterprise', timeZone: 'Europe/Berlin' }));
    },
    refused: { call: () => ['--org', NOBODY, '--name', 'X'], code: 1, says: 'organization.not_found' },
  },
];

const keys: readonly CommandRow<AccessGround>[] = [
  {
    name: 'key create',
    call: ({ made }) => ['--org', made.organizationId, '--env', 'test', ...SCOPES, '--json'],
    async effect(out, ground) {
      Object.assign(ground.made, { keyId: idOf(out, 'keyId'), key: idOf(out, 'key') });
      expect(await statusFor(ground, ground.made.key)).toBe(200);
    },
    refused: { call: () => ['--org', NOBODY, '--env', 'test', ...SCOPES], code: 1, says: 'organization.not_found' },
  },
  {
    name: 'key list',
    call: ({ made }) => ['--org', made.organizationId],
    effect: (out, { made }) => expect(out).toMatch(new RegExp(`^${made.keyId} +sut_test_.* test +active `, 'm')),
    refused: { call: () => ['--org', NOBODY], code: 1, says: 'organization.not_found' },
  },
  {
    name: 'key set',
    call: ({ made }) => ['--key', made.keyId, '--persons', 'on', '--networks', '127.0.0.0/8'],
    async effect(out, ground) {
      expect(out).toMatch(/networks +127\.0\.0\.0\/8\npersons +on/);
      expect(await statusFor(ground, ground.made.key)).toBe(200);
    },
    refused: { call: () => ['--key', NOBODY, '--persons', 'on'], code: 1, says: 'key.not_found' },
  },
  {
    name: 'key rotate',
    call: ({ made }) => ['--key', made.keyId, '--json'],
    async effect(out, ground) {
      const { made } = ground;
      expect(await statusFor(ground, made.key)).toBe(200);
      Object.assign(made, { keyId: idOf(out, 'keyId'), key: idOf(out, 'key') });
      expect(await statusFor(ground, made.key)).toBe(200);
    },
    refused: { call: () => ['--key', NOBODY], code: 1, says: 'key.not_found' },
  },
  {
    name: 'key revoke',
    call: ({ made }) => ['--key', made.keyId],
    async effect(out, ground) {
      expect(out).toBe(`Key ${ground.made.keyId} is revoked.\n`);
      await eventually('the key is refused', async () => (await statusFor(ground, ground.made.key)) === 401);
    },
    refused: { call: () => ['--key', NOBODY], code: 1, says: 'key.not_found' },
  },
  {
    name: 'usage',
    call: ({ made }) => ['--org', made.organizationId],
    effect: (out) => expect(out).toMatch(/^used +0\nremaining +\d+\nlimit +\d+\nresets in +\d+ s\n$/),
    refused: { call: () => ['--org', NOBODY], code: 1, says: 'organization.not_found' },
  },
];

const clients: readonly CommandRow<AccessGround>[] = [
  {
    name: 'client create',
    call: async (ground) => [
      '--org',
      ground.made.organizationId,
      '--env',
      'test',
      '--name',
      'EHR',
      '--scopes',
      'system/*.crus',
      '--jwks',
      await writeKeys(ground),
      '--json',
    ],
    async effect(out, ground) {
      ground.made.clientId = idOf(out, 'clientId');
      expect((await token(ground)).body).toMatchObject({ scope: 'system/Patient.rs', token_type: 'bearer' });
    },
    refused: {
      call: ({ made }) => [
        '--org',
        made.organizationId,
        '--env',
        'test',
        '--name',
        'EHR',
        '--scopes',
        'system/*.rs',
        '--jwks',
        '/nowhere/jwks.json',
      ],
      code: 2,
      says: '--jwks must name a file with a JWK Set in JSON; /nowhere/jwks.json cannot be read as one.',
    },
  },
  {
    name: 'client list',
    call: ({ made }) => ['--org', made.organizationId],
    effect: (out, { made }) =>
      expect(out).toMatch(new RegExp(`^${made.clientId} +EHR +test +active +system/\\*\\.crus`, 'm')),
    refused: { call: () => ['--org', NOBODY], code: 1, says: 'organization.not_found' },
  },
  {
    name: 'client set',
    call: ({ made }) => ['--client', made.clientId, '--persons', 'on'],
    effect: (out) => expect(out).toMatch(/persons +on\nstate +active/),
    refused: { call: () => ['--client', NOBODY, '--persons', 'on'], code: 1, says: 'client.not_found' },
  },
  {
    name: 'client rotate',
    call: async (ground) => ['--client', ground.made.clientId, '--jwks', await writeKeys(ground)],
    async effect(out, ground) {
      expect(out).toContain(ground.made.clientKeys.at(-1)!.kid);
      expectStatus(200, await token(ground));
    },
    refused: {
      call: (ground) => ['--client', NOBODY, '--jwks', ground.file(KEYS_FILE)],
      code: 1,
      says: 'client.not_found',
    },
  },
  {
    name: 'client revoke',
    call: ({ made }) => ['--client', made.clientId],
    async effect(out, ground) {
      expect(out).toBe(`Client ${ground.made.clientId} is revoked.\n`);
      await eventually('it gets no token', async () => (await token(ground)).status === 401);
    },
    refused: { call: () => ['--client', NOBODY], code: 1, says: 'client.not_found' },
  },
];

const users: readonly CommandRow<AccessGround>[] = [
  {
    name: 'user create',
    call: ({ made }) => ['--name', 'anna', '--roles', `viewer@${made.organizationId}`, '--password-stdin', '--json'],
    input: `${PASSWORD}\n`,
    async effect(out, ground) {
      ground.made.userId = idOf(out, 'userId');
      expect(await logIn(ground)).toBe(200);
    },
    refused: {
      call: () => ['--name', 'otto', '--password-stdin'],
      input: 'short\n',
      code: 1,
      says: 'user.password',
      async leaves({ gateway }) {
        expect(JSON.stringify((await gateway.admin('GET', '/users')).body)).not.toContain('otto');
      },
    },
  },
  {
    name: 'user list',
    call: () => [],
    effect: (out, { made }) =>
      expect(out).toMatch(new RegExp(`^${made.userId} +anna .* active +viewer@${made.organizationId}`, 'm')),
    refused: { call: () => ['--name', 'anna'], code: 2, says: "Unknown option '--name'" },
  },
  {
    name: 'user set',
    call: ({ made }) => ['--user', made.userId, '--display-name', 'Anna Example'],
    effect: (out) => expect(out).toMatch(/display name +Anna Example/),
    refused: { call: () => ['--user', NOBODY, '--display-name', 'X'], code: 1, says: 'user.not_found' },
  },
  {
    name: 'user disable',
    call: ({ made }) => ['--user', made.userId],
    async effect(out, ground) {
      expect(out).toMatch(/state +disabled/);
      expect(await logIn(ground)).toBe(401);
    },
    refused: { call: () => ['--user', NOBODY], code: 1, says: 'user.not_found' },
  },
  {
    name: 'user enable',
    call: ({ made }) => ['--user', made.userId],
    async effect(out, ground) {
      expect(out).toMatch(/state +active/);
      expect(await logIn(ground)).toBe(200);
    },
    refused: { call: () => ['--user', NOBODY], code: 1, says: 'user.not_found' },
  },
  {
    name: 'user reset',
    call: ({ made }) => ['--user', made.userId, '--password-stdin'],
    input: 'nine moons under two meadows\n',
    async effect(out, ground) {
      expect(out).toMatch(/state +active/);
      expect(await logIn(ground)).toBe(401);
      expect(await logIn(ground, 'nine moons under two meadows')).toBe(200);
    },
    refused: {
      call: ({ made }) => ['--user', made.userId, '--password-stdin'],
      input: 'short\n',
      code: 1,
      says: 'user.password',
      after: true,
      leaves: async (ground) => expect(await logIn(ground, 'nine moons under two meadows')).toBe(200),
    },
  },
];

export const ACCESS_ROWS: readonly CommandRow<AccessGround>[] = [...organizations, ...keys, ...clients, ...users];
