import type { Reviewer } from '../../../core/followup/wound.js';
import type { MessageWriter } from '../../er7/index.js';
import { authorityOf, type Authorities } from './authorities.js';

/** A person as the receiver's own fields name them. */
export interface Observer {
  /** XCN, raw: OBX-16. */
  readonly xcn: string;
  /** NDL with the same in its first component, raw: OBR-32. */
  readonly ndl: string;
}

/** XCN has its assigning authority in the 9th component; CNN keeps namespace, id and type as its 9th to 11th subcomponent. */
const AUTHORITY = 8;

/**
 * Whoever ordered is named in the words of the order, where it is the same person; else by id and name, which is not taken apart: nobody
 * said which part of it is which.
 */
export function toObserver(writer: MessageWriter, reviewer: Reviewer, { orderedBy, authorities }: { readonly orderedBy: string; readonly authorities: Authorities }): Observer {
  const known = orderedBy.split('~').find((person) => person.split('^')[0] === writer.text(reviewer.id));
  const xcn = known ?? writer.components(writer.text(reviewer.id), writer.text(reviewer.name), '', '', '', '', '', '', authorityOf(writer, reviewer.system, authorities));
  const parts = xcn.split('^');
  const [namespace = '', id = '', type = ''] = (parts[AUTHORITY] ?? '').split('&');
  const names = Array.from({ length: AUTHORITY }, (_, index) => (parts[index] ?? '').split('&')[0]!);
  return { xcn, ndl: writer.subcomponents(...names, ...(namespace === '' ? ['', id, type] : [namespace])) };
}
