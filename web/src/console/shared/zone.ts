import { useSyncExternalStore } from 'react';

export type Zone = 'local' | 'utc';
const KEY = 'sutura.zone';
const listeners = new Set<() => void>();
let chosen = kept();

function kept(): Zone {
  try {
    return localStorage.getItem(KEY) === 'utc' ? 'utc' : 'local';
  } catch {
    return 'local';
  }
}

function choose(zone: Zone): void {
  chosen = zone;
  try {
    localStorage.setItem(KEY, zone);
  } catch {
    // It counts until the page is left.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** In which zone times are shown and typed: that of whoever looks, until they choose UTC. Who renders by it is rendered anew. */
export function useZone(): [Zone, (zone: Zone) => void] {
  return [useSyncExternalStore(subscribe, () => chosen), choose];
}

/** In the region of whoever looks and the zone that they chose, by 24 hours. UTC is named. */
export const moment = (instant: string | null): string =>
  instant === null ? '–' : inZone(instant, { dateStyle: 'medium', timeStyle: 'medium' });

/** Short ones, as beside the lines of a chart, say their zone elsewhere: `isNamed` false. */
export function inZone(instant: string, form: Intl.DateTimeFormatOptions, isNamed = true): string {
  const isUtc = chosen === 'utc';
  const zone = isUtc ? { timeZone: 'UTC' } : {};
  const told = new Intl.DateTimeFormat(undefined, { hourCycle: 'h23', ...form, ...zone }).format(new Date(instant));
  return isUtc && isNamed ? `${told} UTC` : told;
}

/** What a person picked (`2026-03-15T08:00`), in the zone that they chose. */
export function instantOf(picked: string | null): string | undefined {
  if (picked === null || Number.isNaN(Date.parse(picked))) return undefined;
  return new Date(chosen === 'utc' ? `${picked}Z` : picked).toISOString();
}
