import type { SheetTile } from './contact-sheet.js';

/** As many as one sheet shows. */
export const WORST_COUNT = 24;

interface Ranked {
  readonly dice: number;
  readonly wrongShare: number;
  readonly tile: SheetTile;
}

/** Keeps the worst photos seen so far: least Dice first, and of equals those with more wrong pixels. */
export class WorstCases {
  private readonly kept: Ranked[] = [];

  /** `wrongShare` is the share of the photo's pixels that are wrong. The tile is made only where the case is among the worst. */
  offer(dice: number, wrongShare: number, makeTile: () => SheetTile): void {
    const last = this.kept[WORST_COUNT - 1];
    if (last !== undefined && !isWorse({ dice, wrongShare }, last)) return;
    const place = this.kept.findIndex((kept) => isWorse({ dice, wrongShare }, kept));
    this.kept.splice(place < 0 ? this.kept.length : place, 0, { dice, wrongShare, tile: makeTile() });
    this.kept.length = Math.min(this.kept.length, WORST_COUNT);
  }

  /** Worst first. */
  get tiles(): SheetTile[] {
    return this.kept.map(({ tile }) => tile);
  }
}

function isWorse(a: Omit<Ranked, 'tile'>, b: Omit<Ranked, 'tile'>): boolean {
  return a.dice === b.dice ? a.wrongShare > b.wrongShare : a.dice < b.dice;
}
