import { pathOfUrl, type LaunchGround, type KnownPatient } from '../../support/launch-ground.js';
import type { Ask, RouteGround, RouteRow } from './route-row.js';

/** A ground with an EHR that launches the desk, and a patient who is known on both sides. */
export interface LaunchRouteGround extends RouteGround {
  readonly launches: LaunchGround;
  readonly known: KnownPatient;
  callback: Ask;
}

/** What an EHR's people open. */
export const LAUNCH_ROWS: readonly RouteRow<LaunchRouteGround>[] = [
  {
    route: 'GET /launch',
    ask: ({ launches, known }) => ({ path: pathOfUrl(launches.launch(known.ehrId)) }),
    status: 302,
    async effect({ headers }, ground) {
      const back = await fetch(headers.get('location')!, { redirect: 'manual' });
      const [cookie] = headers.getSetCookie().map((line) => line.split(';')[0]!);
      ground.callback = { path: pathOfUrl(back.headers.get('location')!), headers: { cookie: cookie! } };
    },
    refused: {
      ask: () => ({ path: '/launch?iss=https%3A%2F%2Fevil.example%2Ffhir&launch=x' }),
      status: 403,
      code: 'launch.unknown',
    },
  },
  {
    route: 'GET /launch/callback/:ehrId',
    ask: ({ callback }) => callback,
    status: 303,
    effect: ({ headers }) => expect(headers.get('location')).toMatch(/\/review\/[0-9a-f-]{36}#[\w-]{43}$/),
    refused: { ask: () => ({ path: '/launch/callback/x?code=x&state=y' }), status: 403, code: 'launch.state' },
  },
];
