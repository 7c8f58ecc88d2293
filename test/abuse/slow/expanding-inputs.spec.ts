import { send } from '../../support/api-client.js';
import { Dice } from '../../support/mutations.js';
import { eachSeed, seedsOf } from '../../support/rounds.js';
import { AbuseGround, WAIT_LIMIT_MS } from '../abuse-ground.js';
import { asSent, expanding, EXPANDING, randomExpanding, type ExpandingInput } from '../expanding-inputs.js';

const MIB = 1024 * 1024;
const AT_ONCE = 6;
/** A container of 1 GiB has room for the rest of the machine's work on it. */
const MEMORY_LIMIT_MIB = 700;
/** Of random ones. */
const MOST_BYTES = 2 * MIB;
const GROWN_BYTES = [4, 8, 16, 24].map((mib) => mib * MIB);
/** Answers that were asked for before the quietest moment counts. */
const QUIET_ANSWERS = 50;
/** How many times the wait of a quiet gateway is taken for the machine's own. */
const STRETCH = 3;

describe('bytes that cost their sender little', () => {
  let ground: AbuseGround;
  let limitMs: number;

  beforeAll(async () => {
    ground = await AbuseGround.start();
    limitMs = Math.max(WAIT_LIMIT_MS, STRETCH * (await quietMs()));
  });
  afterAll(() => ground?.stop());

  /** The longest wait while nobody abuses anything. */
  async function quietMs(): Promise<number> {
    await ground.neighbour.waited();
    for (let asked = 0; asked < QUIET_ANSWERS; asked += 1) await send('GET', `${ground.gateway.baseUrl}/health/live`);
    return (await ground.neighbour.waited()).slowestMs;
  }

  const perform = async (input: ExpandingInput, isPacked: boolean): Promise<number> => {
    const { headers, bytes } = asSent(input, isPacked);
    const url = `${ground.gateway.baseUrl}${input.path}`;
    return (await send(input.method, url, { key: ground.client.key, headers, bytes, timeoutMs: 120_000 })).status;
  };

  /** Sent several times at once: each is answered, and nobody else waits. */
  async function expectHarmless(make: () => ExpandingInput, isPacked: boolean): Promise<void> {
    const inputs = Array.from({ length: AT_ONCE }, make);
    const { answer, waiting } = await ground.during(() => Promise.all(inputs.map((input) => perform(input, isPacked))));
    expect({
      unexpected: answer.filter((status) => status >= 500 && status !== 503),
      failures: waiting.failures,
      waitedMs: waiting.slowestMs < limitMs ? 'in time' : waiting.slowestMs,
      isSameProcess: ground.isSameProcess,
      peakMib: ground.peakMib < MEMORY_LIMIT_MIB ? 'enough' : ground.peakMib,
    }).toEqual({ unexpected: [], failures: 0, waitedMs: 'in time', isSameProcess: true, peakMib: 'enough' });
  }

  it(
    'six Binaries of 26 MB of base64 with blanks, packed into 25 KB, stop nobody',
    () => expectHarmless(() => expanding('Binary: a blank behind each character', 26_000_000), true),
    400_000,
  );

  it.each([
    ['HL7: escaped line ends', 24 * MIB],
    ['HL7: a number with blanks within', MIB],
  ] as const)(
    '%s: six messages of %d bytes, packed, stop nobody',
    (what, sizeBytes) => expectHarmless(() => expanding(what, sizeBytes), true),
    400_000,
  );

  it('grown inputs stop nobody, whatever is in them', async () => {
    const names = Object.keys(EXPANDING);
    await eachSeed('grown-inputs', seedsOf('grown-inputs', 20, 1, 4), async (seed) => {
      const dice = new Dice(seed);
      const [what, sizeBytes, isPacked] = [dice.pick(names), dice.pick(GROWN_BYTES), dice.below(2) === 0];
      await expectHarmless(() => expanding(what, sizeBytes), isPacked);
    });
  }, 14_400_000);

  it('random inputs stop nobody', async () => {
    await eachSeed('random-expanding', seedsOf('random-expanding', 200), async (seed) => {
      const dice = new Dice(seed);
      const isPacked = dice.below(2) === 0;
      await expectHarmless(() => randomExpanding(dice, MOST_BYTES), isPacked);
    });
  }, 14_400_000);

  it('left no fault behind', () => {
    expect(ground.gateway.process.lines.filter(({ level }) => level === 'error' || level === 50)).toEqual([]);
  });
});
