import { randomUUID } from 'node:crypto';
import type { EhrHost } from '../../support/ehr-host.js';
import type { Ask, RouteGround, RouteRow } from './route-row.js';

/** A ground with an EHR that is registered for CDS Hooks. */
export interface CdsGround extends RouteGround {
  readonly ehr: EhrHost;
}

type Row = RouteRow<CdsGround>;

const VIEW = '/cds-services/sutura-wound-patient-view';

const signed = async ({ ehr, gateway }: CdsGround, path: string, json?: unknown): Promise<Ask> => ({
  path,
  key: await ehr.token(`${gateway.baseUrl}${path}`),
  ...(json === undefined ? {} : { json }),
});
const unsigned = (path: string, json?: unknown): Row['refused'] => ({
  ask: () => ({ path, ...(json === undefined ? {} : { json }) }),
  status: 401,
  code: 'cds-token',
});
const call = {
  hook: 'patient-view',
  hookInstance: randomUUID(),
  context: { userId: 'Practitioner/7', patientId: 'p-1' },
  prefetch: {
    patient: {
      resourceType: 'Patient',
      id: 'p-1',
      identifier: [{ system: 'https://hospital.example/mrn', value: 'nobody' }],
    },
  },
};
const feedback = {
  feedback: [{ card: randomUUID(), outcome: 'accepted', outcomeTimestamp: '2026-11-30T08:00:00Z' }],
};

export const CDS_ROWS: readonly Row[] = [
  {
    route: 'GET /cds-services',
    ask: (ground) => signed(ground, '/cds-services'),
    status: 200,
    effect: ({ body }) =>
      expect(body.services).toMatchObject([
        { hook: 'patient-view', id: 'sutura-wound-patient-view' },
        { hook: 'encounter-discharge', id: 'sutura-wound-encounter-discharge' },
      ]),
    refused: unsigned('/cds-services'),
  },
  {
    route: 'POST /cds-services/:serviceId',
    ask: (ground) => signed(ground, VIEW, call),
    status: 200,
    effect: ({ body }) => expect(body).toEqual({ cards: [] }),
    refused: unsigned(VIEW, call),
  },
  {
    route: 'POST /cds-services/:serviceId/feedback',
    ask: (ground) => signed(ground, `${VIEW}/feedback`, feedback),
    status: 200,
    effect: ({ body }) => expect(body).toEqual({}),
    refused: unsigned(`${VIEW}/feedback`, feedback),
  },
];
