import { keyed, type RouteGround, type RouteRow } from './route-row.js';

/** Photos to test with, and the clock of the test environment. */
export function sampleRows<Ground extends RouteGround & { readonly key: string }>(): readonly RouteRow<Ground>[] {
  return [
    {
      route: 'GET /api/v1/samples',
      ask: ({ key }) => keyed(key, '/api/v1/samples'),
      status: 200,
      effect: ({ body }) => expect(JSON.stringify(body.items)).toContain('"clean-wound"'),
      refused: { ask: () => ({ path: '/api/v1/samples' }), status: 401, code: 'auth.missing' },
    },
    {
      route: 'GET /api/v1/samples/:name',
      ask: ({ key }) => keyed(key, '/api/v1/samples/clean-wound'),
      status: 200,
      effect: ({ bytes }) => expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff])),
      refused: { ask: ({ key }) => keyed(key, '/api/v1/samples/burnt'), status: 404, code: 'sample.not_found' },
    },
    {
      route: 'GET /api/v1/sandbox/clock',
      ask: ({ key }) => keyed(key, '/api/v1/sandbox/clock'),
      status: 200,
      effect: ({ body }) => expect(Date.parse(body.latest)).toBeGreaterThan(Date.parse(body.now)),
      refused: { ask: () => ({ path: '/api/v1/sandbox/clock' }), status: 401, code: 'auth.missing' },
    },
    {
      route: 'POST /api/v1/sandbox/clock',
      ask: ({ key }) => keyed(key, '/api/v1/sandbox/clock', { advance: 'PT1S' }),
      status: 200,
      effect: ({ body }) => expect(body.aheadSeconds).toBeGreaterThanOrEqual(1),
      refused: {
        ask: ({ key }) => keyed(key, '/api/v1/sandbox/clock', { now: '2025-01-01T00:00:00Z' }),
        status: 422,
        code: 'sandbox.clock_back',
      },
    },
  ];
}
