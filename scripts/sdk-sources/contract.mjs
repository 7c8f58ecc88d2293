import { BY_HAND, idOf, METHODS } from './names.mjs';
import { nameOfRef, pascal, reachable } from './schemas.mjs';

const VERBS = ['get', 'post', 'put', 'patch', 'delete'];
const FEW_PARAMETERS = 2;
const KEYLESS = ['getUploadUrl'];

/** The operations of the tenants' part that are not made by hand. */
export function operationsOf({ paths }) {
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/v1/'))
    .flatMap(([path, item]) =>
      VERBS.filter((verb) => item[verb] !== undefined).map((verb) => described(path, verb, item[verb])),
    );
}

function described(path, verb, operation) {
  const parameters = operation.parameters ?? [];
  const named = (place) => parameters.filter((one) => one.in === place);
  const id = operation.operationId;
  const method = METHODS[id] ?? id;
  const json = operation.requestBody?.content['application/json']?.schema;
  const [, success] = Object.entries(operation.responses).find(([status]) => status.startsWith('2'));
  const [[mediaType, { schema }] = [undefined, {}]] = Object.entries(success.content ?? {});
  return {
    path,
    verb: verb.toUpperCase(),
    method,
    id,
    tag: operation.tags[0],
    told: operation.summary ?? operation.description ?? method,
    isByHand: BY_HAND.includes(id),
    ids: named('path').map(({ name }) => idOf(path, name)),
    query: named('query'),
    isKeyed: named('header').some(({ name }) => name === 'Idempotency-Key') && !KEYLESS.includes(method),
    body:
      json === undefined
        ? undefined
        : { type: nameOfRef(json.$ref), isRequired: operation.requestBody.required === true },
    mediaType,
    answer: mediaType === 'application/json' ? nameOfRef(schema.$ref) : undefined,
  };
}

/** Whether its items come in pages. */
export const isPaged = ({ query }) => query.some(({ name }) => name === 'cursor');

/** Whether its filters are a type of their own. */
export const hasQueryType = ({ query }) => query.length > FEW_PARAMETERS;
export const queryType = ({ method }) => `${pascal(method)}Query`;

/** The type of the items of a list. */
export function itemOf(answer) {
  const known = { EventList: 'LoggedEvent', ReportList: 'FiledReport' };
  return known[answer] ?? answer.replace(/List$/, '');
}

/** The schemas of the tenants' part, and whether a caller sends them. */
export function tenantSchemas(document) {
  const { schemas } = document.components;
  const tenant = Object.fromEntries(Object.entries(document.paths).filter(([path]) => path.startsWith('/api/v1/')));
  const bodies = Object.values(tenant).flatMap((item) => Object.values(item).map((one) => one?.requestBody));
  const sent = reachable(schemas, bodies);
  const wanted = reachable(schemas, [tenant, document.webhooks]);
  // Exceptions have what a problem has; of its parts the codes alone are a type.
  wanted.delete('Problem');
  wanted.add('ErrorCode');
  return [...wanted].map((name) => ({ name, isSent: sent.has(name) }));
}
