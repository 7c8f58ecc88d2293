import { hash } from 'node:crypto';
import type { Position } from '../../../../standards/fhir/store/match-statement.js';
import type { SortKey } from '../../../../standards/fhir/search-index/search-condition.js';
import { TEXT_LIMIT } from '../../../../standards/fhir/search-index/values/folded-text.js';
import { badParameter } from '../query/search-fault.js';

/** The place where a page begins or ends, and its direction. */
export interface PageCursor {
  readonly position: Position;
  readonly backwards: boolean;
  /** The total as the first page counted it; null: not counted. */
  readonly total: number | null;
}

/** Covers the milliseconds of years with four digits, and the place of resources without a date. */
const EARLIEST_MS = -62_135_596_800_000;
const LATEST_MS = 253_402_300_800_000;
const NUMBER = /^[1-9]\d{0,17}$/;
const TEXT = /^[A-Za-z0-9.-]{0,64}$/;
/** Five keys of text, in base64. */
const LENGTH_LIMIT = 16_000;

/**
 * Opaque to clients: valid for its own search, and checked rather than signed, since a forged one leads no further than
 * to another place among the same matches.
 */
export function writeCursor(search: string, { position, backwards, total }: PageCursor): string {
  return Buffer.from(
    JSON.stringify([fingerprint(search), backwards ? 1 : 0, total, position.number, ...position.keys]),
  ).toString('base64url');
}

/** `fhir.search` for a cursor of another search. */
export function readCursor(search: string, order: readonly SortKey[], text: string): PageCursor {
  const parts = parse(text);
  const [print, direction, total, number, ...keys] = parts ?? [];
  const isOurs =
    print === fingerprint(search) &&
    (direction === 0 || direction === 1) &&
    (total === null || (Number.isSafeInteger(total) && (total as number) >= 0)) &&
    typeof number === 'string' &&
    NUMBER.test(number) &&
    keys.length === order.length &&
    keys.every((key, index) => isKey(key, order[index]!));
  if (!isOurs) throw badParameter('_cursor', 'is not one of this search. Begin with its first page.');
  return {
    position: { keys: keys as string[], number: number as string },
    backwards: direction === 1,
    total: total as number | null,
  };
}

function isKey(key: unknown, { by }: SortKey): boolean {
  if (typeof key !== 'string') return false;
  if (by === 'id' || by === 'status') return TEXT.test(key);
  if (typeof by === 'object' && 'textLinks' in by) return key.length <= 2 * TEXT_LIMIT && !key.includes('\u0000');
  return (
    key === '-Infinity' ||
    (/^-?\d{1,15}(\.\d{1,9})?$/.test(key) && Number(key) >= EARLIEST_MS && Number(key) <= LATEST_MS)
  );
}

function parse(text: string): unknown[] | null {
  if (text.length > LENGTH_LIMIT) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function fingerprint(search: string): string {
  return hash('sha256', search).slice(0, 16);
}
