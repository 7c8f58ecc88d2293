import { readFileSync } from 'node:fs';
import { ENVIRONMENT_SCHEMA, readSettings, SettingsError } from './settings.js';

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

  it('refuses S3 storage without a bucket', () => {
    expect(() => readSettings({ SUTURA_STORAGE: 's3' })).toThrow('S3_BUCKET');
  });

  it('refuses what needs another setting', () => {
    expect(() => readSettings({ REDIS_URL: 'redis://localhost', REDIS_CA_FILE: 'ca.pem' })).toThrow(
      'REDIS_CA_FILE: needs a REDIS_URL that begins with rediss://',
    );
    expect(() => readSettings({ REDIS_SENTINELS: 'a:1' })).toThrow('REDIS_SENTINELS');
  });

  it('trusts proxies by address, network and name', () => {
    expect(readSettings({ TRUST_PROXY: '10.1.2.3, fd00::/8,loopback' }).environment.TRUST_PROXY).toEqual([
      '10.1.2.3',
      'fd00::/8',
      'loopback',
    ]);
    expect(readSettings({}).environment.TRUST_PROXY).toBe(false);
  });

  it('puts an IPv6 address into brackets', () => {
    expect(readSettings({ HOST: 'fd00::5' }).publicUrl).toBe('http://[fd00::5]:3000');
    expect(readSettings({ HOST: '::' }).publicUrl).toBe('http://[::1]:3000');
    expect(
      readSettings({ REDIS_URL: 'redis://group', REDIS_SENTINELS: '[::1]:26379,b:2' }).environment.REDIS_SENTINELS,
    ).toEqual([
      { host: '::1', port: 26379 },
      { host: 'b', port: 2 },
    ]);
  });

  it('names every bad variable at once', () => {
    expect(() => readSettings({ PORT: '-1', SUTURA_LEASE_S: '0' })).toThrow(/PORT[\s\S]*SUTURA_LEASE_S/);
  });

  it('needs nothing set, and treats an empty variable as absent', () => {
    const settings = readSettings({ PORT: '' }, '/srv/sutura');
    expect(settings.environment).toMatchObject({
      PORT: 3000,
      SUTURA_ROLES: ['api', 'worker', 'hl7'],
      SUTURA_STORAGE: 'local',
    });
    expect(settings.dataDir).toBe('/srv/sutura/.data');
    expect(settings.publicUrl).toBe('http://127.0.0.1:3000');
  });

  it('hands out PUBLIC_URL without a trailing slash', () => {
    expect(readSettings({ PUBLIC_URL: 'https://wounds.example.org/sutura/' }).publicUrl).toBe(
      'https://wounds.example.org/sutura',
    );
  });
});

describe('docs/operations.md', () => {
  const rows = new Map(
    readFileSync('docs/operations.md', 'utf8')
      .split('\n')
      .map((line) => /^\| `([A-Z0-9_]+)` \| (.*?) \| (.*) \|$/.exec(line))
      .filter((match) => match !== null)
      .map((match) => [match[1]!, { fallback: match[2]!, text: match[3]! }]),
  );

  it('lists the settings that the gateway reads, no more and no fewer', () => {
    expect([...rows.keys()].sort()).toEqual(Object.keys(ENVIRONMENT_SCHEMA.shape).sort());
  });

  it.each(Object.entries(ENVIRONMENT_SCHEMA.shape))('describes %s as the code does', (name, schema) => {
    expect(rows.get(name)?.text).toBe(schema.description);
  });
});
