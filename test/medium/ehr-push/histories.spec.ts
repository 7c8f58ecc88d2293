import { answerWith, startFakeEhr, type Answer, type Dialect, type Fault } from '../../support/fake-ehr/index.js';
import { randomNumbers } from '../../support/card-scene.js';
import { eachSeed, seedsOf } from '../../support/rounds.js';
import { PATIENTS, PushGround } from './push-ground.js';
import { PushHistory, type Death } from './push-history.js';

let ground: PushGround;

beforeAll(async () => {
  ground = await PushGround.open();
});

afterAll(() => ground.close());

const DIALECTS = ['us-core-note', 'transaction', 'oracle', 'isik'] as const satisfies readonly Dialect[];
const DEATHS: readonly Death[] = ['before it writes', 'after it noted a write', 'before it noted the answer'];
/** More attempts and acts of people than any history needs to come to its end. */
const MOST_ROUNDS = 40;
const PAGE: Answer = { status: 404, bytes: Buffer.from('<html></html>') };
const CONTENT = { 'content-type': 'text/html' };

/** The night runs a hundred times as many; drawn-histories.spec.ts draws more of them, in memory. */
const ROUNDS_MS = 3_600_000;

type Draw = <T>(list: readonly T[]) => T;

async function begin(random: () => number, draw: Draw): Promise<PushHistory> {
  const tenant = await ground.context.createTenant();
  const dialect = draw(DIALECTS);
  const ehr = await startFakeEhr({ dialect });
  ehr.control.open();
  ehr.control.addPractitioner({ identifiers: [{ system: 'urn:oid:2.999.9', value: 'HCP-0042' }] });
  const first = ehr.control.addPatient({ identifiers: [{ system: PATIENTS, value: 'MRN-4711' }] });
  const second = ehr.control.addPatient({ identifiers: [] });
  for (const patientId of [first, second]) ehr.control.addEncounter({ patientId, start: '2025-01-01T00:00:00Z' });
  const encounterRule = dialect === 'oracle' ? 'period' : 'none';
  const registered = await ground.register(tenant, ehr, { dialect, send: ['pdf'], encounterRule });
  const history = new PushHistory(ground, tenant, ehr, registered, [first, second], random);
  history.told.push(dialect);
  await history.assess();
  return history;
}

/** What happens to one request of the next attempt. */
function plan(history: PushHistory, random: () => number, draw: Draw): void {
  const method = draw(['POST', 'POST', 'PUT', 'GET']);
  const late = (isTaken: boolean): Fault => ({
    kind: 'late',
    answer: isTaken ? { status: draw([201, 202]) } : null,
    hold: (work) => void history.late.push({ isTaken, work }),
  });
  const stolen: Fault = {
    kind: 'before',
    act: async () => {
      history.told.push('  (the lease is lost)');
      history.steal();
      await history.expire();
      await history.step();
    },
  };
  const faults: readonly [string, Fault][] = [
    ['is lost', { kind: 'drop-before' }],
    ['is done and not answered', { kind: 'drop-after' }],
    ['is answered with 404 by a proxy', { kind: 'answer', answer: PAGE }],
    ['is answered with a page', { kind: 'answer', answer: { status: 200, headers: CONTENT, bytes: PAGE.bytes! } }],
    ...[409, 412, 422, 429, 500, 503].map((status): [string, Fault] => [String(status), answerWith(status, 0)]),
  ];
  const ofWrites: readonly [string, Fault][] = [
    ['is late', late(false)],
    ['is taken, and late', late(true)],
    ['is taken at once', { kind: 'accepted' }],
    ['is done, behind a page', { kind: 'garbage' }],
    ['meets another process', stolen],
  ];
  const [what, fault] = draw(method === 'POST' && random() < 0.6 ? ofWrites : faults);
  history.told.push(`  the next ${method} ${what}`);
  history.ehr.control.plan(fault, { method, path: '/fhir' });
}

async function happen(history: PushHistory, random: () => number, draw: Draw): Promise<void> {
  const rows = await history.rows();
  const parked = rows.filter(({ state }) => state === 'parked');
  const chance = random();
  if (chance < 0.5) {
    if (random() < 0.6) plan(history, random, draw);
    await history.step(random() < 0.15 ? draw(DEATHS) : null);
  } else if (chance < 0.62 && rows.length < 4 && history.report.status !== 'entered-in-error')
    await history.decide(random() < 0.35 ? 'reject' : 'accept');
  else if (chance < 0.72) await history.wait(random() < 0.3);
  else if (chance < 0.82 && parked.length > 0) await history.follow(draw(parked));
  else if (chance < 0.88) await history.replayDelivered();
  else if (chance < 0.93) await history.edit();
  else if (chance < 0.96) history.movePatient();
  else await history.setEnabled(random() < 0.6);
}

/** Everything that waits is sent, and people do what they are told, until nothing is left. */
async function finish(history: PushHistory): Promise<void> {
  history.told.push('the end');
  await history.setEnabled(true);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    await history.wait(true);
    for (let attempt = 0; attempt < 8 && (await history.step()); attempt += 1) check(history);
    const rows = await history.rows();
    const parked = rows.find(({ state }) => state === 'parked');
    if (parked !== undefined) await history.follow(parked);
    else if (rows.every(({ state }) => state !== 'waiting')) return;
  }
  throw new Error('It comes to no end.');
}

/** What holds after every step. */
function check({ chart, edited }: PushHistory): void {
  const standing = chart.standing();
  const versions = standing.map(({ version }) => version);
  if (new Set(versions).size < versions.length) throw new Error(`Filed twice: ${JSON.stringify(standing)}`);
  for (const reference of edited) {
    const { description, status } = chart.text(reference);
    if (description !== 'Seen by hand' && status !== 'entered-in-error')
      throw new Error(`What a clinician wrote into ${reference} is gone.`);
  }
}

/** What holds once nothing is under way and nothing waits. */
async function checkEnd(history: PushHistory): Promise<void> {
  check(history);
  const rows = await history.rows();
  const newest = rows.at(-1)!;
  if (newest.state !== 'delivered') return;
  const standing = history.chart.standing();
  const older = standing.filter(({ version }) => version < newest.version);
  if (older.length > 0)
    throw new Error(`Version ${newest.version} is called filed, and there stands ${JSON.stringify(older)}.`);
  if (history.report.status === 'entered-in-error') return;
  const own = history.chart.all().filter(({ version }) => version === newest.version);
  if (own.length === 0) throw new Error(`Version ${newest.version} is called filed, and is not there.`);
  const isHere = own.some(({ patient }) => patient === `Patient/${history.patientId}`);
  const wasMoved = history.told.includes('the number moves');
  if (!isHere && !wasMoved) throw new Error(`Version ${newest.version} is in another chart.`);
}

it(
  'whatever happens, nothing is filed twice, called filed or withdrawn that is not, or written over, and all comes to an end',
  async () => {
    await eachSeed('ehr-push-histories', seedsOf('ehr-push-histories', 150), async (seed) => {
      const random = randomNumbers(seed);
      const draw: Draw = (list) => list[Math.floor(random() * list.length)]!;
      const history = await begin(random, draw);
      try {
        for (let act = 0; act < 14; act += 1) {
          await happen(history, random, draw);
          check(history);
        }
        await finish(history);
        await checkEnd(history);
      } catch (fault) {
        const rows = (await history.rows()).map(({ version, state, held_for: hold }) => `v${version} ${hold ?? state}`);
        throw new Error(`${(fault as Error).message}\n${history.told.join('\n')}\n${rows.join(', ')}`, {
          cause: fault,
        });
      } finally {
        await history.end();
      }
    });
  },
  ROUNDS_MS,
);
