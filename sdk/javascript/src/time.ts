import { onAbort } from './aborts.js';
import type { AbortSignalLike } from './options.js';

/** Clock, chance and patience: what a test replaces. */
export interface Time {
  now(): number;
  /** 0 to below 1. */
  random(): number;
  /** Rejects with the reason of the signal. */
  sleep(ms: number, signal?: AbortSignalLike): Promise<void>;
}

/** The constructor option, for tests of this library alone, that brings another Time. */
export const TIME: unique symbol = Symbol.for('sutura.sdk.time');

export const realTime: Time = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const timer = setTimeout(() => {
        forget();
        resolve();
      }, ms);
      const forget = onAbort(signal, () => {
        clearTimeout(timer);
        forget();
        reject(signal?.reason);
      });
    }),
};

export function throwIfAborted(signal: AbortSignalLike | undefined): void {
  if (signal?.aborted) throw signal.reason;
}
