/** @jest-environment node */
import { ConcurrencyLimit } from '../turns/concurrency-limit.js';
import { MetricReading } from './metric-reading.js';

describe('MetricReading', () => {
  let nowMs = 0;
  let asked = 0;
  const readingOf = <T>(read: () => Promise<T>) =>
    new MetricReading(
      () => {
        asked += 1;
        return read();
      },
      () => nowMs,
    );

  beforeEach(() => {
    nowMs = 0;
    asked = 0;
  });
  afterEach(() => jest.useRealTimers());

  it('is null while the database is away, and has figures again once it is back', async () => {
    let isAway = true;
    const reading = readingOf(() => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(7)));
    expect(await reading.latest()).toBeNull();
    isAway = false;
    nowMs = 5001;
    expect(await reading.latest()).toBe(7);
  });

  it('is null after two seconds without an answer, and asks no second time before the first has ended', async () => {
    jest.useFakeTimers();
    let answer: (figure: number) => void = () => undefined;
    const reading = readingOf(() => new Promise<number>((resolve) => (answer = resolve)));
    const first = reading.latest();
    await jest.advanceTimersByTimeAsync(2000);
    expect(await first).toBeNull();

    nowMs = 60_000;
    const second = reading.latest();
    answer(7);
    expect(await second).toBe(7);
    expect(asked).toBe(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('asks while one other is asked at most, and one without an answer keeps its place for two seconds', async () => {
    jest.useFakeTimers();
    const places = new ConcurrencyLimit(2);
    const answers: ((figure: number) => void)[] = [];
    const readings = Array.from(
      { length: 5 },
      () =>
        new MetricReading(
          () => new Promise<number>((resolve) => answers.push(resolve)),
          () => nowMs,
          places,
        ),
    );
    const shown = readings.map((reading) => reading.latest());
    await jest.advanceTimersByTimeAsync(0);
    expect(answers).toHaveLength(2);
    answers[0]!(1);
    await jest.advanceTimersByTimeAsync(0);
    expect(answers).toHaveLength(3);
    await jest.advanceTimersByTimeAsync(2000);
    expect(answers).toHaveLength(5);
    expect(await Promise.all(shown)).toEqual([1, null, null, null, null]);
    answers.slice(1).forEach((answer, index) => answer(index + 2));
    expect(await Promise.all(readings.map((reading) => reading.latest()))).toEqual([1, 2, 3, 4, 5]);
  });

  it('asks once in five seconds, however many gauges show it', async () => {
    const reading = readingOf(() => Promise.resolve(asked));
    expect(await Promise.all([reading.latest(), reading.latest()])).toEqual([1, 1]);
    nowMs = 5000;
    expect(await reading.latest()).toBe(1);
    nowMs = 5001;
    expect(await reading.latest()).toBe(2);
  });
});
