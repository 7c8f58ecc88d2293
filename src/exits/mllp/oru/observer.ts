import type { Reviewer } from '../../../core/followup/wound.js';
import type { MessageWriter } from '../../../standards/hl7v2/er7/message-writer.js';
import { authorityOf, type Authorities } from '../settings/authorities.js';

/** A person in the fields of a result. */
export interface Observer {
  /** XCN, raw: OBX-16. */
  readonly xcn: string;
  /** NDL with the person in its first component, raw: OBR-32. */
  readonly ndl: string;
}

/** Component 9 of XCN is the assigning authority; CNN has namespace, id and type as subcomponents 9 to 11. */
const AUTHORITY = 8;

/**
 * The reviewer by id, authority and full name; the name is not split, since its parts are unknown. Where the order
 * names the same person, by number, authority and name, its XCN is used, which has the parts.
 */
export function toObserver(
  writer: MessageWriter,
  reviewer: Reviewer,
  { orderedBy, authorities }: { readonly orderedBy: string; readonly authorities: Authorities },
): Observer {
  const authority = authorityOf(writer, reviewer.system, authorities);
  const known = orderedBy.split('~').find((person) => isSame(writer, person.split('^'), reviewer, authority));
  const xcn =
    known ?? writer.components(writer.text(reviewer.id), writer.text(reviewer.name), '', '', '', '', '', '', authority);
  const parts = xcn.split('^');
  const [namespace = '', id = '', type = ''] = (parts[AUTHORITY] ?? '').split('&');
  const names = Array.from({ length: AUTHORITY }, (_, index) => (parts[index] ?? '').split('&')[0]!);
  return { xcn, ndl: writer.subcomponents(...names, ...(namespace === '' ? ['', id, type] : [namespace])) };
}

/** `parts`: XCN, raw. A number without an assigning authority identifies no person. */
function isSame(writer: MessageWriter, parts: readonly string[], { id, name }: Reviewer, authority: string): boolean {
  if (authority === '' || parts[0] !== writer.text(id) || !isSameAuthority(parts[AUTHORITY] ?? '', authority))
    return false;
  const stated = [parts[1], parts[2]].map((part) => (part ?? '').split('&')[0]!).filter((part) => part !== '');
  const words = wordsOf(writer.text(name));
  return stated.length > 0 && stated.flatMap((part) => [...wordsOf(part)]).every((word) => words.has(word));
}

/** Compares raw HD by universal id where both have one, else by namespace. */
function isSameAuthority(one: string, other: string): boolean {
  const [name, id] = one.split('&');
  const [otherName, otherId] = other.split('&');
  return id !== undefined && id !== '' && otherId !== undefined && otherId !== ''
    ? id === otherId
    : name !== '' && name === otherName;
}

function wordsOf(text: string): Set<string> {
  return new Set(
    text
      .normalize('NFC')
      .toLowerCase()
      .split(/[\s.,]+/)
      .filter((word) => word !== ''),
  );
}
