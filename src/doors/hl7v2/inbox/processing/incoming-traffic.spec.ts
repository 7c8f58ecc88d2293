/** @jest-environment node */
import { IncomingTraffic } from './incoming-traffic.js';

describe('a lull in what is received', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const watch = (lull: Promise<void>) => {
    const watched = { state: 'awaited' };
    void lull.then(() => (watched.state = 'there'));
    return async () => {
      await jest.advanceTimersByTimeAsync(0);
      return watched.state;
    };
  };

  it('is not there while messages come in, and no longer awaited than said', async () => {
    const traffic = new IncomingTraffic();
    void traffic.during(() => new Promise(() => undefined));
    const lull = watch(traffic.lull(200));
    await jest.advanceTimersByTimeAsync(199);
    expect(await lull()).toBe('awaited');
    await jest.advanceTimersByTimeAsync(1);
    expect(await lull()).toBe('there');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('comes a moment after the end of the last message, whether it was kept or not', async () => {
    const traffic = new IncomingTraffic();
    const ends: ((kept: boolean) => void)[] = [];
    const receive = () =>
      traffic
        .during(
          () => new Promise<void>((kept, failed) => ends.push((isKept) => (isKept ? kept() : failed(new Error('no'))))),
        )
        .catch(() => undefined);
    void receive();
    void receive();
    const lull = watch(traffic.lull(200));
    ends[0]!(true);
    expect(await lull()).toBe('awaited');
    ends[1]!(false);
    expect(await lull()).toBe('awaited');
    await jest.advanceTimersByTimeAsync(20);
    expect(await lull()).toBe('there');
    expect(jest.getTimerCount()).toBe(0);
    expect(await watch(traffic.lull(200))()).toBe('there');
  });

  it('is not the moment between an answer and the next message of its sender', async () => {
    const traffic = new IncomingTraffic();
    const lull = watch(traffic.lull(1000));
    expect(await lull()).toBe('there');
    await traffic.during(() => Promise.resolve());
    const next = watch(traffic.lull(1000));
    await jest.advanceTimersByTimeAsync(5);
    let end: () => void = () => undefined;
    void traffic.during(() => new Promise<void>((kept) => (end = kept)));
    await jest.advanceTimersByTimeAsync(100);
    expect(await next()).toBe('awaited');
    end();
    await jest.advanceTimersByTimeAsync(20);
    expect(await next()).toBe('there');
  });
});
