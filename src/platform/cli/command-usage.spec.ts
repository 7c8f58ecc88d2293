import { readUsage } from './command-usage.js';

const optionsOf = (usage: string): Record<string, string> =>
  Object.fromEntries(Object.entries(readUsage(usage).options).map(([name, { type }]) => [name, type]));

it('takes the words in front for the name of the command', () => {
  expect(readUsage('org list')).toMatchObject({ name: 'org list', positionals: [], options: {}, required: [] });
  expect(readUsage('hl7 dry-run FILE [--listener ID]')).toMatchObject({ name: 'hl7 dry-run', positionals: ['file'] });
  expect(readUsage('trace ID')).toMatchObject({ name: 'trace', positionals: ['id'] });
});

it.each([
  [
    'key set --key ID [--networks CIDR,…|none] [--persons on|off]',
    { key: 'string', networks: 'string', persons: 'string' },
  ],
  ['x --id ID --yes', { id: 'string', yes: 'boolean' }],
  ['x --yes|--dry-run', { yes: 'boolean', 'dry-run': 'boolean' }],
  ['x --jwks FILE|--jwks-url URL', { jwks: 'string', 'jwks-url': 'string' }],
  ['x (--listener ID | --out --destination ID) [--out]', { listener: 'string', out: 'boolean', destination: 'string' }],
  [
    'x --scopes "system/TYPE.crus …" [--queue park|move [--to ID]]',
    { scopes: 'string', queue: 'string', to: 'string' },
  ],
])('knows of each option whether it has a value: %s', (usage, options) => {
  expect(optionsOf(usage)).toEqual(options);
});

it('asks for options that stand in no brackets and have no alternative', () => {
  const usage = 'x --org ID [--limit N [--after ID]] --jwks FILE|--jwks-url URL --yes --name "A B"';
  expect(readUsage(usage).required).toEqual(['org', 'name']);
});
