import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import {
  byAdmin,
  inOrganization,
  noOrganization,
  ofAdmin,
  read,
  type AdminGround,
  type AdminRow,
} from './admin-ground.js';
import { NOBODY, type CommandGround, type CommandRow } from './command-row.js';

/** Nothing listens at the port of discarding: what is asked there is refused at once. */
const newBase = (): string => `http://127.0.0.1:9/${randomUUID()}/fhir`;
const SECRET = 'a secret of the launch';

const ehrOf = (fhirBaseUrl: string) => ({
  name: 'EHR North',
  environment: 'test',
  fhirBaseUrl,
  patientSystem: 'https://hospital.example/mrn',
  launch: { clientId: 'sutura', clientType: 'symmetric', clientSecret: SECRET },
});

const firstIn = async (ground: AdminGround): Promise<string> =>
  ((await read(ground, inOrganization('/ehrs')(ground))).body.items as { id: string }[])[0]!.id;
const onFirst =
  (rest: string, json?: unknown): AdminRow['ask'] =>
  async (ground) =>
    ofAdmin(ground, inOrganization(`/ehrs/${await firstIn(ground)}${rest}`)(ground), json);
const noEhr = (rest: string, json?: unknown): AdminRow['refused'] => ({
  ask: byAdmin(inOrganization(`/ehrs/${NOBODY}${rest}`), json),
  status: 404,
  code: 'ehr.not_found',
});

export const EHR_ROUTE_ROWS: readonly AdminRow[] = [
  {
    route: 'POST /admin/v1/organizations/:organizationId/ehrs',
    ask: byAdmin(inOrganization('/ehrs'), ehrOf(newBase())),
    status: 201,
    effect({ body }) {
      expect(body).toMatchObject({ name: 'EHR North', launch: { hasClientSecret: true, people: 'read' }, push: null });
      expect(JSON.stringify(body)).not.toContain(SECRET);
    },
    refused: {
      ask: byAdmin(inOrganization('/ehrs'), ehrOf('http://169.254.169.254/fhir')),
      status: 422,
      code: 'ehr.address_refused',
    },
  },
  {
    route: 'GET /admin/v1/organizations/:organizationId/ehrs',
    ask: byAdmin(inOrganization('/ehrs')),
    status: 200,
    effect({ body }) {
      expect(body.items).toMatchObject([{ name: 'EHR North', launch: { hasClientSecret: true } }]);
      expect(JSON.stringify(body)).not.toContain(SECRET);
    },
    refused: noOrganization('/ehrs'),
  },
  {
    route: 'PATCH /admin/v1/organizations/:organizationId/ehrs/:ehrId',
    ask: onFirst('', { push: { enabled: true, send: ['pdf'] } }),
    status: 200,
    effect: ({ body }) =>
      expect(body).toMatchObject({ push: { enabled: true, send: ['pdf'] }, launch: { hasClientSecret: true } }),
    refused: noEhr('', { name: 'EHR South' }),
  },
  {
    route: 'POST /admin/v1/organizations/:organizationId/ehrs/:ehrId/test',
    ask: onFirst('/test'),
    status: 200,
    effect: ({ body }) =>
      expect(body).toMatchObject({ fhirVersion: null, findings: [{ about: 'metadata', isWell: false }, {}] }),
    refused: noEhr('/test'),
  },
  {
    route: 'POST /admin/v1/organizations/:organizationId/published-keys/rotate',
    ask: byAdmin(inOrganization('/published-keys/rotate'), { atOnce: true }),
    status: 200,
    async effect({ body }, ground) {
      const kids = (body.keys as { kid: string }[]).map(({ kid }) => kid).sort();
      expect(kids).toHaveLength(2);
      const set = await ground.ask('GET', `/organizations/${ground.organizationId}/jwks.json`, {});
      expect((set.body.keys as { kid: string }[]).map(({ kid }) => kid).sort()).toEqual(kids);
    },
    refused: noOrganization('/published-keys/rotate', {}),
  },
  {
    route: 'DELETE /admin/v1/organizations/:organizationId/ehrs/:ehrId',
    ask: onFirst(''),
    status: 204,
    effect: async (_, ground) => expect((await read(ground, inOrganization('/ehrs')(ground))).body.items).toEqual([]),
    refused: noEhr(''),
  },
];

type EhrGround = CommandGround & { readonly organizationId: string };

const variables = () => ({ SUTURA_EHR_NETWORKS: '127.0.0.0/8' });
const ehrsOf = async ({ gateway, organizationId }: EhrGround) =>
  (await gateway.admin('GET', `/organizations/${organizationId}/ehrs`)).body.items as { id: string; name: string }[];
const onOne = async (ground: EhrGround): Promise<readonly string[]> => [
  '--org',
  ground.organizationId,
  '--id',
  (await ehrsOf(ground))[0]!.id,
];
const unknownEhr = {
  call: ({ organizationId }: EhrGround) => ['--org', organizationId, '--id', NOBODY],
  variables,
  code: 1,
  says: 'ehr.not_found',
} as const;

export const EHR_COMMAND_ROWS: readonly CommandRow<EhrGround>[] = [
  {
    name: 'ehr create',
    async call(ground) {
      const launch = ground.file('launch.json');
      await writeFile(launch, JSON.stringify({ clientId: 'sutura', clientType: 'symmetric', clientSecret: SECRET }));
      const where = ['--org', ground.organizationId, '--env', 'test', '--fhir-base-url', newBase()];
      return [...where, '--name', 'EHR North', '--patient-system', 'https://hospital.example/mrn', '--launch', launch];
    },
    variables,
    async effect(out, ground) {
      expect(out).toMatch(/does +launch/);
      expect(out).not.toContain(SECRET);
      expect(await ehrsOf(ground)).toMatchObject([{ name: 'EHR North' }]);
    },
    refused: {
      call: ({ organizationId }) => ['--org', organizationId, '--env', 'test', '--name', 'N', '--fhir-base-url', 'ehr'],
      variables,
      code: 1,
      says: 'request.invalid',
    },
  },
  {
    name: 'ehr list',
    call: ({ organizationId }) => ['--org', organizationId],
    effect: (out) => expect(out).toMatch(/test +EHR North +http:\/\/127\.0\.0\.1:9\/.* launch/),
    refused: { call: () => ['--org', NOBODY], code: 1, says: 'organization.not_found' },
  },
  {
    name: 'ehr set',
    async call(ground) {
      return [...(await onOne(ground)), '--name', 'EHR South', '--launch', 'none'];
    },
    variables,
    effect: async (_, ground) => expect(await ehrsOf(ground)).toMatchObject([{ name: 'EHR South', launch: null }]),
    refused: { ...unknownEhr, call: (ground) => [...unknownEhr.call(ground), '--name', 'N'] },
  },
  {
    name: 'ehr test',
    call: onOne,
    variables,
    effect: (out) => expect(out).toMatch(/^NOT +The FHIR server .* no connection comes about \(ECONNREFUSED\)/),
    refused: unknownEhr,
  },
  {
    name: 'ehr rotate-keys',
    call: ({ organizationId }) => ['--org', organizationId],
    effect: (out) => expect(out).toMatch(/^ES384 +\S+ +signs from /),
    refused: { call: () => ['--org', NOBODY], code: 1, says: 'organization.not_found' },
  },
  {
    name: 'ehr remove',
    call: onOne,
    effect: async (_, ground) => expect(await ehrsOf(ground)).toEqual([]),
    refused: unknownEhr,
  },
];
