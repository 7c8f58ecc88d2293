import type { Connection } from './connection.js';
import { ConfigurationError } from './errors.js';
import { withQuery } from './fields.js';
import { keyHeader } from './idempotency-key.js';
import type { RawAnswer, RequestOptions } from './raw.js';
import { readBody } from './saving.js';

const REDIRECTS_AND_UNCHANGED = [300, 301, 302, 303, 304, 307, 308];

/** The key goes to the service of the client alone, and stays the client's. */
export async function requestAny(
  connection: Connection,
  method: string,
  path: string,
  { query = {}, json, headers = {}, idempotencyKey, timeoutMs, signal }: RequestOptions,
): Promise<RawAnswer> {
  if (!/^\/(?!\/)/.test(path)) throw new TypeError('The path begins with one slash: the key goes nowhere else.');
  if (Object.keys(headers).some((name) => /^(authorization|x-api-key)$/i.test(name)))
    throw new ConfigurationError('The key is that of the client: give no header for it.');
  const verb = method.toUpperCase();
  const asked = withQuery('', query);
  const request = {
    method: verb,
    path: path + (path.includes('?') ? asked.replace('?', '&') : asked),
    headers: {
      accept: 'application/json',
      ...headers,
      ...(idempotencyKey === undefined ? {} : await keyHeader(idempotencyKey)),
    },
    json,
    accept: REDIRECTS_AND_UNCHANGED,
    once: idempotencyKey === undefined && /^(POST|PATCH)$/.test(verb),
    ...(verb === 'DELETE' ? { acceptRepeated: 404 } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    signal,
  };
  return connection.send(request, async (response, watch) => {
    const body = await readBody(response, watch);
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      requestId: response.headers.get('x-request-id') ?? undefined,
      body,
      json: () => {
        try {
          return JSON.parse(new TextDecoder().decode(body));
        } catch {
          throw connection.malformed(response);
        }
      },
    };
  });
}
