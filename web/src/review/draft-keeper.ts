import { Refusal } from '../shared/api.js';
import { randomId } from './random-id.js';
import type { DraftStart, DraftState, DraftStore } from './draft-state.js';
import type { Draft, DraftContent } from './types.js';

/** From the first change to its saving. */
const CALM_MS = 800;
const RETRY_MS = { first: 2000, most: 30_000 };
/** The gateway takes as many. */
const MOST_FOLLOWED = 20;
/** A repeat would be refused again. */
const FINAL_STATUS: readonly number[] = [400, 401, 403, 404, 413];

/** Brings what is drawn and typed to the service, one saving at a time, and says how far it is. It never writes over what it does not know. */
export class DraftKeeper {
  state: DraftState = { kind: 'none' };
  private readonly listeners = new Set<() => void>();
  /** Revisions that this page made or saw. */
  private readonly revisions: string[] = [];
  /** Of those the one that stands, as far as is known. */
  private standing: string | null = null;
  private wanted: DraftContent | null = null;
  private wantedText = 'null';
  private savedText = 'null';
  private savedAt: string | null = null;
  private isInTab = true;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private retryMs = RETRY_MS.first;
  private underWay: Promise<void> | null = null;
  private isRetired = false;
  /** A decision is under way. */
  isHeld = false;

  constructor(
    private readonly store: DraftStore,
    { saved, inTab }: DraftStart,
  ) {
    const isContinued = inTab !== null && (saved === null || inTab.follows.includes(saved.revision));
    if (saved !== null) this.know(saved);
    if (inTab === null) return;
    this.revisions.push(...inTab.follows);
    this.want(inTab.content);
    if (isContinued) this.set({ kind: 'saving' });
    else {
      this.revisions.splice(this.revisions.indexOf(saved!.revision), 1);
      this.set({ kind: 'other', theirs: saved });
    }
  }

  /** For useSyncExternalStore. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };
  readonly read = (): DraftState => this.state;

  /** Goes on with what the tab had kept. */
  start(): void {
    if (this.state.kind === 'saving') this.saveAfter(0);
  }

  /** What is to be kept now; null: nothing. */
  offer(content: DraftContent | null): void {
    if (textOf(content) === this.wantedText) return;
    this.want(content);
    this.keepInTab();
    if (this.state.kind === 'other') return;
    // Out of reach it stays what it was said to be, until it is tried again.
    if (this.state.kind !== 'failed' || !this.state.isTriedAgain) this.set({ kind: 'saving' });
    // Not put off by the next change: what goes on for long is saved meanwhile.
    if (this.timer === undefined) this.saveAfter(CALM_MS);
  }

  /** At once: the network is back, or the page is about to go. */
  saveNow(): void {
    if (this.state.kind === 'saving' || (this.state.kind === 'failed' && this.state.isTriedAgain)) this.saveAfter(0);
  }

  /** The page of this report is left: once more, and no more by itself. What does not arrive stays in the tab. */
  retire(): void {
    this.isRetired = true;
    this.saveNow();
  }

  /** Holds everything back for a decision, once what is under way has come to its end. Returns the revisions that the decision is made of. */
  async hold(): Promise<readonly string[]> {
    this.isHeld = true;
    this.stop();
    await this.underWay;
    this.stop();
    return this.revisions.slice(-MOST_FOLLOWED);
  }

  /** After a decision: its draft is gone with it, or goes on. */
  release(isDecided: boolean): void {
    this.isHeld = false;
    if (isDecided) {
      this.standing = null;
      this.savedAt = null;
      this.want(null);
      this.savedText = 'null';
      this.store.keepInTab(null);
      this.set({ kind: 'none' });
    } else if (this.wantedText !== this.savedText && this.state.kind !== 'other') this.saveAfter(0);
  }

  /** What was known before the service was asked which draft stands. */
  mark(): unknown {
    return this.underWay ?? this.standing;
  }

  /** Another page may have saved or ended the draft. `mark`: from before the question. `isOutrun`: somebody decided meanwhile, perhaps this person. */
  async noteStanding(revision: string | null, mark: unknown, isOutrun = false): Promise<void> {
    if (this.isHeld || this.underWay !== null || mark !== this.standing || this.state.kind === 'other') return;
    if (revision === this.standing) return;
    if (revision !== null && this.revisions.includes(revision)) this.standing = revision;
    else if (revision !== null) await this.meetOther();
    else {
      this.standing = null;
      if (this.wanted === null) return;
      // A decision is told of as such; what is here goes on as a draft of the version before it.
      if (isOutrun) this.saveAgain();
      else this.set({ kind: 'other', theirs: null });
    }
  }

  /** The person wants what this page has. */
  keepMine(): void {
    if (this.state.kind !== 'other') return;
    if (this.state.theirs !== null) this.revisions.push(this.state.theirs.revision);
    this.saveAgain();
  }

  /** The person wants what was saved elsewhere, which is on the screen from now on. */
  takeTheirs(): void {
    if (this.state.kind !== 'other') return;
    this.store.keepInTab(null);
    if (this.state.theirs !== null) this.know(this.state.theirs);
    else {
      this.want(null);
      this.savedText = 'null';
      this.savedAt = null;
      this.set({ kind: 'none' });
    }
  }

  /** No more by itself; what is under way ends. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private know(draft: Draft): void {
    const { reportVersion, work, revision } = draft;
    this.want({ reportVersion, work });
    this.savedText = this.wantedText;
    this.revisions.push(revision);
    this.standing = revision;
    this.savedAt = draft.savedAt;
    this.set({ kind: 'saved', at: draft.savedAt });
  }

  private want(content: DraftContent | null): void {
    this.wanted = content;
    this.wantedText = textOf(content);
  }

  private saveAgain(): void {
    this.savedText = '';
    this.set({ kind: 'saving' });
    this.saveAfter(0);
  }

  private keepInTab(): void {
    const content = this.wanted;
    const follows = this.revisions.slice(-MOST_FOLLOWED);
    this.isInTab = this.store.keepInTab(content === null ? null : { content, follows });
  }

  /** Only what is saved: the next page of this report may have put more there. */
  private forgetInTab(text: string): void {
    const kept = this.store.inTab();
    if (kept !== null && textOf(kept.content) === text) this.store.keepInTab(null);
  }

  private set(state: DraftState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }

  private saveAfter(waitMs: number): void {
    this.stop();
    if (this.isHeld) return;
    // A page that is about to go runs no timer any more.
    if (waitMs === 0) return this.saveIfIdle();
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.saveIfIdle();
    }, waitMs);
  }

  private saveIfIdle(): void {
    this.underWay ??= this.save().finally(() => {
      this.underWay = null;
      if (this.wantedText !== this.savedText && this.state.kind === 'saving') this.saveAfter(CALM_MS);
    });
  }

  private async save(): Promise<void> {
    const [sent, text] = [this.wanted, this.wantedText];
    if (this.state.kind === 'other') return;
    if (text === this.savedText) return this.settle(this.savedAt);
    try {
      const at = sent === null ? await this.end() : await this.keep(sent);
      this.savedText = text;
      this.retryMs = RETRY_MS.first;
      this.savedAt = at;
      if (this.wantedText === text) this.settle(at);
      else this.set({ kind: 'saving' });
    } catch (fault) {
      if (fault instanceof Refusal && fault.code === 'review.draft_changed') await this.meetOther();
      else this.fail(fault);
    }
  }

  /** Nothing is left to be saved. */
  private settle(at: string | null): void {
    this.forgetInTab(this.savedText);
    this.set(at === null ? { kind: 'none' } : { kind: 'saved', at });
  }

  private async keep(content: DraftContent): Promise<string> {
    const revision = randomId();
    const follows = this.revisions.slice(-MOST_FOLLOWED);
    // Known from now on: the answer may be lost when it is kept already.
    this.revisions.push(revision);
    this.keepInTab();
    const savedAt = await this.store.keep({ ...content, revision, follows });
    this.standing = revision;
    return savedAt;
  }

  private async end(): Promise<null> {
    if (this.revisions.length > 0) await this.store.discard(this.revisions.slice(-MOST_FOLLOWED));
    this.standing = null;
    return null;
  }

  private async meetOther(): Promise<void> {
    try {
      const theirs = await this.store.read();
      if (theirs !== null && !this.revisions.includes(theirs.revision)) return this.set({ kind: 'other', theirs });
      // It went meanwhile, or is this page's own.
      this.standing = theirs?.revision ?? null;
      this.set({ kind: 'saving' });
    } catch (fault) {
      this.fail(fault);
    }
  }

  private fail(fault: unknown): void {
    const isTriedAgain = !(fault instanceof Refusal && FINAL_STATUS.includes(fault.status));
    this.set({ kind: 'failed', fault, isTriedAgain, isInTab: this.isInTab });
    if (!isTriedAgain || this.isHeld || this.isRetired) return;
    this.saveAfter(Math.max(this.retryMs, fault instanceof Refusal ? (fault.retryAfterS ?? 0) * 1000 : 0));
    this.retryMs = Math.min(RETRY_MS.most, this.retryMs * 2);
  }
}

/** The same for the same content: what the database gives back has its members in another order. */
function textOf(content: DraftContent | null): string {
  return JSON.stringify(content, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}
