import {
  inSuccession,
  LATENCY_BOUNDS_S,
  latencyQuantile,
  NO_FIGURES,
  together,
  type KeptFigures,
} from './service-figures.js';

describe('figures of several spans', () => {
  it('of nothing are nothing', () => {
    expect(together([])).toEqual(NO_FIGURES);
    expect(latencyQuantile([], 0.5)).toBeNull();
    expect(latencyQuantile([0, 0], 0.5)).toBeNull();
  });

  it('are summed over tenants, and over time only where they are counted', () => {
    const parts: KeptFigures[] = [
      { analysed: 1, queued: 3, latencies: [0, 1], models: { a: 1 } },
      { analysed: 2, queued: 2, latencies: [0, 0, 2], models: { a: 1, b: 1 } },
    ];
    expect(together(parts)).toMatchObject({ analysed: 3, queued: 5, latencies: [0, 1, 2], models: { a: 2, b: 1 } });
    expect(inSuccession(parts)).toMatchObject({ analysed: 3, queued: 3 });
  });
});

describe('a quantile of times that are counted in classes', () => {
  it('lies within its class, and never beyond the last bound', () => {
    expect(latencyQuantile([10], 0.5)).toBeCloseTo(0.25);
    expect(latencyQuantile([0, 4, 4], 0.5)).toBeCloseTo(1);
    expect(latencyQuantile([0, 4, 4], 0.95)).toBeCloseTo(1.9);
    const beyond = [...LATENCY_BOUNDS_S.map(() => 0), 1];
    expect(latencyQuantile(beyond, 0.95)).toBe(LATENCY_BOUNDS_S.at(-1));
  });
});
