/** The place of the root in `LongParts.children`. */
export const ROOT = -1;

/** Where the lists, objects and texts of a JSON text are that are long, noted while the text is scanned. */
export class LongParts {
  /** The end of each, by its start. */
  readonly ends = new Map<number, number>();
  /**
   * By the start of a list or object: the commas at which it falls into runs of members. A run is a single long member, or short ones
   * that together are little longer than `atLeast`.
   */
  readonly cuts = new Map<number, number[]>();
  /** The start of the long value of a run, by the comma or bracket before the run. */
  readonly children = new Map<number, number>();

  constructor(
    /** Characters from which on a part is long. */
    readonly atLeast: number,
  ) {}

  /** Notes a part that lies in this level. False where there is one already in the same place, which is no JSON. */
  note(start: number, end: number, level: CutLevel | undefined): boolean {
    if (end - start < this.atLeast) return true;
    const place = level?.comma ?? ROOT;
    if (this.children.has(place)) return false;
    this.children.set(place, start);
    this.ends.set(start, end);
    if (level !== undefined) this.cut(level, level.comma);
    return true;
  }

  /** To be called at each comma: cuts before it becomes too much. */
  passComma(level: CutLevel, at: number): void {
    if (at - level.cut >= this.atLeast) this.cut(level, at);
    level.comma = at;
  }

  private cut(level: CutLevel, comma: number): void {
    if (comma === level.cut) return;
    level.cut = comma;
    const known = this.cuts.get(level.start);
    if (known === undefined) this.cuts.set(level.start, [comma]);
    else known.push(comma);
  }
}

/** An open list or object. */
export interface CutLevel {
  readonly start: number;
  /** The place of its last comma, or of its bracket; and of the one at which it was cut last. */
  comma: number;
  cut: number;
}
