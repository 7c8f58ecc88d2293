import { v7 } from 'uuid';
import { NameDirectory } from '../../../src/core/organizations/name-directory.js';
import { StandingGround } from './standing-ground.js';

describe('the names of what answers have by their ids', () => {
  let ground: StandingGround;
  let directory: NameDirectory;
  let organizationId: string;

  beforeAll(async () => {
    ground = await StandingGround.open();
    directory = ground.context.get(NameDirectory);
    ({ organizationId } = ground.tenant);
  });
  afterAll(() => ground?.close());

  async function user(displayName: string, ofOrganization: string | null): Promise<string> {
    const id = v7();
    await ground.query(
      `insert into users (id, name, display_name, is_installation_admin, created_at) values ($1, $2, $3, false, now())`,
      [id, `u-${id}`, displayName],
    );
    if (ofOrganization !== null)
      await ground.query(`insert into user_roles (user_id, organization_id, role) values ($1, $2, 'viewer')`, [
        id,
        ofOrganization,
      ]);
    return id;
  }

  it('are none for other ids, and for texts that are none', async () => {
    const names = await directory.namesOf([v7(), 'user:ada', '', "'; drop table users"]);
    expect(names.nameOf('user:ada', organizationId)).toBeNull();
    expect(names.nameOf(null, organizationId)).toBeNull();
    expect(names.within([organizationId])).toEqual({});
  });

  it('are those of the organization alone: another one is told no name', async () => {
    const other = await ground.context.createTenant();
    const listenerId = await ground.listener('Ward 7', 2576);
    const stranger = await user('Eve Elsewhere', other.organizationId);
    const nobody = await user('Noor Nowhere', null);
    const names = await directory.namesOf([listenerId, stranger, nobody, organizationId, other.organizationId]);
    expect(names.nameOf(listenerId, organizationId)).toBe('Ward 7');
    expect(names.nameOf(listenerId, other.organizationId)).toBeNull();
    expect(names.nameOf(stranger, organizationId)).toBeNull();
    expect(names.nameOf(stranger, other.organizationId)).toBe('Eve Elsewhere');
    expect(names.nameOf(nobody, organizationId)).toBeNull();
    expect(names.nameOf(other.organizationId, organizationId)).toBeNull();
    expect(Object.keys(names.within([organizationId])).sort()).toEqual([listenerId, organizationId].sort());
  });

  it('are a name, an address where there is none, and letters of a key; of deleted ones, too', async () => {
    const destination = await ground.destination('Ward EHR');
    const webhook = await ground.webhook();
    const subscription = await ground.subscription();
    const key = v7();
    await ground.query(
      `insert into api_keys (id, organization_id, environment, sha256, prefix, last_four, scopes, created_at) values ($1, $2, 'test', $3, 'sk_test_abcd', 'wxyz', '{}', now())`,
      [key, organizationId, Buffer.from(key)],
    );
    await ground.query('update hl7_destinations set deleted_at = now() where id = $1', [destination]);
    const names = await directory.namesOf([destination, webhook, subscription, key, organizationId]);
    expect(names.within([organizationId])).toEqual({
      [destination]: 'Ward EHR',
      [webhook]: 'https://ward.example.org/hook',
      [subscription]: 'https://ehr.example.org/told',
      [key]: 'sk_test_abcd…wxyz',
      [organizationId]: 'Clinic',
    });
    expect(names.organization(organizationId)).toBe('Clinic');
  });

  it('of patients are their first numbers, and are asked for apart', async () => {
    const patientId = v7();
    const { environment } = ground.tenant;
    await ground.query(
      'insert into patients (id, organization_id, environment, created_at) values ($1, $2, $3, now())',
      [patientId, organizationId, environment],
    );
    for (const [place, value] of [
      [2, 'OLD-7'],
      [1, 'MRN-1001'],
    ])
      await ground.query(
        `insert into patient_identifiers (organization_id, environment, system, value, patient_id, place) values ($1, $2, 'urn:s', $3, $4, $5)`,
        [organizationId, environment, value, patientId, place],
      );
    expect((await directory.namesOf([patientId])).within([organizationId])).toEqual({});
    expect((await directory.patientNumbers([patientId])).nameOf(patientId, organizationId)).toBe('MRN-1001');
  });
});
