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

const HAS_OFFSET = /T.*(?:Z|[+-]\d{2}:?\d{2})$/i;

/** What a person picked (`2026-03-15T08:00`), in the zone that they chose; what states its offset is that instant in each. */
export function instantOf(picked: string | null, zone = chosen): string | undefined {
  if (picked === null) return undefined;
  const instant = new Date(zone === 'utc' && !HAS_OFFSET.test(picked) ? `${picked}Z` : picked);
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString();
}

/** An instant as a field for a day and time has it, in the zone that they chose; '' for none. */
export function pickedOf(instant: string | undefined, zone = chosen): string {
  if (instant === undefined) return '';
  const at = new Date(instant);
  const shifted = zone === 'utc' ? at : new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 19).replace(/:00$/, '');
}
