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
      const stop = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, ms);
      if (signal?.aborted) stop();
      else signal?.addEventListener('abort', stop);
    }),
};

export function throwIfAborted(signal: AbortSignalLike | undefined): void {
  if (signal?.aborted) throw signal.reason;
}
