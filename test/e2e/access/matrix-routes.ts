import type { CapabilityStatement } from '@medplum/fhirtypes';

/** A request of the matrix: what is asked, and which scopes of keys open it. */
export interface MatrixRoute {
  readonly door: 'native' | 'fhir' | 'admin';
  /** As the tests name it: `GET /fhir/Patient (search-type)`. */
  readonly name: string;
  readonly method: string;
  /** With `{name}` for each id. */
  readonly path: string;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** A key needs all of these; none: any key. */
  readonly allOf: readonly string[];
  /** A key needs one of these, where there is any. */
  readonly oneOf: readonly string[];
  /** A key with the write scope alone reaches what it wrote. */
  readonly isOwnReached: boolean;
  /** Of FHIR: the type, and the letter of SMART that a token needs. */
  readonly type?: string;
  readonly letter?: 'c' | 'r' | 'u' | 'd' | 's';
  /** Of the admin API: the name in the OpenAPI document, and the role that it states; absent: installation admin. */
  readonly operationId?: string;
  readonly role?: string;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
}

interface OpenApiOperation {
  readonly operationId?: string;
  readonly 'x-sutura-role'?: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly requestBody?: { readonly content: Readonly<Record<string, OpenApiContent>> };
}

interface OpenApiContent {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

const CLOSED = { allOf: [], oneOf: [], isOwnReached: false } as const;
/** Scopes of a route whose operation in the OpenAPI document names any key, by what the door says of it. */
const SAID_IN_WORDS: Readonly<Record<string, readonly string[]>> = {
  'POST /hl7v2': ['images:write', 'analysis:write'],
};

/** The routes of the OpenAPI document that ask for a credential. */
export function routesOfOpenApi(document: OpenApi): MatrixRoute[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([verb, operation]): MatrixRoute[] => {
      const schemes = operation.security ?? [];
      const [scheme] = schemes;
      if (scheme === undefined) return [];
      const name = `${verb.toUpperCase()} ${path}`;
      const allOf = SAID_IN_WORDS[name] ?? scheme['bearer'] ?? [];
      const json = exampleOf(operation);
      return [
        {
          ...CLOSED,
          door: schemes.some((one) => 'adminToken' in one) ? 'admin' : 'native',
          name,
          method: verb.toUpperCase(),
          path,
          allOf,
          ...(operation.operationId === undefined ? {} : { operationId: operation.operationId }),
          ...(operation['x-sutura-role'] === undefined ? {} : { role: operation['x-sutura-role'] }),
          headers: { 'if-match': `"1.${'a'.repeat(22)}"` },
          ...(json === undefined ? {} : { json }),
        },
      ];
    }),
  );
}

function exampleOf({ requestBody }: OpenApiOperation): unknown {
  const content = requestBody?.content['application/json'];
  return content?.example ?? Object.values(content?.examples ?? {})[0]?.value;
}

/** What the page says of a type of FHIR. */
export interface TypeRights {
  readonly read: string;
  readonly write: string;
}

const OF_CODE: Readonly<
  Record<string, readonly [letter: MatrixRoute['letter'], ...requests: (readonly [string, string])[]]>
> = {
  read: ['r', ['GET', '/{id}']],
  vread: ['r', ['GET', '/{id}/_history/1']],
  'history-instance': ['r', ['GET', '/{id}/_history']],
  'history-type': ['r', ['GET', '/_history']],
  'search-type': ['s', ['GET', ''], ['POST', '/_search']],
  create: ['c', ['POST', '']],
  update: ['u', ['PUT', '/{id}']],
  patch: ['u', ['PATCH', '/{id}']],
  delete: ['d', ['DELETE', '/{id}']],
};
const WRITES = ['create', 'update', 'patch', 'delete'];

/** Every interaction of the CapabilityStatement, with the rights that the page states. Throws for a type or an interaction that has none. */
export function routesOfCapabilities(
  { rest }: CapabilityStatement,
  rights: ReadonlyMap<string, TypeRights>,
): MatrixRoute[] {
  return (rest?.[0]?.resource ?? []).flatMap(({ type = '', interaction = [] }) =>
    interaction.flatMap(({ code = '' }): MatrixRoute[] => {
      const [letter, ...requests] = OF_CODE[code] ?? [];
      const said = rights.get(type);
      if (said === undefined || letter === undefined) throw new Error(`${type} ${code} is in no row of access.md.`);
      const cell = WRITES.includes(code) ? said.write : said.read;
      const [scope] = /[a-z]+:[a-z]+/.exec(cell) ?? [];
      return requests.map(([method, tail]) => ({
        door: 'fhir',
        name: `${method} /fhir/${type}${tail} (${code})`,
        method,
        path: `/fhir/${type}${tail}`,
        type,
        // Who may change a Subscription may turn it off, and so delete it.
        letter: type === 'Subscription' && code === 'delete' ? 'u' : letter,
        allOf: [],
        oneOf: scope === undefined ? [] : [scope],
        isOwnReached: cell.includes('own'),
        ...bodyOf(code, method, type),
      }));
    }),
  );
}

function bodyOf(code: string, method: string, type: string): Pick<MatrixRoute, 'json' | 'headers'> {
  if (code === 'patch')
    return {
      json: [{ op: 'add', path: '/language', value: 'de' }],
      headers: { 'content-type': 'application/json-patch+json' },
    };
  if (code === 'delete') return {};
  if (WRITES.includes(code))
    return {
      json: { resourceType: type, ...(code === 'update' ? { id: '{id}' } : {}) },
      headers: { 'content-type': 'application/fhir+json' },
    };
  return method === 'POST' ? { headers: { 'content-type': 'application/x-www-form-urlencoded' } } : {};
}

/** Operations that are, for tokens, an interaction with a type. */
const OF_OPERATION: Readonly<Record<string, Pick<MatrixRoute, 'type' | 'letter'>>> = {
  $status: { type: 'Subscription', letter: 'r' },
  $events: { type: 'Subscription', letter: 'r' },
  $resend: { type: 'Subscription', letter: 'u' },
};

/** Operations with the marks of a resource need what reading or changing its type needs. */
function metaRights(
  operation: string,
  type: string,
  rights: ReadonlyMap<string, TypeRights>,
): Pick<MatrixRoute, 'type' | 'letter' | 'oneOf' | 'isOwnReached'> | undefined {
  if (!operation.startsWith('$meta')) return undefined;
  const reads = operation === '$meta';
  const cell = rights.get(type)?.[reads ? 'read' : 'write'] ?? '';
  const oneOf = [...cell.matchAll(/[a-z]+:[a-z]+/g)].map(([scope]) => scope);
  return { type, letter: reads ? 'r' : 'u', oneOf, isOwnReached: cell.includes('own') };
}

/**
 * Every operation of the CapabilityStatement at each level that it may have; those that are not served there are for the asker to leave out.
 * Throws for one that the page does not state.
 */
export function routesOfOperations(
  { rest }: CapabilityStatement,
  scopes: ReadonlyMap<string, readonly string[]>,
  rights: ReadonlyMap<string, TypeRights>,
): MatrixRoute[] {
  const ofTypes = (rest?.[0]?.resource ?? []).flatMap(({ type = '', operation = [] }) =>
    operation.flatMap(({ name = '' }) => [`/${type}/$${name}`, `/${type}/{id}/$${name}`]),
  );
  const ofSystem = (rest?.[0]?.operation ?? []).map(({ name = '' }) => `/$${name}`);
  return [...ofSystem, ...ofTypes].map((path) => {
    const operation = path.slice(path.indexOf('$'));
    const ofMeta = metaRights(operation, path.split('/')[1]!, rights);
    const oneOf = ofMeta?.oneOf ?? scopes.get(operation);
    if (oneOf === undefined) throw new Error(`${operation} is in no row of access.md.`);
    return {
      ...CLOSED,
      door: 'fhir',
      name: `POST /fhir${path}`,
      method: 'POST',
      path: `/fhir${path}`,
      oneOf,
      ...OF_OPERATION[operation],
      ...ofMeta,
      json: { resourceType: 'Parameters' },
      headers: { 'content-type': 'application/fhir+json' },
    };
  });
}
