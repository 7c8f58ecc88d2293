import { Refusal } from '../../shared/api.js';
import type { Retried } from '../shared/answers.js';
import { doAllAgain, MOST_IN_VAIN, NOTHING_DONE, type DoneAgain } from './again-calls.js';

const refusal = (code: Refusal['code']) =>
  new Refusal({
    status: 503,
    code,
    title: '',
    detail: '',
    requestId: null,
    errors: [],
    retryAfterS: null,
    members: {},
  });
const UNAVAILABLE = { id: 'm1', code: 'service.unavailable' };

function calls(answers: readonly (Retried | Error)[]) {
  const left = [...answers];
  const asked: (string | undefined)[] = [];
  const pauses: number[] = [];
  const from = (begin: DoneAgain = NOTHING_DONE): Promise<DoneAgain> =>
    doAllAgain(
      {
        ask: (after) => {
          asked.push(after);
          const answer = left.length > 1 ? left.shift()! : left[0]!;
          return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
        },
        pause: (ms) => {
          pauses.push(ms);
          return Promise.resolve();
        },
        onProgress: () => undefined,
      },
      begin,
    );
  return { asked, pauses, from };
}

describe('all of one cause done again, call by call', () => {
  it('ends with a refusal that is no matter of the moment', async () => {
    await expect(calls([refusal('auth.role')]).from()).rejects.toMatchObject({ code: 'auth.role' });
  });

  it('stops after so many calls that the service cannot do, each after a longer pause, and goes on from there', async () => {
    for (const answer of [refusal('service.unavailable'), { retried: 0, skipped: [UNAVAILABLE], after: 'm1' }]) {
      const { asked, pauses, from } = calls([{ retried: 100, skipped: [], after: 'm0' }, answer]);
      const stopped = await from();
      expect(stopped).toMatchObject({ retried: 100, isStopped: true });
      expect(asked).toHaveLength(1 + MOST_IN_VAIN);
      expect(pauses).toEqual([1000, 2000, 4000, 8000]);
      const further = calls([{ retried: 7, skipped: [], after: null }]);
      expect(await further.from(stopped)).toMatchObject({ retried: 107, after: null, isStopped: false });
      expect(further.asked).toEqual([stopped.after]);
    }
  });

  it('goes on where a call did something, and ends behind the last', async () => {
    const { asked, pauses, from } = calls([
      { retried: 0, skipped: [UNAVAILABLE], after: 'm1' },
      { retried: 3, skipped: [UNAVAILABLE], after: 'm4' },
      { retried: 0, skipped: [UNAVAILABLE], after: null },
    ]);
    expect(await from()).toEqual({
      retried: 3,
      skipped: [UNAVAILABLE, UNAVAILABLE, UNAVAILABLE],
      after: null,
      isStopped: false,
    });
    expect([asked, pauses]).toEqual([[undefined, 'm1', 'm4'], [1000]]);
  });
});
