import { Refusal } from '../shared/api.js';
import { DraftRevisions } from './draft-revisions.js';
import { textOf, type DraftStart, type DraftState, type DraftStore } from './draft-state.js';
import type { Draft, DraftContent } from './types.js';

/** From the first change to its saving. */
const CALM_MS = 800;
/** From the last step that was undone to the end of the draft: until then redo, or a reload, brings it back. */
const END_MS = 60_000;
const RETRY_MS = { first: 2000, most: 30_000 };
/** A repeat would be refused again. */
const FINAL_STATUS: readonly number[] = [400, 401, 403, 404, 413];

/** Brings what is drawn and typed to the service, one saving at a time, and says how far it is. It never writes over what it does not know. */
export class DraftKeeper {
  state: DraftState = { kind: 'none' };
  private readonly listeners = new Set<() => void>();
  private readonly revisions = new DraftRevisions();
  private wanted: DraftContent | null = null;
  private wantedText = 'null';
  private sentText = '';
  /** '': what stands is not known. */
  private savedText = 'null';
  private savedAt: string | null = null;
  private isInTab = true;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isEnding = false;
  private retryMs = RETRY_MS.first;
  private underWay: Promise<void> | null = null;
  /** Its person was told that none stands, or another, and wants this one. */
  private isChosen = false;
  private isAbandoned = false;
  /** A decision is under way. */
  isHeld = false;

  constructor(
    private readonly store: DraftStore,
    { saved, inTab, isUnknown = false }: DraftStart,
  ) {
    if (saved !== null) this.know(saved);
    if (isUnknown) this.set({ kind: 'unknown' });
    if (inTab === null) return;
    this.revisions.add(...inTab.follows);
    this.want(inTab.content);
    if (isUnknown) this.revisions.standing = inTab.standing;
    // Nothing stands any more where something did: it was ended elsewhere.
    const isContinued =
      isUnknown || (saved === null ? inTab.standing === null : inTab.follows.includes(saved.revision));
    if (isContinued) this.set({ kind: 'saving', isInTab: true });
    else {
      if (saved !== null) this.revisions.forget(saved.revision);
      this.meet(saved);
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
    if (this.state.kind !== 'other') this.goOn();
    else if (content === null && this.state.theirs === null) this.takeTheirs();
  }

  /** At once: the network is back, or the page is about to go (`isGoing`). */
  saveNow(isGoing = false): void {
    if (this.isEnding) return;
    if (this.underWay !== null && isGoing) return this.saveBeside();
    if (this.state.kind === 'saving' || (this.state.kind === 'failed' && this.state.isTriedAgain)) this.saveAfter(0);
  }

  /** The page of this report is left: what is not saved is tried further, until the report is opened again. */
  retire(): void {
    if (this.isEnding) this.stop();
    else this.saveNow();
  }

  /** Another keeper goes on with this draft. */
  abandon(): void {
    this.isAbandoned = true;
    this.stop();
  }

  /** Its report is gone: nothing of it stays in the tab, whatever stood in its way, and nothing is tried any more. */
  drop(): void {
    this.isInTab = !this.store.keepInTab(null);
    this.abandon();
  }

  /** Once what is under way has come to its end. */
  async idle(): Promise<void> {
    await this.underWay;
  }

  /** Holds everything back for a decision, once what is under way has come to its end. Returns the revisions that the decision is made of. */
  async hold(): Promise<readonly string[]> {
    this.isHeld = true;
    this.stop();
    await this.underWay;
    this.stop();
    return this.revisions.latest();
  }

  /** After a decision: its draft is gone with it, or goes on. */
  release(isDecided: boolean): void {
    this.isHeld = false;
    if (isDecided) this.forgetAll();
    else if (this.state.kind !== 'other' && this.state.kind !== 'unknown') this.goOn();
  }

  /** What was known before the service was asked which draft stands. */
  mark(): unknown {
    return this.underWay ?? this.revisions.standing;
  }

  /** Another page may have saved or ended the draft, perhaps with a decision. `mark`: from before the question. */
  async noteStanding(revision: string | null, mark: unknown): Promise<void> {
    const { standing } = this.revisions;
    if (this.isHeld || this.underWay !== null || mark !== standing || this.state.kind === 'other') return;
    if (revision === standing) {
      if (this.state.kind === 'unknown') this.goOn();
    } else if (revision === null) this.meet(null);
    else if (this.revisions.has(revision)) {
      // Its answer was lost, or it came after the decision that ended it.
      this.revisions.stand(revision);
      this.savedText = '';
      this.goOn();
    } else {
      // Where it cannot be read, the next question of the page asks again.
      const theirs = await this.store.read().catch(() => undefined);
      if (theirs !== undefined && mark === this.mark() && !this.isHeld) this.meet(theirs);
    }
  }

  /** The person wants what this page has. */
  keepMine(): void {
    if (this.state.kind !== 'other') return;
    if (this.state.theirs !== null) this.revisions.stand(this.state.theirs.revision);
    this.isChosen = true;
    this.savedText = '';
    this.set({ kind: 'saving', isInTab: this.isInTab });
    this.saveAfter(0);
  }

  /** The person wants what was saved elsewhere, which is on the screen from now on. */
  takeTheirs(): void {
    if (this.state.kind !== 'other') return;
    const { theirs } = this.state;
    this.forgetAll();
    if (theirs !== null) this.know(theirs);
  }

  /** No more by itself; what is under way ends. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isEnding = false;
  }

  private know(draft: Draft): void {
    const { reportVersion, work, revision } = draft;
    this.want({ reportVersion, work });
    this.savedText = this.wantedText;
    this.savedAt = draft.savedAt;
    this.revisions.stand(revision);
    this.set({ kind: 'saved', at: draft.savedAt });
  }

  private want(content: DraftContent | null): void {
    this.wanted = content;
    this.wantedText = textOf(content);
  }

  private forgetAll(): void {
    this.stop();
    this.revisions.standing = null;
    this.want(null);
    this.savedText = 'null';
    this.savedAt = null;
    this.isChosen = false;
    this.keepInTab();
    this.set({ kind: 'none' });
  }

  private keepInTab(): void {
    if (this.isAbandoned) return;
    const content = this.wanted;
    const [follows, standing] = [this.revisions.all(), this.revisions.standing];
    this.isInTab = this.store.keepInTab(content === null ? null : { content, follows, standing });
  }

  private set(state: DraftState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }

  /** Says how far it is, and saves what is not saved yet. */
  private goOn(): void {
    const saving = { kind: 'saving', isInTab: this.isInTab } as const;
    if (this.underWay !== null) return this.set(saving);
    if (this.wantedText === this.savedText) return this.settle();
    if (this.wanted === null && this.savedAt !== null) {
      // It stands until then, and is what a reload brings back.
      this.set({ kind: 'saved', at: this.savedAt });
      this.saveAfter(END_MS);
      this.isEnding = true;
      return;
    }
    const isWaiting = this.timer !== undefined && !this.isEnding;
    // The next try is far off: until then it is not saved.
    if (!isWaiting || this.state.kind !== 'failed') this.set(saving);
    // Not put off by the next change: what goes on for long is saved meanwhile.
    if (!isWaiting) this.saveAfter(CALM_MS);
  }

  /** All of it is saved. Of the tab's copy only that: the next page of this report may have put more there. */
  private settle(): void {
    this.stop();
    const kept = this.store.inTab();
    if (kept !== null && textOf(kept.content) === this.wantedText) this.store.keepInTab(null);
    this.set(this.savedAt === null ? { kind: 'none' } : { kind: 'saved', at: this.savedAt });
  }

  private saveAfter(waitMs: number): void {
    this.stop();
    if (this.isHeld || this.isAbandoned) return;
    // A page that is about to go runs no timer any more.
    if (waitMs === 0) return this.saveIfIdle();
    this.timer = setTimeout(() => {
      this.stop();
      this.saveIfIdle();
    }, waitMs);
  }

  private saveIfIdle(): void {
    if (this.underWay !== null) return;
    if (this.wantedText === this.savedText) return this.settle();
    this.underWay = this.save().finally(() => {
      this.underWay = null;
      if (this.state.kind === 'saving') this.goOn();
    });
  }

  private async save(): Promise<void> {
    const [sent, text] = [this.wanted, this.wantedText];
    this.sentText = text;
    try {
      this.savedAt = sent === null ? await this.end() : await this.keep(sent, text);
      this.savedText = text;
      this.isChosen = false;
      this.retryMs = RETRY_MS.first;
      this.set({ kind: 'saving', isInTab: this.isInTab });
    } catch (fault) {
      // It may have arrived all the same.
      this.savedText = '';
      if (fault instanceof Refusal && fault.code === 'review.draft_changed') await this.meetStanding();
      else this.fail(fault);
    }
  }

  private async keep(content: DraftContent, text: string): Promise<string> {
    const follows = this.revisions.followed();
    const { revision, isRepeat } = this.revisions.nextFor(text);
    if (!isRepeat) this.keepInTab();
    const chosen = this.isChosen ? { isChosen: true } : {};
    const savedAt = await this.store.keep({ ...content, revision, follows, ...chosen });
    this.revisions.stand(revision);
    return savedAt;
  }

  /** The page may go before the answer to what is under way: what came since goes beside it, and is known whichever comes first. */
  private saveBeside(): void {
    if (this.wanted === null || this.wantedText === this.sentText || this.isHeld) return;
    const follows = this.revisions.latest();
    const { revision } = this.revisions.nextFor(this.wantedText);
    this.keepInTab();
    this.store.keep({ ...this.wanted, revision, follows }).catch(() => undefined);
  }

  private async end(): Promise<null> {
    const revisions = this.revisions.latest();
    if (revisions.length > 0) await this.store.discard(revisions);
    this.revisions.standing = null;
    return null;
  }

  private async meetStanding(): Promise<void> {
    try {
      this.meet(await this.store.read());
    } catch (fault) {
      this.fail(fault);
    }
  }

  /** What stands is this page's own, or its person has to choose. */
  private meet(theirs: Draft | null): void {
    this.stop();
    if (theirs !== null && this.revisions.has(theirs.revision)) {
      this.revisions.stand(theirs.revision);
      this.savedAt = theirs.savedAt;
      this.set({ kind: 'saving', isInTab: this.isInTab });
    } else if (theirs === null && this.wanted === null) this.forgetAll();
    else {
      this.revisions.standing = null;
      this.isChosen = false;
      this.set({ kind: 'other', theirs, isInTab: this.isInTab });
    }
  }

  private fail(fault: unknown): void {
    const isTriedAgain = !(fault instanceof Refusal && FINAL_STATUS.includes(fault.status));
    // The report is gone, and what was drawn about it is nothing for this tab to keep.
    if (fault instanceof Refusal && fault.code === 'report.not_found') this.isInTab = !this.store.keepInTab(null);
    // An end that did not arrive is no draft that is not saved.
    if (this.wanted === null) this.set(this.savedAt === null ? { kind: 'none' } : { kind: 'saved', at: this.savedAt });
    else this.set({ kind: 'failed', fault, isTriedAgain, isInTab: this.isInTab });
    if (!isTriedAgain) return;
    this.saveAfter(Math.max(this.retryMs, fault instanceof Refusal ? (fault.retryAfterS ?? 0) * 1000 : 0));
    this.retryMs = Math.min(RETRY_MS.most, this.retryMs * 2);
  }
}
