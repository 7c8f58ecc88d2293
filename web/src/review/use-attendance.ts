import { useEffect } from 'react';
import { tellUsed } from './desk-api.js';

const SIGNS = ['pointerdown', 'keydown', 'wheel'] as const;
/** Said at most this often; a desk lasts so much less than its whole time after the last sign. */
const TELL_MS = 60_000;

/** Says that somebody is at a desk that ends when nobody is, and learns until when it lasts. `idleS` null: it does not. */
export function useAttendance(idleS: number | null, onLasting: (expiresAt: string) => void): void {
  useEffect(() => {
    if (idleS === null) return;
    let toldAt = performance.now();
    const note = () => {
      if (performance.now() - toldAt < TELL_MS) return;
      toldAt = performance.now();
      // That the desk has ended is said by the page; that the service is away, by what is not saved.
      tellUsed().then(onLasting, () => undefined);
    };
    for (const sign of SIGNS) window.addEventListener(sign, note, { capture: true, passive: true });
    return () => {
      for (const sign of SIGNS) window.removeEventListener(sign, note, { capture: true });
    };
  }, [idleS, onLasting]);
}
