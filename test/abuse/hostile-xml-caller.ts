import { gzipSync } from 'node:zlib';
import { Dice } from '../support/mutations.js';
import { eachSeed, seedsOf } from '../support/rounds.js';
import { FHIR_XML } from '../support/xml-documents.js';
import { AbuseGround, MEMORY_LIMIT_MIB, WAIT_LIMIT_MS } from './abuse-ground.js';
import { drawnXml, HOSTILE_KINDS } from './drawn-xml.js';

/** Processor time of a turn: 50 ms of work, and what the engine takes meanwhile to free memory. */
const TURN_LIMIT_MS = 80;
/** Where caches are shared with other programs, a turn costs up to twice as much; what is quadratic takes seconds in a large document. */
const SHARED_TURN_LIMIT_MS = 200;
const ROUNDS = 200;
const ADDRESSES = ['Patient', 'Patient/$validate', 'Patient?identifier=a|b', ''];

/** On a machine that does other things, too, the wall clock only shows what stands still. */
const STANDSTILL_MS = 10 * WAIT_LIMIT_MS;

/** Waits that others may have: those of a machine that does nothing else, or only what is no standstill. */
type WaitRule = 'strict' | 'shared machine';

/** The tests of XML that no server of FHIR takes. */
export function describeHostileXml(rule: WaitRule): void {
  describe('hostile XML', () => {
    const seeds = seedsOf('hostile XML', ROUNDS, 1, rule === 'strict' ? ROUNDS : HOSTILE_KINDS);
    const limitMs = rule === 'strict' ? WAIT_LIMIT_MS : STANDSTILL_MS;
    const turnLimitMs = rule === 'strict' ? TURN_LIMIT_MS : SHARED_TURN_LIMIT_MS;
    let ground: AbuseGround;
    const worst = { turnMs: 0, what: '', waitedMs: 0 };

    beforeAll(async () => {
      ground = await AbuseGround.start();
    });
    afterAll(async () => {
      process.stdout.write(
        `Hostile XML: longest turn ${worst.turnMs.toFixed(0)} ms of processor time (${worst.what}), longest wait ${worst.waitedMs.toFixed(0)} ms, most memory ${ground.peakMib.toFixed(0)} MiB\n`,
      );
      await ground.stop();
    });

    it('is refused, and nobody waits for it', async () => {
      await eachSeed('hostile XML', seeds, async (seed) => {
        const dice = new Dice(seed);
        const { what, bytes } = drawnXml(dice, seed, rule === 'strict' ? 'any' : 'large');
        const isPacked = dice.below(2) === 0;
        const address = dice.pick(ADDRESSES);
        const send = () =>
          ground.client.request(address.includes('?') ? 'PUT' : 'POST', `/fhir/${address}`, {
            bytes: isPacked ? gzipSync(bytes, { level: 1 }) : bytes,
            headers: { 'content-type': FHIR_XML, ...(isPacked ? { 'content-encoding': 'gzip' } : {}) },
            timeoutMs: 60_000,
          });
        const { answer, waiting, turnMs } = await ground.during(send, limitMs);
        if (turnMs > worst.turnMs) Object.assign(worst, { turnMs, what });
        worst.waitedMs = Math.max(worst.waitedMs, waiting.slowestMs);
        // Findings of $validate are an answer, good or bad.
        const isRefused = answer.status >= 400 && answer.status < 500;
        const isFound =
          answer.status === 200 && address === 'Patient/$validate' && answer.body.issue[0].severity === 'error';
        expect({
          what,
          status: isRefused || isFound ? 'refused' : answer.status,
          failures: waiting.failures,
          turnMs: turnMs < turnLimitMs ? 'short' : turnMs,
          waitedMs: waiting.slowestMs < limitMs ? 'in time' : waiting.slowestMs,
          isSameProcess: ground.isSameProcess,
        }).toEqual({ what, status: 'refused', failures: 0, turnMs: 'short', waitedMs: 'in time', isSameProcess: true });
      });
    }, 3_600_000);

    it('took no more memory than there is, and left no fault behind', () => {
      expect(ground.peakMib).toBeLessThan(MEMORY_LIMIT_MIB);
      expect(ground.gateway.process.lines.filter(({ level }) => level === 'error' || level === 50)).toEqual([]);
    });
  });
}
