import { readFileSync } from 'node:fs';
import { SECTIONS } from './settings-schema.js';
import { readSettings, SettingsError } from './settings.js';

describe('readSettings', () => {
  it.each([
    ['PORT', '70000'],
    ['PORT', 'three'],
    ['PUBLIC_URL', 'ftp://example.org'],
    ['SUTURA_STORAGE', 'tape'],
    ['SUTURA_ROLES', 'api,painter'],
    ['SUTURA_EXECUTION_PROVIDERS', 'tpu'],
    ['SUTURA_ALLOW_RESEARCH_MODEL', 'yes'],
    ['SUTURA_ADMIN_TOKEN', 'short'],
    ['SUTURA_SEGMENTATION_MODEL', '../elsewhere'],
    ['SUTURA_TISSUE_MODEL', '/etc'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_URL', 'postgresfoo://localhost/x'],
    ['REDIS_URL', 'redislike://localhost'],
    ['REDIS_URL', 'redis+sentinel://localhost'],
    ['REDIS_URL', 'rediss://localhost/0?ssl_cert_reqs=none'],
    ['REDIS_SENTINELS', 'localhost'],
    ['S3_ENDPOINT', 's3://photos'],
    ['S3_PUBLIC_ENDPOINT', 'ftp://photos.example.org'],
    ['SUTURA_INFERENCE_URL', 'grpc://triton:8001'],
    ['SUTURA_INFERENCE_URL', 'http://someone:secret@triton:8000'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '12'],
    ['TRUST_PROXY', 'everyone'],
    ['TRUST_PROXY', '10.0.0.0/99'],
    ['HL7_ENCRYPTION_KEY', 'c2hvcnQ='],
  ])('refuses %s=%s by the name of the variable and without repeating the value', (name, value) => {
    const read = () => readSettings({ [name]: value });
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(new RegExp(`^These settings cannot be used:\\n {2}${name}`));
    const repeated = new RegExp(`[:=] ?${value.replace(/[.+?/]/g, '\\$&')}$`, 'im');
    expect(read).not.toThrow(repeated);
  });

  it.each(Object.values(SECTIONS).flatMap((section) => Object.values(section).map(({ name }) => name)))(
    'says of a wrong %s what it must be, and not in the words of a library',
    (name) => {
      const saidOf = (value: string): string => {
        try {
          readSettings({ [name]: value });
          return '';
        } catch (error) {
          return (error as Error).message;
        }
      };
      for (const value of ['no value, of anything', '-1', '/', '1e99', 'http://'])
        expect(saidOf(value)).not.toMatch(
          /Invalid |Too (small|big)|Unrecognized|received|pattern|>=|<=|docs\/settings/,
        );
    },
  );

  it('says which values there are', () => {
    expect(() => readSettings({ SUTURA_STORAGE: 'tape' })).toThrow('SUTURA_STORAGE: must be one of local, s3');
    expect(() => readSettings({ TRUST_PROXY: 'everyone' })).toThrow(
      'TRUST_PROXY: takes addresses and networks by commas',
    );
  });

  it('refuses S3 storage without a bucket', () => {
    expect(() => readSettings({ SUTURA_STORAGE: 's3' })).toThrow('S3_BUCKET');
  });

  it('refuses inference servers without an address', () => {
    expect(() => readSettings({ SUTURA_EXECUTION_PROVIDERS: 'remote,cpu' })).toThrow('SUTURA_INFERENCE_URL: needed');
    expect(readSettings({ SUTURA_INFERENCE_URL: 'http://a:1, https://b/x' }).engine.urls).toEqual([
      'http://a:1',
      'https://b/x',
    ]);
  });

  it('refuses what needs another setting', () => {
    expect(() => readSettings({ REDIS_URL: 'redis://localhost', REDIS_CA_FILE: 'ca.pem' })).toThrow(
      'REDIS_CA_FILE: needs a REDIS_URL that begins with rediss://',
    );
    expect(() => readSettings({ REDIS_SENTINELS: 'a:1' })).toThrow('REDIS_SENTINELS');
  });

  it('trusts proxies by address, network and name', () => {
    expect(readSettings({ TRUST_PROXY: '10.1.2.3, fd00::/8,loopback' }).http.trustProxy).toEqual([
      '10.1.2.3',
      'fd00::/8',
      'loopback',
    ]);
    expect(readSettings({}).http.trustProxy).toBe(false);
  });

  it('takes an IPv6 address in brackets', () => {
    expect(readSettings({ REDIS_URL: 'redis://group', REDIS_SENTINELS: '[::1]:26379,b:2' }).redis.sentinels).toEqual([
      { host: '::1', port: 26379 },
      { host: 'b', port: 2 },
    ]);
  });

  it.each([
    ['mysql://db/x', 'must be postgres://user:password@host:5432/database'],
    ['postgres://u:p:w@h1:5432,h2:port/x', 'has a host that is not host:port'],
    ['postgres://u:p@h1:65536/x', 'has a host that is not host:port'],
    ['postgres://u:p@h/x?sslmode=always', 'sslmode must be one of disable, prefer, require'],
    ['postgres://u:p@h/x?sslmode=verify-ca', 'sslmode=verify-ca needs sslrootcert'],
  ])('says in words what is wrong with an address of the database', (DATABASE_URL, words) => {
    expect(() => readSettings({ DATABASE_URL })).toThrow(`DATABASE_URL: ${words}`);
    expect(() => readSettings({ DATABASE_URL })).not.toThrow(/p:w|u:p@/);
  });

  it.each(['postgres://u:p@h1:5432,[::1]:5433,h3/x', 'postgresql:///x?host=/run/postgresql', 'postgres://db'])(
    'takes %s as an address of the database',
    (DATABASE_URL) => expect(readSettings({ DATABASE_URL }).database.url).toBe(DATABASE_URL),
  );

  it('says in words which roles there are, and how long a token must be', () => {
    expect(() => readSettings({ SUTURA_ROLES: 'api,workers' })).toThrow(
      'SUTURA_ROLES: takes api, worker, hl7, by commas',
    );
    expect(() => readSettings({ SUTURA_ADMIN_TOKEN: 'short' })).toThrow(
      'SUTURA_ADMIN_TOKEN: must have at least 24 characters',
    );
  });

  it('names every bad variable at once', () => {
    expect(() => readSettings({ PORT: '-1', SUTURA_LEASE_S: '0' })).toThrow(/PORT[\s\S]*SUTURA_LEASE_S/);
    for (const PORT of ['-1', '65536', '3.5', 'three'])
      expect(() => readSettings({ PORT })).toThrow('PORT: must be a whole number from 0 to 65535, such as 3000');
  });

  it('needs nothing set, and treats an empty variable as absent', () => {
    const settings = readSettings({ PORT: '' }, '/srv/sutura');
    expect(settings).toMatchObject({
      http: { port: 3000, publicUrl: undefined },
      process: { roles: ['api', 'worker', 'hl7'], dataDir: '/srv/sutura/.data' },
      storage: { driver: 'local' },
      models: { dir: '/srv/sutura/models' },
    });
  });

  it('cannot be changed afterwards', () => {
    const { http } = readSettings({});
    expect(() => Object.assign(http, { port: 1 })).toThrow(TypeError);
  });
});

const VARIABLES = Object.values(SECTIONS).flatMap((section) =>
  Object.values(section).map(({ name, schema }): [string, string | undefined] => [name, schema.description]),
);

describe('docs/settings.md', () => {
  const rows = new Map(
    readFileSync('docs/settings.md', 'utf8')
      .split('\n')
      .map((line) => /^\| `([A-Z0-9_]+)` \| (.*?) \| (.*) \|$/.exec(line))
      .filter((match) => match !== null)
      .map((match) => [match[1]!, { fallback: match[2]!, text: match[3]! }]),
  );

  it('lists the settings that the gateway reads, no more and no fewer', () => {
    expect([...rows.keys()].sort()).toEqual(VARIABLES.map(([name]) => name).sort());
  });

  it.each(VARIABLES)('describes %s as the code does', (name, description) => {
    expect(rows.get(name)?.text).toBe(description);
  });
});
