// A collection in the form of Postman 2.1 from the OpenAPI document: the first analysis step by step, and each route that a tenant's key has.
import { FIRST_ANALYSIS } from './first-analysis.mjs';

const TENANT = '/api/v1/';
/** By the kind of thing whose id stands in a path as `{id}`, and ids by their own names. */
const VARIABLES = { jobs: 'jobId', wounds: 'woundId', reports: 'reportId', held: 'heldId' };
/** What a path's last parameter is where it is no id. */
const VALUES = { artifacts: 'overlay', samples: 'clean-wound', versions: '1' };
/** Made of the answer before, or of a wish: an example would be refused. */
const LEFT_OUT_HEADERS = ['If-None-Match', 'Accept-Language'];

const IDS = ['imageId', 'jobId', 'woundId', 'reportId', 'heldId', 'webhookId', 'deliveryId', 'eventId', 'relationId'];

/** @param {{ info: { version: string }, tags: { name: string }[], paths: object }} openapi */
export function collectionOf(openapi) {
  const operations = Object.entries(openapi.paths)
    .filter(([path]) => path.startsWith(TENANT))
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })));
  const folders = openapi.tags.flatMap(({ name, description }) => {
    const item = operations.filter(({ operation }) => operation.tags?.[0] === name).map(toItem);
    return item.length === 0 ? [] : [{ name, ...(description === undefined ? {} : { description }), item }];
  });
  return {
    info: {
      name: 'Sutura',
      description:
        'Made of docs/openapi.json by "npm run collection". Set baseUrl, and apiKey to a key of the test environment: in an environment or a vault of yours, not in this file.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:3000' },
      { key: 'apiKey', value: '' },
      ...IDS.map((key) => ({ key, value: '' })),
    ],
    item: [FIRST_ANALYSIS, ...folders],
  };
}

function toItem({ path, method, operation }) {
  const { operationId, summary, description = '', parameters = [], requestBody } = operation;
  const segments = path.slice(1).split('/');
  const variable = segments.flatMap((segment, at) => {
    const key = /^\{(\w+)\}$/.exec(segment)?.[1];
    return key === undefined ? [] : [{ key, value: valueOf(key, segments[at - 1]) }];
  });
  const query = parameters.filter(({ in: where }) => where === 'query').map((one) => toQuery(one, operationId));
  const example = Object.values(requestBody?.content?.['application/json']?.examples ?? {})[0]?.value;
  const header = parameters
    .filter(({ in: where, name }) => where === 'header' && !LEFT_OUT_HEADERS.includes(name))
    .map(({ name, required, schema }) => ({ key: name, value: schema?.example ?? '', disabled: required !== true }));
  if (example !== undefined) header.unshift({ key: 'Content-Type', value: 'application/json' });
  const asked = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  const raw = segments.map((segment) => segment.replace(/^\{(\w+)\}$/, ':$1'));
  return {
    name: summary ?? operationId,
    request: {
      method: method.toUpperCase(),
      description: `${operationId}. ${description}`.trim(),
      header,
      url: {
        raw: `{{baseUrl}}/${raw.join('/')}${asked.length === 0 ? '' : `?${asked.join('&')}`}`,
        host: ['{{baseUrl}}'],
        path: raw,
        ...(query.length === 0 ? {} : { query }),
        ...(variable.length === 0 ? {} : { variable }),
      },
      ...(example === undefined
        ? {}
        : {
            body: {
              mode: 'raw',
              raw: JSON.stringify(example, null, 2),
              options: { raw: { language: 'json' } },
            },
          }),
    },
  };
}

function valueOf(key, kind) {
  const named = VALUES[kind] ?? null;
  return named ?? `{{${key === 'id' ? VARIABLES[kind] : key}}}`;
}

/** Off, but for the pair without which reports are not looked up. */
function toQuery({ name, description = '', schema }, operationId) {
  if (name === 'metadata')
    return { key: 'metadata.case', value: '4711', description, disabled: operationId !== 'listReports' };
  const value = schema?.example ?? schema?.default ?? schema?.enum?.[0] ?? '';
  return { key: name, value: String(value), description, disabled: true };
}
