import { readdirSync, readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

/** Behind the gateway's own threads, so that callers are answered while every core computes. */
const NICENESS = 10;

/** Puts the calling thread behind those that answer callers. Only Linux gives each thread a priority of its own; elsewhere nothing changes. */
export function lowerThreadPriority(): void {
  attempt(() => lower(Number(basename(readlinkSync('/proc/thread-self')))));
}

/** Puts this process behind those that answer callers: on Linux each thread that it has (the new ones take after them), as there the call for a process is one for its first thread. */
export function lowerProcessPriority(): void {
  attempt(() => lower(0));
  attempt(() => {
    // One may end meanwhile.
    for (const thread of readdirSync('/proc/self/task')) attempt(() => lower(Number(thread)));
  });
}

function lower(thread: number): void {
  if (getPriority(thread) < NICENESS) setPriority(thread, NICENESS);
}

/** A matter of manners: who may not, or cannot, works on as it is. */
function attempt(change: () => void): void {
  try {
    change();
  } catch {
    return;
  }
}
