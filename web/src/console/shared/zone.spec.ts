import { inZone, instantOf, moment, pickedOf } from './zone.js';

const LATE = '2026-03-15T23:30:00.000Z';

/** The module as a page loads it whose person chose this before. */
async function zoneOf(kept: string | null): Promise<typeof import('./zone.js')> {
  const before = globalThis.localStorage;
  Object.defineProperty(globalThis, 'localStorage', { configurable: true, value: { getItem: () => kept } });
  try {
    let loaded: typeof import('./zone.js') | undefined;
    await jest.isolateModulesAsync(async () => {
      loaded = await import('./zone.js');
    });
    return loaded!;
  } finally {
    Object.defineProperty(globalThis, 'localStorage', { configurable: true, value: before });
  }
}

describe('the zone of the console', () => {
  it('is that of whoever looks, also where the browser keeps nothing', () => {
    expect(moment(null)).toBe('–');
    expect(moment(LATE)).not.toContain('UTC');
    expect(instantOf('2026-03-15T23:30')).toBe(new Date('2026-03-15T23:30').toISOString());
    expect([instantOf(null), instantOf('soon')]).toEqual([undefined, undefined]);
  });

  it('is UTC, and named, for what is shown and for what is typed, once that was chosen', async () => {
    const utc = await zoneOf('utc');
    expect(utc.moment(LATE)).toMatch(/23:30:00 UTC$/);
    expect(utc.inZone(LATE, { timeStyle: 'short' }, false)).toBe('23:30');
    expect(utc.instantOf('2026-03-15T23:30')).toBe(LATE);
    expect(inZone(LATE, { timeStyle: 'short' })).not.toContain('UTC');
  });

  it('takes what states its offset for that instant, whichever was chosen, and shows it in the one that was', async () => {
    const utc = await zoneOf('utc');
    for (const instant of [LATE, '2026-03-16T08:30+09:00', '2026-03-15t23:30z'])
      expect([instantOf(instant), utc.instantOf(instant)]).toEqual([LATE, LATE]);
    expect(utc.instantOf('soonZ')).toBeUndefined();
    expect([utc.pickedOf(LATE), utc.pickedOf(undefined)]).toEqual(['2026-03-15T23:30', '']);
    expect(utc.pickedOf('2026-03-15T23:30:07.000Z')).toBe('2026-03-15T23:30:07');
    expect(instantOf(pickedOf(LATE))).toBe(LATE);
  });
});
