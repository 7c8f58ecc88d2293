const DAY_MS = 24 * 60 * 60 * 1000;

/** Whole days until a certificate expires; negative after that. */
export function certificateDays(expiresAt: Date, now: Date): number {
  return Math.floor((expiresAt.getTime() - now.getTime()) / DAY_MS);
}
