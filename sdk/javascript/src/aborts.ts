import type { AbortSignalLike } from './options.js';

interface Hearers {
  readonly told: Set<() => void>;
  readonly tellAll: () => void;
}

/** One listener for each signal, however many calls share it: Node.js warns of the eleventh. */
const hearers = new WeakMap<AbortSignalLike, Hearers>();

/** Calls `listener` where the signal is given. Returns what ends that. */
export function onAbort(signal: AbortSignalLike | undefined, listener: () => void): () => void {
  if (signal === undefined) return () => undefined;
  const known = hearers.get(signal) ?? begin(signal);
  known.told.add(listener);
  return () => {
    known.told.delete(listener);
    if (known.told.size > 0 || hearers.get(signal) !== known) return;
    hearers.delete(signal);
    signal.removeEventListener('abort', known.tellAll);
  };
}

function begin(signal: AbortSignalLike): Hearers {
  const told = new Set<() => void>();
  const made = { told, tellAll: () => [...told].forEach((tell) => tell()) };
  hearers.set(signal, made);
  signal.addEventListener('abort', made.tellAll);
  return made;
}
