/** @jest-environment node */
import { Refusal } from '../shared/api.js';
import { DraftKeeper } from './draft-keeper.js';
import type { DraftStart, DraftStore, SentDraft } from './draft-state.js';
import type { TabDraft } from './tab-draft.js';
import type { Draft, DraftContent } from './types.js';

const content = (note: string): DraftContent => ({
  reportVersion: 1,
  work: {
    outlines: null,
    mmPerPixel: null,
    reviewerName: '',
    note,
    reassignment: null,
    ruler: null,
    screen: { tool: 'points', isTissueShown: false },
  },
});
const NOTHING: DraftStart = { saved: null, inTab: null };
const refusal = (status: number, code: string): Refusal =>
  new Refusal({
    status,
    code: code as Refusal['code'],
    title: '',
    detail: '',
    requestId: null,
    errors: [],
    retryAfterS: null,
    members: {},
  });

/** A service with one draft, as the gateway keeps it, that may be out of reach. */
class Service implements DraftStore {
  draft: Draft | null = null;
  tab: TabDraft | null = null;
  /** In which order it is out of reach, refuses, or loses its answer. */
  readonly faults: ('network' | 'lost' | Refusal)[] = [];
  kept = 0;
  reportVersion = 1;
  isReadable = true;
  readonly sent: SentDraft[] = [];

  read = () => (this.isReadable ? Promise.resolve(this.draft) : Promise.reject(refusal(503, 'http.503')));
  keepInTab = (draft: TabDraft | null) => {
    this.tab = structuredClone(draft);
    return true;
  };
  inTab = () => this.tab;
  keep(sent: SentDraft): Promise<string> {
    this.sent.push(sent);
    const fault = this.faults.shift();
    if (fault instanceof Refusal) return Promise.reject(fault);
    if (fault === 'network') return Promise.reject(refusal(0, 'network'));
    return this.take(sent, fault);
  }
  private take({ revision, follows, isChosen, ...kept }: SentDraft, fault?: 'lost'): Promise<string> {
    if (follows.length > 20) return Promise.reject(refusal(400, 'request.invalid'));
    const isAllowed =
      this.draft === null
        ? isChosen === true || (follows.length === 0 && kept.reportVersion >= this.reportVersion)
        : [...follows, revision].includes(this.draft.revision);
    if (!isAllowed) return Promise.reject(refusal(409, 'review.draft_changed'));
    this.kept += 1;
    const savedAt = `2026-01-01T00:00:0${this.kept}Z`;
    this.draft = { ...kept, revision, savedAt };
    return fault === 'lost' ? Promise.reject(refusal(0, 'network')) : Promise.resolve(savedAt);
  }
  discard(revisions: readonly string[]): Promise<void> {
    if (this.draft !== null && !revisions.includes(this.draft.revision))
      return Promise.reject(refusal(409, 'review.draft_changed'));
    this.draft = null;
    return Promise.resolve();
  }
  elsewhere(note: string): void {
    this.draft = { ...content(note), revision: `elsewhere-${note}`, savedAt: '2026-01-01T09:00:00Z' };
  }
}

describe('a draft under way', () => {
  let service: Service;
  beforeEach(() => {
    jest.useFakeTimers();
    service = new Service();
  });
  afterEach(() => jest.useRealTimers());

  const open = (start: DraftStart = NOTHING): DraftKeeper => {
    const keeper = new DraftKeeper(service, start);
    keeper.start();
    return keeper;
  };
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
  const noteOf = (draft: Pick<Draft, 'work'> | null) => draft?.work.note;

  it('writes over nothing that was saved elsewhere, keeps its own in the tab, and goes on as its person chooses', async () => {
    service.elsewhere('theirs');
    const keeper = open();
    keeper.offer(content('mine'));
    await pass(1000);
    expect(keeper.state).toMatchObject({ kind: 'other', theirs: { revision: 'elsewhere-theirs' } });
    keeper.offer(content('mine, longer'));
    await pass(60_000);
    expect([noteOf(service.draft), noteOf(service.tab!.content)]).toEqual(['theirs', 'mine, longer']);
    keeper.keepMine();
    await pass(1000);
    expect([keeper.state.kind, noteOf(service.draft), service.tab]).toEqual(['saved', 'mine, longer', null]);
  });

  it('asks again when a third page saves while its person looks at the second', async () => {
    service.elsewhere('second');
    const keeper = open();
    keeper.offer(content('first'));
    await pass(1000);
    service.elsewhere('third');
    keeper.keepMine();
    await pass(1000);
    expect(keeper.state).toMatchObject({ kind: 'other', theirs: { revision: 'elsewhere-third' } });
    keeper.takeTheirs();
    expect([keeper.state.kind, service.tab]).toEqual(['saved', null]);
    keeper.offer(content('third, longer'));
    await pass(1000);
    expect(noteOf(service.draft)).toBe('third, longer');
  });

  it('says that it is not saved while the service is out of reach, and saves by itself once it is back', async () => {
    service.faults.push('network', 'network', 'network');
    const keeper = open();
    keeper.offer(content('a'));
    await pass(1000);
    expect(keeper.state).toMatchObject({ kind: 'failed', isTriedAgain: true, isInTab: true });
    keeper.offer(content('ab'));
    await pass(30_000);
    expect([keeper.state.kind, noteOf(service.draft), service.tab]).toEqual(['saved', 'ab', null]);
  });

  it('is called saved again where a change was taken back before it was sent, and not saved for as long as nothing gets through', async () => {
    const keeper = open();
    keeper.offer(content('a'));
    await pass(1000);
    keeper.offer(content('ab'));
    keeper.offer(content('a'));
    await pass(1000);
    expect([keeper.state.kind, service.kept, service.tab]).toEqual(['saved', 1, null]);
    service.faults.push('network', 'network', 'network', 'network');
    keeper.offer(content('ab'));
    await pass(1000);
    keeper.offer(content('abc'));
    expect(keeper.state.kind).toBe('failed');
  });

  it('sends nothing while its person has to choose', async () => {
    const keeper = open();
    keeper.offer(content('a'));
    await pass(1000);
    service.elsewhere('theirs');
    keeper.offer(content('ab'));
    await keeper.noteStanding('elsewhere-theirs', keeper.mark());
    service.draft = { ...service.draft!, revision: 'gone on' };
    await pass(60_000);
    expect([keeper.state.kind, noteOf(service.draft), service.kept]).toEqual(['other', 'theirs', 1]);
  });

  it('takes its own saving, whose answer was lost, for no other’s', async () => {
    service.faults.push('lost');
    const keeper = open();
    keeper.offer(content('a'));
    await pass(1000);
    expect(keeper.state.kind).toBe('failed');
    keeper.offer(content('ab'));
    keeper.saveNow();
    await pass(1000);
    expect([keeper.state.kind, noteOf(service.draft)]).toEqual(['saved', 'ab']);
  });

  it.each([
    [403, 'review.read_only'],
    [401, 'review.session'],
    [413, 'request.too_large'],
  ])('repeats nothing that was refused for good (%i %s) before it changes', async (status, code) => {
    service.faults.push(refusal(status, code));
    const keeper = open();
    keeper.offer(content('a'));
    await pass(600_000);
    expect([keeper.state, service.kept]).toMatchObject([{ kind: 'failed', isTriedAgain: false }, 0]);
    keeper.offer(content('b'));
    await pass(1000);
    expect(keeper.state.kind).toBe('saved');
  });

  it('is saved within a second of its first change, however long the changes go on, and ends where nothing is left of it', async () => {
    const keeper = open();
    for (let step = 0; step < 30; step += 1) {
      keeper.offer(content(`stroke ${step}`));
      await pass(100);
    }
    expect(service.kept).toBeGreaterThanOrEqual(2);
    const last = service.draft;
    keeper.offer(null);
    await pass(30_000);
    expect([keeper.state.kind, service.draft]).toEqual(['saved', last]);
    await pass(31_000);
    expect([keeper.state.kind, service.draft]).toEqual(['none', null]);
  });

  it('is not ended by a page that goes right after the last step was undone, and goes on where it is redone', async () => {
    const keeper = open();
    keeper.offer(content('a'));
    await pass(1000);
    keeper.offer(null);
    keeper.saveNow(true);
    keeper.offer(content('a'));
    await pass(100_000);
    expect([keeper.state.kind, noteOf(service.draft)]).toEqual(['saved', 'a']);
    keeper.offer(null);
    keeper.retire();
    await pass(100_000);
    expect(noteOf(service.draft)).toBe('a');
  });

  it('goes on with what its tab had kept, unless another page went on meanwhile', async () => {
    const keeper = open();
    keeper.offer(content('saved'));
    await pass(1000);
    const saved = service.draft!;
    const inTab = { content: content('saved, and more'), follows: [saved.revision], standing: saved.revision };
    expect(open({ saved, inTab }).state.kind).toBe('saving');
    await pass(1000);
    expect(noteOf(service.draft)).toBe('saved, and more');
    const late = open({ saved: service.draft, inTab });
    expect(late.state).toMatchObject({ kind: 'other', theirs: { revision: service.draft!.revision } });
    await pass(60_000);
    expect(noteOf(service.draft)).toBe('saved, and more');
  });

  it('knows its own saving again after a reload that came before the answer, and saves nothing that is saved already', async () => {
    service.faults.push('lost');
    const keeper = open();
    keeper.offer(content('a'));
    await pass(1000);
    keeper.stop();
    const inTab = service.tab;
    const again = open({ saved: service.draft, inTab });
    expect([again.state.kind, service.kept, service.tab]).toEqual(['saved', 1, null]);
    const { work, reportVersion } = service.draft!;
    const reordered = { work: Object.fromEntries(Object.entries(work).reverse()) as typeof work, reportVersion };
    const [kept, later] = [service.kept, open({ saved: service.draft, inTab: null })];
    later.offer(reordered);
    await pass(1000);
    expect([later.state.kind, service.kept]).toEqual(['saved', kept]);
  });

  it('waits for the saving under way before a decision, and saves nothing meanwhile or after it', async () => {
    const keeper = open();
    keeper.offer(content('a'));
    await pass(850);
    keeper.offer(content('ab'));
    const revisions = await keeper.hold();
    expect(revisions).toContain(service.draft!.revision);
    await pass(60_000);
    expect(noteOf(service.draft)).toBe('a');
    await service.discard(revisions);
    keeper.release(true);
    await pass(60_000);
    expect([keeper.state.kind, service.draft, service.tab]).toEqual(['none', null, null]);
  });

  it('goes on after a decision that was refused', async () => {
    const keeper = open();
    keeper.offer(content('a'));
    await keeper.hold();
    keeper.release(false);
    await pass(1000);
    expect([keeper.state.kind, noteOf(service.draft)]).toEqual(['saved', 'a']);
  });

  it('hears of what another page saved or ended, and not of its own saving that overtook the question', async () => {
    const keeper = open();
    const early = keeper.mark();
    keeper.offer(content('a'));
    await pass(1000);
    await keeper.noteStanding(null, early);
    expect(keeper.state.kind).toBe('saved');
    await keeper.noteStanding(service.draft!.revision, keeper.mark());
    expect(keeper.state.kind).toBe('saved');
    service.elsewhere('theirs');
    await keeper.noteStanding('elsewhere-theirs', keeper.mark());
    expect(keeper.state).toMatchObject({ kind: 'other', theirs: { revision: 'elsewhere-theirs' } });
    keeper.takeTheirs();
    service.draft = null;
    await keeper.noteStanding(null, keeper.mark());
    expect(keeper.state).toMatchObject({ kind: 'other', theirs: null });
    keeper.takeTheirs();
    expect(keeper.state.kind).toBe('none');
  });

  it('is saved once the service is back, after more failed tries than a request may name', async () => {
    const keeper = open();
    keeper.offer(content('before'));
    await pass(1000);
    service.faults.push(...Array<'network'>(60).fill('network'));
    for (let minute = 0; minute < 40; minute += 1) {
      keeper.offer(content(`minute ${minute}`));
      await pass(60_000);
    }
    expect(service.faults).toEqual([]);
    expect([keeper.state.kind, noteOf(service.draft), service.tab]).toEqual(['saved', 'minute 39', null]);
  });

  it('is sent again as the same revision while it does not change', async () => {
    service.faults.push(...Array<'network'>(30).fill('network'));
    const keeper = open();
    keeper.offer(content('a'));
    await pass(1_000_000);
    expect(new Set(service.sent.map(({ revision }) => revision)).size).toBe(1);
    expect([keeper.state.kind, service.tab]).toEqual(['saved', null]);
  });

  it('is known again by the tab’s copy after many failed tries, whichever of them had arrived', async () => {
    const keeper = open();
    keeper.offer(content('before'));
    await pass(1000);
    service.faults.push('lost', ...Array<'network'>(60).fill('network'));
    for (let step = 0; step < 30; step += 1) {
      keeper.offer(content(`step ${step}`));
      await pass(60_000);
    }
    keeper.abandon();
    service.faults.length = 0;
    const again = open({ saved: service.draft, inTab: service.tab });
    await pass(1000);
    expect([again.state.kind, noteOf(service.draft)]).toEqual(['saved', 'step 29']);
  });

  it('says that it is saved where a change was taken back before it was sent', async () => {
    const keeper = open();
    keeper.offer(content('a'));
    await pass(1000);
    keeper.offer(content('ab'));
    keeper.offer(content('a'));
    await pass(1000);
    expect([keeper.state.kind, service.kept, service.tab]).toEqual(['saved', 1, null]);
    const other = open();
    other.offer(content('x'));
    other.offer(null);
    await pass(1000);
    expect(other.state.kind).toBe('none');
  });

  it('does not call saved what was taken back while another text was on its way', async () => {
    const keeper = open();
    keeper.offer(content('a'));
    await pass(1000);
    service.faults.push('lost');
    keeper.offer(content('ab'));
    await pass(800);
    keeper.offer(content('a'));
    expect(keeper.state.kind).not.toBe('saved');
    await pass(60_000);
    expect([keeper.state.kind, noteOf(service.draft)]).toEqual(['saved', 'a']);
  });

  it('is not called unsaved where there is nothing to save and another page’s draft cannot be read', async () => {
    const keeper = open();
    service.elsewhere('theirs');
    service.isReadable = false;
    await keeper.noteStanding('elsewhere-theirs', keeper.mark());
    expect(keeper.state.kind).toBe('none');
    service.isReadable = true;
    await keeper.noteStanding('elsewhere-theirs', keeper.mark());
    expect(keeper.state).toMatchObject({ kind: 'other', theirs: { revision: 'elsewhere-theirs' } });
  });

  it('does not rise again by itself in a second tab when the first has decided, and does where its person wants it', async () => {
    const first = open();
    first.offer(content('a'));
    await pass(1000);
    const second = open({ saved: service.draft, inTab: null });
    second.offer(content('a, and more'));
    await first.hold();
    service.draft = null;
    service.reportVersion = 2;
    first.release(true);
    await pass(60_000);
    expect([second.state, service.draft]).toMatchObject([{ kind: 'other', theirs: null }, null]);
    await second.noteStanding(null, second.mark());
    expect([service.draft, noteOf(service.tab!.content)]).toEqual([null, 'a, and more']);
    const reloaded = open({ saved: null, inTab: service.tab });
    await pass(60_000);
    expect([reloaded.state.kind, service.draft]).toEqual(['other', null]);
    second.keepMine();
    await pass(1000);
    expect([second.state.kind, noteOf(service.draft)]).toEqual(['saved', 'a, and more']);
  });

  it('is told of a decision whose answer was lost, and is not saved anew', async () => {
    const keeper = open();
    keeper.offer(content('a'));
    await pass(1000);
    await keeper.hold();
    service.draft = null;
    service.reportVersion = 2;
    keeper.release(false);
    await pass(1000);
    await keeper.noteStanding(null, keeper.mark());
    await pass(60_000);
    expect([keeper.state, service.draft]).toMatchObject([{ kind: 'other', theirs: null }, null]);
  });

  it('ends its own saving that comes after the decision', async () => {
    service.faults.push('network');
    const keeper = open();
    keeper.offer(content('a'));
    await pass(1000);
    await keeper.hold();
    keeper.release(true);
    service.draft = { ...content('a'), revision: service.sent[0]!.revision, savedAt: '2026-01-01T00:00:09Z' };
    await keeper.noteStanding(service.draft.revision, keeper.mark());
    await pass(1000);
    expect([keeper.state.kind, service.draft]).toEqual(['none', null]);
  });

  it('goes on being tried when its report is left, until another page of the desk goes on with it', async () => {
    service.faults.push('network', 'network', 'network');
    const keeper = open();
    keeper.offer(content('a'));
    await pass(1000);
    keeper.retire();
    await pass(60_000);
    expect(noteOf(service.draft)).toBe('a');
    service.faults.push('network', 'network', 'network');
    keeper.offer(content('ab'));
    await pass(1000);
    keeper.abandon();
    await pass(600_000);
    expect(noteOf(service.draft)).toBe('a');
  });

  it('sends what came after a saving that is under way, where the page may go before its answer', async () => {
    const keeper = open();
    keeper.offer(content('a'));
    await pass(1000);
    keeper.offer(content('ab'));
    let answer = (): void => undefined;
    const keep = service.keep.bind(service);
    jest.spyOn(service, 'keep').mockImplementationOnce(async (sent) => {
      const savedAt = await keep(sent);
      await new Promise<void>((resolve) => (answer = resolve));
      return savedAt;
    });
    await pass(900);
    keeper.offer(content('abc'));
    keeper.saveNow(true);
    await pass(0);
    expect(noteOf(service.draft)).toBe('abc');
    answer();
    await pass(1000);
    expect([keeper.state.kind, noteOf(service.draft)]).toEqual(['saved', 'abc']);
  });

  it('begins without one that could not be read, says so, and writes nothing over it', async () => {
    service.elsewhere('theirs');
    const keeper = open({ saved: null, inTab: null, isUnknown: true });
    expect(keeper.state.kind).toBe('unknown');
    keeper.offer(content('mine'));
    await pass(1000);
    expect([keeper.state.kind, noteOf(service.draft)]).toEqual(['other', 'theirs']);
    const none = open({ saved: null, inTab: null, isUnknown: true });
    await none.noteStanding(null, none.mark());
    expect(none.state.kind).toBe('none');
  });

  it('is no more in the tab once its report is gone', async () => {
    service.faults.push(refusal(404, 'report.not_found'));
    const keeper = open();
    keeper.offer(content('a'));
    await pass(60_000);
    expect([keeper.state.kind, service.tab]).toEqual(['failed', null]);
  });

  it('is no more in the tab once its report is gone, although another draft stood in its way', async () => {
    const [one, other] = [open(), open()];
    one.offer(content('a'));
    await pass(60_000);
    other.offer(content('b'));
    await pass(60_000);
    expect([other.state.kind, service.tab?.content.work.note]).toEqual(['other', 'b']);
    other.retire();
    other.drop();
    other.keepMine();
    other.offer(content('c'));
    await pass(60_000);
    expect([service.tab, service.draft?.work.note]).toEqual([null, 'a']);
  });
});
