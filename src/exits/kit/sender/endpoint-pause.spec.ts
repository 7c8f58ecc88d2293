import { EndpointPause } from './endpoint-pause.js';

describe('the pause of an endpoint', () => {
  let now: number;
  let pause: EndpointPause;
  beforeEach(() => {
    now = 0;
    pause = new EndpointPause({ firstPauseMs: 1000, longestPauseMs: 300_000 }, () => now);
  });

  it('grows with every attempt that reaches nobody, up to its longest', () => {
    const rests = Array.from({ length: 12 }, () => {
      pause.silence(false);
      return pause.restMs;
    });
    expect([...rests.slice(0, 4), rests.at(-1)]).toEqual([1000, 2000, 4000, 8000, 300_000]);
  });

  it('lets another delivery be tried at once where one was met with silence, and nothing behind a second', () => {
    pause.silence(true);
    expect(pause.restMs).toBe(0);
    pause.silence(true);
    expect(pause.restMs).toBe(1000);
  });

  it('is over with an answer, with its time, or with a person’s wish', () => {
    expect(pause.answer()).toBe(false);
    pause.silence(false);
    expect([pause.answer(), pause.restMs]).toEqual([true, 0]);
    pause.silence(false);
    now = 400;
    expect(pause.restMs).toBe(600);
    pause.end();
    expect(pause.restMs).toBe(0);
  });
});
