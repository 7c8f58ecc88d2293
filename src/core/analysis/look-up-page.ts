/** The end of a page of a look-up by pairs: (listedAt, id), newest first. */
export interface LookUpCursor {
  readonly listedAt: Date;
  readonly id: string;
  /** What came after it is on no page of this look-up; null: on the first page. */
  readonly until: Date | null;
}

/** A part of a look-up. */
export interface LookUpPage<Item> {
  readonly items: readonly Item[];
  /** It stopped looking at what was made then, although the page has room; null: it came to the end, or the page is full. */
  readonly lookedTo: Date | null;
}
