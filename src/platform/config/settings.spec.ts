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
    ['HL7_ENCRYPTION_KEY', 'c2hvcnQ='],
  ])('refuses %s=%s by the name of the variable and without repeating the value', (name, value) => {
    const read = () => readSettings({ [name]: value });
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(new RegExp(`^These settings cannot be used:\\n {2}${name}`));
    expect(read).not.toThrow(new RegExp(value.replace('.', '\\.'), 'i'));
  });

  it('refuses S3 storage without a bucket', () => {
    expect(() => readSettings({ SUTURA_STORAGE: 's3' })).toThrow('S3_BUCKET');
  });

  it('names every bad variable at once', () => {
    expect(() => readSettings({ PORT: '-1', SUTURA_LEASE_S: '0' })).toThrow(/PORT[\s\S]*SUTURA_LEASE_S/);
  });

  it('needs nothing set, and treats an empty variable as absent', () => {
    const settings = readSettings({ PORT: '' }, '/srv/sutura');
    expect(settings.environment).toMatchObject({ PORT: 3000, SUTURA_ROLES: ['api', 'worker', 'hl7'], SUTURA_STORAGE: 'local' });
    expect(settings.dataDir).toBe('/srv/sutura/.data');
    expect(settings.publicUrl).toBe('http://127.0.0.1:3000');
  });

  it('hands out PUBLIC_URL without a trailing slash', () => {
    expect(readSettings({ PUBLIC_URL: 'https://wounds.example.org/sutura/' }).publicUrl).toBe('https://wounds.example.org/sutura');
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
