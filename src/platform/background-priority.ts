import { readdirSync, readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

/** Behind the gateway's own threads, so that callers are answered while every core computes. */
const NICENESS = 10;

/**
 * Puts the calling thread behind those that answer callers. Only Linux has a priority for each thread; elsewhere
 * nothing changes.
 */
export function lowerThreadPriority(): void {
  attempt(() => lower(Number(basename(readlinkSync('/proc/thread-self')))));
}

/**
 * Puts this process behind those that answer callers. On Linux the call for a process sets its first thread alone, so
 * each thread is set; new threads inherit it.
 */
export function lowerProcessPriority(): void {
  attempt(() => lower(0));
  attempt(() => {
    // A thread may end meanwhile.
    for (const thread of readdirSync('/proc/self/task')) attempt(() => lower(Number(thread)));
  });
}

function lower(thread: number): void {
  if (getPriority(thread) < NICENESS) setPriority(thread, NICENESS);
}

/** Best effort: a process that cannot change its priority keeps it. */
function attempt(change: () => void): void {
  try {
    change();
  } catch {
    return;
  }
}
