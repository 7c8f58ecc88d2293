/** What a client may do with the resources of a type, by the letters of SMART App Launch 2.2: create, read, update, delete, search. */
export const RIGHTS = ['c', 'r', 'u', 'd', 's'] as const;
export type Right = (typeof RIGHTS)[number];

/** Types that `*` does not include: access logs need a scope of their own. */
const NAMED_ONLY: readonly string[] = ['AuditEvent'];

/** A granted `system/` scope. `type` is a FHIR type, or `*` for all of them but AuditEvent. */
export interface SystemScope {
  readonly type: string;
  readonly rights: readonly Right[];
}

/** v2: letters in the order of `cruds`; v1: read, write or `*`. The filters behind a `?` of v2 are not served. */
const SYNTAX = /^system\/(\*|[A-Z][A-Za-z]{1,60})\.(?:(c?r?u?d?s?)|(read|write|\*))$/;
const LEGACY_RIGHTS: Readonly<Record<string, readonly Right[]>> = {
  read: ['r', 's'],
  write: ['c', 'u', 'd'],
  '*': RIGHTS,
};

/** One scope as a client writes it; null for any other text, such as `patient/` scopes, and for one that grants nothing here. */
export function readSystemScope(text: string): SystemScope | null {
  const [, type, letters, word] = SYNTAX.exec(text) ?? [];
  if (type === undefined) return null;
  const rights = word === undefined ? RIGHTS.filter((right) => letters!.includes(right)) : LEGACY_RIGHTS[word]!;
  return rights.length === 0 ? null : { type, rights };
}

/** In the syntax of v2. */
export function textOf({ type, rights }: SystemScope): string {
  return `system/${type}.${RIGHTS.filter((right) => rights.includes(right)).join('')}`;
}

export function isAllowed(scopes: readonly SystemScope[], type: string, right: Right): boolean {
  const stands = (held: string): boolean => held === type || (held === '*' && !NAMED_ONLY.includes(type));
  return scopes.some((scope) => stands(scope.type) && scope.rights.includes(right));
}

/**
 * What of `asked` is within `held`: by type, where all types are asked for and some are held. Scopes that nothing is left of are
 * not in the answer.
 */
export function narrowed(asked: SystemScope, held: readonly SystemScope[]): SystemScope[] {
  const types = asked.type === '*' ? [...new Set(held.map(({ type }) => type))] : [asked.type];
  return types
    .map((type) => ({ type, rights: asked.rights.filter((right) => isAllowed(held, type, right)) }))
    .filter(({ rights }) => rights.length > 0);
}
