import { randomId } from './random-id.js';

/** The gateway takes as many. */
const MOST_FOLLOWED = 20;
/** What a tab keeps of them. */
const MOST_KEPT = 500;

/** Which revisions of a draft a page made or saw, and which of them stands. */
export class DraftRevisions {
  private readonly known: string[] = [];
  private sent: { readonly revision: string; readonly text: string } | null = null;
  /** The one that stands, as far as is known; null: none. */
  standing: string | null = null;

  has(revision: string): boolean {
    return this.known.includes(revision);
  }

  add(...revisions: readonly string[]): void {
    this.known.push(...revisions.filter((revision) => !this.has(revision)));
  }

  stand(revision: string): void {
    this.add(revision);
    this.standing = revision;
  }

  /** It is somebody else's after all: another page went on. */
  forget(revision: string): void {
    this.known.splice(this.known.indexOf(revision), 1);
    this.standing = null;
  }

  /** Under which this text goes: a repeat of what was sent last, whose answer may be lost, is the same revision. */
  nextFor(text: string): { readonly revision: string; readonly isRepeat: boolean } {
    if (this.sent?.text === text) return { revision: this.sent.revision, isRepeat: true };
    this.sent = { revision: randomId(), text };
    // Known from now on: the answer may be lost when it is kept already.
    this.add(this.sent.revision);
    return { revision: this.sent.revision, isRepeat: false };
  }

  /** What a saving takes the place of: always the one that stands. Of a first one nothing, so that it comes after no decision. */
  followed(): readonly string[] {
    return this.standing === null ? [] : this.latest();
  }

  /** Those that may stand, as far as this page knows. */
  latest(): readonly string[] {
    return this.last(MOST_FOLLOWED);
  }

  all(): readonly string[] {
    return this.last(MOST_KEPT);
  }

  private last(most: number): readonly string[] {
    const others = this.known.filter((revision) => revision !== this.standing).slice(1 - most);
    return this.standing === null ? others : [this.standing, ...others];
  }
}
