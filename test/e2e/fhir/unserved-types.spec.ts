import type { Bundle, OperationOutcome } from '@medplum/fhirtypes';
import { ApiClient, expectStatus, type Answer } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';

const PATIENT = 'urn:uuid:b1f6a2de-6c1f-4a55-9a2b-000000000001';
const LOCATION = 'urn:uuid:b1f6a2de-6c1f-4a55-9a2b-000000000002';
const post = (resource: object, fullUrl?: string) => ({
  ...(fullUrl === undefined ? {} : { fullUrl }),
  resource,
  request: { method: 'POST', url: (resource as { resourceType: string }).resourceType },
});

/** As systems send them that keep more than this one: types that are not served, types that only the service writes, other findings. */
const FOREIGN: Bundle = {
  resourceType: 'Bundle',
  type: 'transaction',
  entry: [
    post({ resourceType: 'Patient', identifier: [{ system: 'urn:oid:1.2.3', value: 'F-1' }] }, PATIENT),
    post({ resourceType: 'Location', name: 'Ward 7' }, LOCATION),
    post({
      resourceType: 'Encounter',
      status: 'finished',
      class: { code: 'AMB' },
      subject: { reference: PATIENT },
      location: [
        { location: { reference: LOCATION, display: 'Ward 7' } },
        { location: { reference: 'Location?identifier=urn:l|7' } },
      ],
    }),
    post({
      resourceType: 'DiagnosticReport',
      status: 'final',
      code: { text: 'Blood count' },
      subject: { reference: PATIENT },
    }),
    post({
      resourceType: 'Observation',
      status: 'final',
      code: { coding: [{ system: 'http://loinc.org', code: '8867-4' }] },
      subject: { reference: PATIENT },
      valueQuantity: { value: 72, unit: '/min' },
    }),
    {
      resource: {
        resourceType: 'Immunization',
        id: 'i1',
        status: 'completed',
        vaccineCode: { text: 'x' },
        patient: { reference: PATIENT },
        occurrenceString: '2020',
      },
      request: { method: 'PUT', url: 'Immunization/i1' },
    },
  ] as Bundle['entry'],
};

describe('a Bundle with types that are not served', () => {
  let gateway: SharedGateway;
  let client: ApiClient;
  let organizationId: string;

  beforeAll(async () => {
    gateway = await sharedGateway();
    organizationId = await gateway.createOrganization();
    client = new ApiClient(gateway.baseUrl, (await gateway.createKey(organizationId)).key);
  });

  const send = (bundle: object): Promise<Answer> => client.request('POST', '/fhir', { json: bundle });
  const kept = async (): Promise<string[]> =>
    (
      await queryDatabase<{ type: string }>(
        gateway.databaseUrl,
        `select type from fhir_resources where organization_id = '${organizationId}' order by type`,
      )
    ).map(({ type }) => type);

  it('is refused whole, as long as the organization does not say otherwise', async () => {
    expect(expectStatus(404, await send(FOREIGN)).body.issue[0].expression).toEqual(['Bundle.entry[1]']);
    expect(await kept()).toEqual([]);
  });

  describe('where the organization has them ignored', () => {
    beforeAll(
      async () =>
        void expectStatus(
          200,
          await gateway.admin('PATCH', `/organizations/${organizationId}`, { unservedTypes: 'ignore' }),
        ),
    );

    it('is stored without them, and says of each that it was left out', async () => {
      const { body } = expectStatus(200, await send(FOREIGN));
      const answered = (body as Bundle).entry!.map(({ response }) => [
        response!.status.slice(0, 3),
        (response!.outcome as OperationOutcome | undefined)?.issue[0]!.details!.text!.split('.')[0],
      ]);
      expect(answered).toEqual([
        ['201', undefined],
        ['204', 'Location is not served here'],
        ['201', undefined],
        ['204', 'DiagnosticReport is written by this service alone'],
        ['204', 'Observation is not taken with this code'],
        ['204', 'Immunization is not served here'],
      ]);
      expect(await kept()).toEqual(['Encounter', 'Patient']);
      const [encounter] = (expectStatus(200, await client.request('GET', '/fhir/Encounter')).body as Bundle).entry!.map(
        ({ resource }) => resource,
      );
      expect(encounter).toMatchObject({
        location: [{ location: { type: 'Location', display: 'Ward 7' } }, { location: { type: 'Location' } }],
      });
      expect(JSON.stringify(encounter)).not.toContain('urn:uuid');
    });

    it('is refused for what is wrong with the rest of it, and for reads of such types', async () => {
      const wrong = {
        ...FOREIGN,
        entry: [...FOREIGN.entry!, post({ resourceType: 'Patient', birthDate: 'yesterday' })],
      };
      expect(expectStatus(400, await send(wrong)).body.issue[0].expression).toEqual([
        'Bundle.entry[6].resource.birthDate',
      ]);
      expectStatus(
        404,
        await send({
          resourceType: 'Bundle',
          type: 'transaction',
          entry: [{ request: { method: 'GET', url: 'Location' } }],
        }),
      );
      expectStatus(404, await client.request('POST', '/fhir/Location', { json: { resourceType: 'Location' } }));
    });

    it('is refused for a Subscription all the same: its sender would wait for what never comes', async () => {
      const subscription = post({
        resourceType: 'Subscription',
        status: 'requested',
        reason: 'reports',
        criteria: 'DiagnosticReport?status=final',
        channel: { type: 'rest-hook', endpoint: 'https://ward.example.org/fhir' },
      });
      const refused = expectStatus(404, await send({ ...FOREIGN, entry: [...FOREIGN.entry!, subscription] }));
      expect(refused.body.issue[0].expression).toEqual(['Bundle.entry[6]']);
      const { body } = expectStatus(
        200,
        await send({ resourceType: 'Bundle', type: 'batch', entry: [subscription, FOREIGN.entry![1]] }),
      );
      expect((body as Bundle).entry!.map(({ response }) => response!.status.slice(0, 3))).toEqual(['404', '204']);
    });

    it('answers such entries of a batch alike', async () => {
      const { body } = expectStatus(
        200,
        await send({
          resourceType: 'Bundle',
          type: 'batch',
          entry: [
            FOREIGN.entry![1],
            FOREIGN.entry![5],
            { request: { method: 'DELETE', url: 'Location/1' } },
            { request: { method: 'GET', url: 'Location' } },
          ],
        }),
      );
      expect((body as Bundle).entry!.map(({ response }) => response!.status.slice(0, 3))).toEqual([
        '204',
        '204',
        '204',
        '404',
      ]);
    });
  });
});
