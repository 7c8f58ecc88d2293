/** What a call does with a type, by the letters of SMART 2 scopes. */
export type Permission = 'c' | 'r' | 'u' | 'd' | 's';

interface ResourceScope {
  readonly context: 'patient' | 'user' | 'system';
  readonly type: string;
  readonly permissions: string;
  readonly query: URLSearchParams | undefined;
  readonly version: 'v1' | 'v2';
}

/** Reads a scope for resources of SMART 1 (`patient/Patient.read`) or 2 (`system/DocumentReference.c?category=…`); null for all others. */
export function readScope(scope: string): ResourceScope | null {
  const parts = /^(patient|user|system)\/(\*|[A-Z][A-Za-z]+)\.(read|write|\*|[cruds]+)(?:\?(.+))?$/.exec(scope);
  if (parts === null) return null;
  const [, context, type, stated, query] = parts;
  const letters = lettersOf(stated!);
  if (letters === null) return null;
  return {
    context: context as ResourceScope['context'],
    type: type!,
    permissions: letters,
    query: query === undefined ? undefined : new URLSearchParams(query),
    version: /^[cruds]+$/.test(stated!) ? 'v2' : 'v1',
  };
}

/** v2 letters stand in the order of `cruds`, each once; null if they do not. */
function lettersOf(stated: string): string | null {
  if (stated === 'read') return 'rs';
  if (stated === 'write') return 'cud';
  if (stated === '*') return 'cruds';
  return /^c?r?u?d?s?$/.test(stated) ? stated : null;
}

/** What a scope for resources allows, if a token has it. */
export interface Grant {
  /** Only resources of the patient in context. */
  readonly isForPatient: boolean;
  /** Only resources with these codes, such as `category=clinical-note`. */
  readonly query: URLSearchParams | undefined;
}

/** The grants of a token for one permission on one type. */
export function grantsFor(scopes: readonly string[], type: string, permission: Permission): readonly Grant[] {
  return scopes.flatMap((scope) => {
    const read = readScope(scope);
    if (read === null || (read.type !== '*' && read.type !== type) || !read.permissions.includes(permission)) return [];
    return [{ isForPatient: read.context === 'patient', query: read.query }];
  });
}
