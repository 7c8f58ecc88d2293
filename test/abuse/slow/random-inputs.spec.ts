import { parametersOf } from '../../../src/standards/fhir/search-index/parameters/search-parameters.js';
import { send } from '../../support/api-client.js';
import { Dice } from '../../support/mutations.js';
import { eachSeed, seedsOf } from '../../support/rounds.js';
import { AbuseGround } from '../abuse-ground.js';

/** Longest that somebody else may wait while random things come in. */
const BLOCKED_LIMIT_MS = 1000;
const SEED = 20_261_122;
const TYPES = [
  'Patient',
  'Observation',
  'Media',
  'DiagnosticReport',
  'Condition',
  'ServiceRequest',
  'BodyStructure',
  'Encounter',
  'Task',
  'DocumentReference',
] as const;
const POINTERS = [
  '/name',
  '/name/0',
  '/name/-',
  '/name/0/given',
  '/name/0/given/-',
  '/name/0/given/0',
  '/extension',
  '/extension/-',
  '/extension/0',
  '/gender',
  '/contact',
  '/x',
  '/meta',
  '/id',
  '/resourceType',
  '/name/0/__proto__',
  '',
  '/name/00',
  '/~',
  '/telecom/0/value',
];
const TEXTS = [
  'a',
  '',
  'x'.repeat(2000),
  'ä',
  '\u{1F600}',
  '2026-02-30',
  'Patient/1',
  '\\',
  '<div>a</div>',
  'urn:uuid:x',
  'null',
  '1e999',
];
const VALUES = [
  'a',
  'a,b',
  'x|y',
  '|',
  '',
  'gt5',
  'lt2026',
  'ap1e308',
  '2026-13',
  'Patient/1',
  'a$b',
  'a\\,b',
  '%',
  '\u0000',
  '\ud800',
  'x'.repeat(300),
  '5||cm2',
  'eq5.4|http://unitsofmeasure.org|cm2',
  'sa2026-01-01T10:00:00Z',
  '-1',
  '99999999999999999999',
  'true',
  "' or 1=1 --",
  ','.repeat(99),
];

function value(dice: Dice, depth: number): unknown {
  if (depth === 0 || dice.below(3) === 0) return dice.pick<unknown>([null, true, 0, -1.5, 1e308, dice.pick(TEXTS)]);
  const count = dice.below(12) === 0 ? dice.below(300) : dice.below(4);
  if (dice.below(2) === 0) return Array.from({ length: count }, () => value(dice, depth - 1));
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      dice.pick([
        'name',
        'given',
        'url',
        'extension',
        'contained',
        'resourceType',
        'text',
        'div',
        'value',
        `k${index}`,
      ]),
      value(dice, depth - 1),
    ]),
  );
}

function patch(dice: Dice): unknown {
  const count = dice.below(10) === 0 ? dice.below(1000) : 1 + dice.below(20);
  return Array.from({ length: count }, () => ({
    op: dice.pick(['add', 'add', 'copy', 'copy', 'copy', 'move', 'replace', 'remove', 'test', 'x']),
    path: dice.pick(POINTERS),
    from: dice.pick(POINTERS),
    value: value(dice, 3),
  }));
}

/** Deep or wide, of a resource or of nothing; now and then cut off. */
function json(dice: Dice): string {
  const depth = dice.below(4) === 0 ? dice.below(300) : dice.below(20);
  const inside = JSON.stringify(value(dice, 5));
  const wide =
    dice.below(4) === 0
      ? `[${Array.from({ length: dice.below(20_000) }, () => (inside.slice(0, 200).includes('{') ? '{}' : '1')).join(',')}]`
      : inside;
  const nested =
    dice.below(2) === 0
      ? `${'{"extension":['.repeat(depth)}${wide}${']}'.repeat(depth)}`
      : `${'['.repeat(depth)}${wide}${']'.repeat(depth)}`;
  const text = `{"resourceType":${JSON.stringify(dice.pick([...TYPES, 'Bundle', 'Parameters']))},"type":"batch","${dice.pick(['name', 'extension', 'entry', 'contained', 'identifier', 'text', 'component'])}":${nested}}`;
  return dice.below(10) === 0 ? text.slice(0, dice.below(text.length)) : text;
}

function search(dice: Dice, type: string): string {
  const names = [
    ...parametersOf(type).map(({ name }) => name),
    '_id',
    '_lastUpdated',
    '_sort',
    '_count',
    '_include',
    '_revinclude',
    '_summary',
    '_elements',
    '_total',
    '_cursor',
    '_has:Observation:subject:code',
    'nothing',
  ];
  const modifiers = [
    '',
    '',
    '',
    ':missing',
    ':not',
    ':text',
    ':exact',
    ':contains',
    ':identifier',
    ':Patient',
    '.name',
    ':Patient.identifier',
    '.subject.name',
    ':x',
  ];
  const parameters = Array.from({ length: 1 + dice.below(dice.below(10) === 0 ? 60 : 5) }, () => {
    const many = Array.from({ length: 1 + dice.below(dice.below(8) === 0 ? 120 : 3) }, () =>
      dice.pick([...VALUES, ...TYPES.map((each) => `${each}:subject`), '*']),
    );
    return [`${dice.pick(names)}${dice.pick(modifiers)}`, many.join(',')] as [string, string];
  });
  return new URLSearchParams(parameters).toString();
}

describe('a caller who sends whatever comes to mind', () => {
  let ground: AbuseGround;
  let patientId: string;

  beforeAll(async () => {
    ground = await AbuseGround.start();
    const created = await ground.client.request('POST', '/fhir/Patient', {
      json: { resourceType: 'Patient', name: [{ family: 'Example', given: ['A', 'B'] }], telecom: [{ value: '1' }] },
    });
    patientId = created.body.id as string;
  });

  afterAll(() => ground.stop());

  const ask = async (method: string, path: string, type: string, body: string): Promise<number> =>
    (
      await send(method, `${ground.gateway.baseUrl}/fhir/${path}`, {
        key: ground.client.key,
        headers: { 'content-type': type },
        bytes: Buffer.from(body),
        timeoutMs: 60_000,
      })
    ).status;

  async function rounds(name: string, full: number, first: number, once: (dice: Dice) => Promise<number>) {
    const statuses = new Map<number, number>();
    await ground.neighbour.waited();
    await eachSeed(name, seedsOf(name, full, first), async (seed) => {
      const status = await once(new Dice(seed));
      if (status >= 500) throw new Error(`The answer was ${status}.`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    });
    const { slowestMs, failures } = await ground.neighbour.waited();
    expect([failures, slowestMs < BLOCKED_LIMIT_MS ? 'in time' : slowestMs, ground.isSameProcess]).toEqual([
      0,
      'in time',
      true,
    ]);
    // Rounds that are all answered alike would show nothing.
    expect(statuses.size).toBeGreaterThan(1);
  }

  it(
    'as 500 JSON Patches',
    () =>
      rounds('random-patches', 50, SEED, (dice) =>
        ask('PATCH', `Patient/${patientId}`, 'application/json-patch+json', JSON.stringify(patch(dice))),
      ),
    300_000,
  );

  it(
    'as 500 deep and wide bodies',
    () =>
      rounds('random-bodies', 50, SEED + 1000, (dice) =>
        ask(
          'POST',
          dice.pick(['', 'Patient', 'Observation', 'Patient/$validate', 'Media']),
          'application/fhir+json',
          json(dice),
        ),
      ),
    300_000,
  );

  it(
    'as 2,000 searches',
    () =>
      rounds('random-searches', 200, SEED + 2000, (dice) => {
        const type = dice.pick(TYPES);
        return ask('POST', `${type}/_search`, 'application/x-www-form-urlencoded', search(dice, type));
      }),
    600_000,
  );
});
