import type { TableElement } from './element-table.js';
import type { Members, Primitive } from './xml-frames.js';

/** Adds what an element is in JSON; false: it may stand once, and stands there. */
export function addMember(parent: Members, { name, isList }: TableElement, value: unknown): boolean {
  const known = parent[name];
  if (known === undefined) parent[name] = isList ? [value] : value;
  else if (isList) (known as unknown[]).push(value);
  else return false;
  return true;
}

/** Adds a value, and its id and extensions beside it (R4 json.html 2.6.2.3). What is empty becomes an empty text, which validation names. */
export function addPrimitive(
  parent: Members,
  { name, partner, isList }: TableElement,
  primitive: Primitive | undefined,
  extras: Members | null,
): boolean {
  if (!isList) {
    if (parent[name] !== undefined || parent[partner] !== undefined) return false;
    if (primitive !== undefined || extras === null) parent[name] = primitive ?? '';
    if (extras !== null) parent[partner] = extras;
    return true;
  }
  const list = (parent[name] ??= []) as unknown[];
  list.push(primitive ?? (extras === null ? '' : null));
  const partners = parent[partner] as unknown[] | undefined;
  if (partners !== undefined) partners.push(extras);
  else if (extras !== null) parent[partner] = [...Array<null>(list.length - 1).fill(null), extras];
  return true;
}

/** The place of the last of an element in its list, -1 for none; -1 of one that is no list, too. */
export function indexOfLast(parent: Members, { name, isList }: TableElement): number {
  return isList ? ((parent[name] as unknown[] | undefined)?.length ?? 0) - 1 : -1;
}

export function isEmpty(value: Members): boolean {
  for (const name in value) if (value[name] !== undefined) return false;
  return true;
}

/** Lists of nothing but nulls say nothing beside those of extensions. */
export function dropNulls(value: Members): void {
  for (const [name, member] of Object.entries(value))
    if (Array.isArray(member) && !name.startsWith('_') && member.every((item) => item === null)) delete value[name];
}
