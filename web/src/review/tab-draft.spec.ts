/** @jest-environment node */
import { keepTabDraft, sweepTabDrafts, tabDraftOf, type TabDraft } from './tab-draft.js';

const PETRA = { author: 'person:N-1', linkId: 'link-1' };
const NOBODY = { author: 'link:link-2', linkId: 'link-2' };
const DRAFT: TabDraft = {
  content: {
    reportVersion: 1,
    work: {
      outlines: null,
      mmPerPixel: 0.2,
      reviewerName: 'Anna Alt',
      note: 'Edge in the shade',
      reassignment: null,
      ruler: null,
      screen: { tool: 'points', isTissueShown: false },
    },
  },
  follows: ['a'],
  standing: 'a',
};

/** What a browser keeps for a tab, as far as the page uses it. */
class TabStorage {
  [key: string]: unknown;
  getItem(key: string): string | null {
    return Object.hasOwn(this, key) ? String(this[key]) : null;
  }
  setItem(key: string, text: string): void {
    this[key] = text;
  }
  removeItem(key: string): void {
    delete this[key];
  }
}

describe('what a tab keeps of drafts', () => {
  let storage: TabStorage;
  beforeEach(() => {
    jest.useFakeTimers({ now: new Date('2026-03-14T09:00:00Z') });
    storage = new TabStorage();
    Object.defineProperty(globalThis, 'sessionStorage', { value: storage, configurable: true });
  });
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'sessionStorage');
    jest.useRealTimers();
  });

  it('comes back to its author, without the name that was typed at another link', () => {
    keepTabDraft('r1', PETRA, DRAFT);
    expect(tabDraftOf('r1', PETRA)).toEqual(DRAFT);
    expect(tabDraftOf('r1', { ...PETRA, linkId: 'link-9' })?.content.work).toMatchObject({
      reviewerName: '',
      note: 'Edge in the shade',
    });
    expect(tabDraftOf('r1', { ...PETRA, author: 'person:N-2' })).toBeNull();
  });

  it('is removed when a link that named nobody has ended, or another one is open', () => {
    for (const hasEnded of [true, false]) {
      keepTabDraft('r1', NOBODY, DRAFT);
      keepTabDraft('r2', PETRA, DRAFT);
      sweepTabDrafts(hasEnded ? NOBODY : PETRA, hasEnded);
      expect([tabDraftOf('r1', NOBODY), tabDraftOf('r2', PETRA)]).toEqual([null, DRAFT]);
    }
    keepTabDraft('r1', NOBODY, DRAFT);
    sweepTabDrafts(NOBODY);
    expect(tabDraftOf('r1', NOBODY)).toEqual(DRAFT);
  });

  it('is removed after three days', () => {
    keepTabDraft('r1', PETRA, DRAFT);
    jest.setSystemTime(new Date('2026-03-17T08:59:00Z'));
    sweepTabDrafts(PETRA);
    expect(tabDraftOf('r1', PETRA)).toEqual(DRAFT);
    jest.setSystemTime(new Date('2026-03-17T09:01:00Z'));
    sweepTabDrafts(PETRA);
    expect(Object.keys(storage)).toEqual([]);
  });

  it('has the lines of a person that the page of the release before kept, until they are saved, and those of nobody not', () => {
    const kept = JSON.stringify({ outlines: [], mmPerPixel: 0.3, version: 2 });
    storage.setItem('sutura-desk r1 N-1', kept);
    storage.setItem('sutura-desk r1 ', kept);
    sweepTabDrafts(PETRA);
    expect(tabDraftOf('r1', PETRA)).toMatchObject({
      content: { reportVersion: 2, work: { outlines: [], mmPerPixel: 0.3, note: '' } },
      follows: [],
      standing: null,
    });
    expect(tabDraftOf('r1', NOBODY)).toBeNull();
    keepTabDraft('r1', PETRA, null);
    expect(Object.keys(storage)).toEqual([]);
  });
});
