import { schemaOfAnswer } from './answer-schemas.js';
import { send, type Answer, type RequestOptions } from '../../support/api-client.js';
import type { SharedGateway } from '../../support/gateway.js';

export interface RouteGround {
  readonly gateway: SharedGateway;
  /** A request that a row needs and is not about. */
  ask(method: string, path: string, wish: RequestOptions): Promise<Answer>;
}

export const requests =
  ({ baseUrl }: Pick<SharedGateway, 'baseUrl'>): RouteGround['ask'] =>
  (method, path, wish) =>
    send(method, `${baseUrl}${path}`, wish);

/** A request; `key` is what stands behind `Bearer`, absent: nobody's. */
export interface Ask extends RequestOptions {
  readonly path: string;
  /** Another method than that of the route: of a refusal, where the route itself refuses nobody. */
  readonly method?: string;
}

/** With a key, a token or the admin token. */
export function keyed(key: string, path: string, json?: unknown, headers: Ask['headers'] = {}): Ask {
  return { path, key, headers, ...(json === undefined ? {} : { json }) };
}

/** One route of the router, asked twice over HTTP: once it answers, once it refuses. */
export interface RouteRow<Ground extends RouteGround> {
  /** `METHOD /pattern`, as the router lists it. */
  readonly route: string;
  /** Earlier rows of the table have run. */
  ask(ground: Ground): Ask | Promise<Ask>;
  readonly status: number;
  /** Looks at the answer, and at what the route is for. */
  effect(answer: Answer, ground: Ground): void | Promise<void>;
  readonly refused: {
    ask(ground: Ground): Ask | Promise<Ask>;
    readonly status: number;
    /** Of the catalogue; of OAuth where the route is of OAuth. */
    readonly code: string;
  };
}

/** A test for each row, in the order of the table. */
export function callRoutes<Ground extends RouteGround>(
  rows: readonly RouteRow<Ground>[],
  groundOf: () => Ground,
): void {
  it.each(rows.map((row) => [row.route, row] as const))('%s answers, and says why not', async (route, row) => {
    const ground = groundOf();
    const [method = '', pattern = ''] = route.split(' ');
    const answerTo = async ({ path, method: asked = method, ...wish }: Ask): Promise<Answer> => {
      expect(path.split('?')[0]).toMatch(patternOf(pattern));
      return send(asked, `${ground.gateway.baseUrl}${path}`, wish);
    };
    const { status, code, ask } = row.refused;
    const refusal = await answerTo(await ask(ground));
    expect([route, ...refusalOf(refusal)]).toEqual([route, status, code]);
    const answer = await answerTo(await row.ask(ground));
    expect([route, answer.status, answer.status >= 400 ? refusalOf(answer)[1] : null]).toEqual([
      route,
      row.status,
      null,
    ]);
    const schema = schemaOfAnswer(route);
    if (schema !== null) expect([route, schema.parse(answer.body)]).toEqual([route, answer.body]);
    await row.effect(answer, ground);
  });
}

/** The router's pattern: `:name` is one segment, a `*` the rest. */
function patternOf(pattern: string): RegExp {
  const source = pattern.replace(/[.$]/g, '\\$&').replace(/:\w+/g, '[^/]+').replace('*', '.*');
  return new RegExp(`^${source}$`);
}

/** Status and code of a refusal, in the format of its door: a problem of RFC 9457, an OperationOutcome, an error of OAuth. */
export function refusalOf({ status, headers, body }: Answer): [status: number, code: string] {
  const type = headers.get('content-type') ?? '';
  if (/^application\/problem\+json/.test(type)) {
    expect(body).toMatchObject({
      status,
      code: expect.any(String) as string,
      type: `urn:sutura:error:${body.code}`,
      title: expect.any(String) as string,
      requestId: headers.get('x-request-id'),
    });
    return [status, body.code as string];
  }
  if (/^application\/fhir\+json/.test(type)) {
    expect(body).toMatchObject({ resourceType: 'OperationOutcome', issue: [{ severity: 'error' }] });
    return [status, (body.issue[0].details?.coding?.[0]?.code ?? body.issue[0].code) as string];
  }
  return [status, String(body?.error ?? type)];
}
