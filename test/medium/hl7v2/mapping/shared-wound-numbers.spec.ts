import type { BodyStructure } from '@medplum/fhirtypes';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { applyMessage, er7 } from '../../../support/applied-message.js';
import { queryDatabase } from '../../../support/database-query.js';
import { IntakeGround } from '../../../support/intake-ground.js';

/** More than a look-up by the number alone answers. */
const PATIENTS = 25;

let ground: IntakeGround;
let caller: Caller;
beforeAll(async () => {
  ground = await IntakeGround.open();
  caller = await ground.createCaller();
});
afterAll(() => ground?.close());

const depthOf = (patient: number, site: string) =>
  applyMessage(
    ground,
    caller,
    er7(
      'ORU^R01^ORU_R01',
      `PID|1||MRN-${patient}^^^HOSP&1.2.3.4.5.6&ISO^MR||Beispiel^Anna||19510714|F`,
      `OBR|1|O-${patient}^EHR^1.2.3.4.5.7^ISO||WUND^Wunddoku^L|||20260315094000+0100`,
      'OBX|1|ST|wound-id^Wound number^99SUT|1|1||||||F',
      `OBX|2|CWE|wound-site^Wound site^99SUT|1|${site}||||||F`,
      'OBX|3|NM|39127-6^Depth^LN|1|1.5|cm^centimetre^UCUM|||||F',
    ),
  );

it('a wound 1 of one patient among many others’ is found, and takes what is said of it', async () => {
  for (let patient = 1; patient <= PATIENTS; patient += 1)
    expect(await depthOf(patient, '84607009^Heel^SCT')).toEqual([]);
  expect(await depthOf(1, '22335008^Leg^SCT')).toEqual([]);
  const rows = await queryDatabase<{ id: string }>(
    ground.database.url,
    `select id from fhir_resources where organization_id = $1 and type = 'BodyStructure' order by id`,
    [caller.organizationId],
  );
  const wounds = await Promise.all(rows.map(({ id }) => ground.find<BodyStructure>(caller, 'BodyStructure', id)));
  expect(wounds).toHaveLength(PATIENTS);
  expect(wounds.filter(({ location }) => location?.coding?.[0]?.code === '22335008')).toHaveLength(1);
  expect(wounds[0]!.location?.coding?.[0]?.code).toBe('22335008');
});
