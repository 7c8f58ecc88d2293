/** To which of `count` titles a key leads; null: it is no key of theirs. */
export function arrowStep(key: string, from: number, count: number): number | null {
  const to = { ArrowRight: from + 1, ArrowLeft: from - 1, Home: 0, End: count - 1 }[key];
  return to === undefined ? null : (to + count) % count;
}
