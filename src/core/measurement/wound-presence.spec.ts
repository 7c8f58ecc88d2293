import type { WoundMeasurement } from './wound-result.js';
import { decidePresence } from './wound-presence.js';

const RULES = { threshold: 0.3 };
const outlined = [{ index: 0 }, { index: 1 }] as unknown as WoundMeasurement[];

describe('decidePresence', () => {
  it('sets every outline aside where an open wound is less likely than the threshold', () => {
    expect(decidePresence(outlined, 0.29, RULES)).toEqual({ reported: [], setAside: outlined });
  });

  it.each([
    ['an open wound is as likely as the threshold', 0.3, RULES],
    ['the model does not say', null, RULES],
    ['the manifest states no threshold', 0.01, undefined],
  ])('reports every outline where %s', (_, presence, rules) => {
    expect(decidePresence(outlined, presence, rules)).toEqual({ reported: outlined, setAside: [] });
  });

  it('makes no wound of a photo in which nothing is outlined', () => {
    expect(decidePresence([], 0.99, RULES)).toEqual({ reported: [], setAside: [] });
  });
});
