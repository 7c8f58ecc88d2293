import { Hl7Hospital } from '../support/hl7-hospital.js';
import { Dice } from '../support/mutations.js';
import { eachSeed, seedsOf } from '../support/rounds.js';
import { AbuseGround, WAIT_LIMIT_MS } from './abuse-ground.js';
import { AnsweringReceiver } from './answering-receiver.js';
import { DOORS, randomOf, type Attack, type Door } from './doors.js';
import { expanding, type ExpandingInput } from './expanding-inputs.js';

const MIB = 1024 * 1024;
const AT_ONCE = 6;
/** A container of 1 GiB has room for the rest of the machine's work on it. */
const MEMORY_LIMIT_MIB = 700;
/** Of random inputs. */
const MOST_BYTES = 2 * MIB;
const GROWN_BYTES = [0.2, 4, 12, 24].map((mib) => mib * MIB);
/** Processor time of a turn: 50 ms of work, and what the engine takes meanwhile to free memory. */
const TURN_LIMIT_MS = 80;
/** For each door, by `npm run test:abuse` a tenth of them, and by night ten times as many. */
const [GROWN_ROUNDS, RANDOM_ROUNDS] = [20, 200];
const LEAST_GROWN = 3;
/** The tests of bytes that cost their sender little, at every door: they are answered, and nobody else waits for them. */
export function describeCostlyBytes(): void {
  describe.each(Object.entries(DOORS))('bytes that cost their sender little: %s', (name, door) => {
    let ground: AbuseGround;
    let hospital: Hl7Hospital;
    let receiver: AnsweringReceiver;
    const worst = { turnMs: 0, waitedMs: 0 };

    beforeAll(async () => {
      ground = await AbuseGround.start({ SUTURA_DELIVERY_NETWORKS: '127.0.0.0/8', SUTURA_LEASE_S: '30' });
      hospital = await Hl7Hospital.open(ground.gateway);
      receiver = await AnsweringReceiver.start();
    });
    afterAll(async () => {
      process.stdout.write(
        `${name}: longest turn ${worst.turnMs.toFixed(0)} ms of processor time, longest wait ${worst.waitedMs.toFixed(0)} ms, most memory ${ground.peakMib.toFixed(0)} MiB\n`,
      );
      await receiver.stop();
      await hospital.close();
      await ground.stop();
    });

    /** Sent several times at once: each is answered, and nobody else waits. */
    async function expectHarmless(make: () => ExpandingInput, isPacked: boolean): Promise<void> {
      const attack: Attack = { ground, hospital, receiver, client: await ground.gateway.createClient() };
      const inputs = Array.from({ length: AT_ONCE }, make);
      const { answer, waiting, turnMs } = await ground.during(() => perform(door, attack, inputs, isPacked));
      worst.turnMs = Math.max(worst.turnMs, turnMs);
      worst.waitedMs = Math.max(worst.waitedMs, waiting.slowestMs);
      expect({
        input: inputs[0]!.what,
        unexpected: answer.filter((status) => typeof status === 'number' && status >= 500 && status !== 503),
        failures: waiting.failures,
        turnMs: turnMs < TURN_LIMIT_MS ? 'short' : turnMs,
        waitedMs: waiting.slowestMs < WAIT_LIMIT_MS ? 'in time' : waiting.slowestMs,
        isSameProcess: ground.isSameProcess,
        peakMib: ground.peakMib < MEMORY_LIMIT_MIB ? 'enough' : ground.peakMib,
      }).toEqual({
        input: inputs[0]!.what,
        unexpected: [],
        failures: 0,
        turnMs: 'short',
        waitedMs: 'in time',
        isSameProcess: true,
        peakMib: 'enough',
      });
    }

    it('grown, stop nobody', async () => {
      const kinds = Object.keys(door.inputs);
      await eachSeed(`grown: ${name}`, seedsOf(`grown: ${name}`, GROWN_ROUNDS, 1, LEAST_GROWN), async (seed) => {
        const dice = new Dice(seed);
        const [what, sizeBytes, isPacked] = [dice.pick(kinds), dice.pick(GROWN_BYTES), dice.below(2) === 0];
        await expectHarmless(() => expanding(what, sizeBytes, door.inputs), isPacked);
      });
    }, 14_400_000);

    it('drawn at random, stop nobody', async () => {
      await eachSeed(`random: ${name}`, seedsOf(`random: ${name}`, RANDOM_ROUNDS), async (seed) => {
        const dice = new Dice(seed);
        const isPacked = dice.below(2) === 0;
        await expectHarmless(() => randomOf(door, dice, MOST_BYTES), isPacked);
      });
    }, 14_400_000);

    it('left no fault behind', () => {
      const faults = ground.gateway.process.lines.filter(({ level }) => level === 'error' || level === 50);
      expect(faults).toEqual([]);
    });
  });
}

function perform(door: Door, attack: Attack, inputs: readonly ExpandingInput[], isPacked: boolean) {
  return Promise.all(inputs.map((input) => door.send(attack, input, isPacked)));
}
