import type { DocumentReference, Identifier, Media, Reference, ServiceRequest } from '@medplum/fhirtypes';
import type { AuthorityTable } from '../../../core/patients/authority-table.js';
import { targetOf } from '../interactions/reference-walk.js';

/** Who gave the number: who orders, who fulfils, or the archive of pictures (HL7 table 0203: PLAC, FILL, ACSN). */
type NumberKind = 'placer' | 'filler' | 'accession';

/** A number by which an order is called. */
export interface OrderNumber {
  /** null: its sender does not say, so that it may be any of the three. */
  readonly kind: NumberKind | null;
  /** '': the organization's own numbering. */
  readonly system: string;
  readonly value: string;
}

const KINDS: Readonly<Record<string, NumberKind>> = { PLAC: 'placer', FILL: 'filler', ACSN: 'accession' };

/** The numbers that photos may call the order by: identifiers of these three kinds, and those without a type. */
export function numbersOfOrder({ identifier = [] }: Pick<ServiceRequest, 'identifier'>): OrderNumber[] {
  return identifier.flatMap((one) => numberOf(one) ?? []);
}

/** The numbers of orders that a photo names and that nothing here is known by yet: logical references, and its own identifiers of the three kinds. */
export function numbersNamedBy(photo: Media | DocumentReference): OrderNumber[] {
  const own = photo.resourceType === 'Media' ? (photo.identifier ?? []) : [];
  return [
    ...ordersIn(photo).flatMap((reference) => (isLogical(reference) ? (numberOf(reference.identifier) ?? []) : [])),
    // A photo has numbers of its own, too: one that does not say that it is an order's is none.
    ...own.flatMap((one) => numberOf(one) ?? []).filter(({ kind }) => kind !== null),
  ];
}

/** True for the same number of the same authority, unless the two say that they are of different kinds. */
export function isSameNumber(authorities: AuthorityTable, one: OrderNumber, other: OrderNumber): boolean {
  const isOneKind = one.kind === null || other.kind === null || one.kind === other.kind;
  return isOneKind && one.value === other.value && authorities.isSame(one.system, other.system);
}

/**
 * True where any of these is any of the others. An accession number, which several orders may have, counts only where not both have a placer's
 * number, which would be another; with `byName` not at all.
 */
export function isCalledBy(
  authorities: AuthorityTable,
  numbers: readonly OrderNumber[],
  others: readonly OrderNumber[],
  { byName }: { readonly byName: boolean } = { byName: false },
): boolean {
  const meet = (isCounted: (number: OrderNumber) => boolean): boolean => {
    const counted = others.filter(isCounted);
    return numbers.filter(isCounted).some((one) => counted.some((other) => isSameNumber(authorities, one, other)));
  };
  if (meet(({ kind }) => kind !== 'accession')) return true;
  const isPlaced = (all: readonly OrderNumber[]): boolean => all.some(({ kind }) => kind === 'placer');
  return !byName && !(isPlaced(numbers) && isPlaced(others)) && meet(() => true);
}

/** The photo with a reference to the order, in place of those that call it by a number. */
export function withOrder<T extends Media | DocumentReference>(
  authorities: AuthorityTable,
  photo: T,
  order: ServiceRequest,
): T {
  const reference = `ServiceRequest/${order.id}`;
  const numbers = numbersOfOrder(order);
  const isNumberOfIt = (one: Reference): boolean => {
    const number = isLogical(one) ? numberOf(one.identifier) : null;
    return number !== null && numbers.some((known) => isSameNumber(authorities, known, number));
  };
  const named = ordersIn(photo);
  const others = named.filter((one) => !isNumberOfIt(one) && one.reference !== reference);
  const link = { ...named.find(isNumberOfIt), ...named.find((one) => one.reference === reference), reference };
  if (photo.resourceType === 'Media') return { ...photo, basedOn: [...others, link] };
  return { ...photo, context: { ...(photo as DocumentReference).context, related: [...others, link] } };
}

function ordersIn(photo: Media | DocumentReference): readonly Reference[] {
  return (photo.resourceType === 'Media' ? photo.basedOn : photo.context?.related) ?? [];
}

/** Names its order by an identifier, and by no resource of this service. */
function isLogical({ reference, type, identifier }: Reference): boolean {
  return (
    identifier !== undefined && targetOf(reference ?? '') === null && (type ?? 'ServiceRequest') === 'ServiceRequest'
  );
}

/** null: no number, one that is no longer used, or one of another kind. */
function numberOf(identifier: Identifier | undefined): OrderNumber | null {
  const { system = '', value, type, use } = identifier ?? {};
  if (value === undefined || use === 'old') return null;
  const codes = (type?.coding ?? []).flatMap(({ code }) => code ?? []);
  const kind = codes.flatMap((code) => (Object.hasOwn(KINDS, code) ? KINDS[code]! : []))[0] ?? null;
  return kind === null && codes.length > 0 ? null : { kind, system, value };
}
