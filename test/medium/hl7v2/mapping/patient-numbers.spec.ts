import type { BodyStructure, DocumentReference, Patient, ServiceRequest } from '@medplum/fhirtypes';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { PatientRepository } from '../../../../src/core/patients/patient.repository.js';
import { WoundRepository } from '../../../../src/core/followup/wound.repository.js';
import { FhirRecords } from '../../../../src/doors/fhir/records/fhir-records.js';
import type { Hl7Source } from '../../../../src/doors/hl7v2/mapping/reading/hl7-source.js';
import type { Hl7Problem } from '../../../../src/standards/hl7v2/problems/hl7-problem.js';
import { applyAtOnce, applyMessage, er7 } from '../../../support/applied-message.js';
import { writtenPlace } from '../../../support/hl7-inbound.js';
import { queryDatabase } from '../../../support/database-query.js';
import { IntakeGround, photoData } from '../../../support/intake-ground.js';

const HOSP = 'https://sutura.dev/fhir/sid/hl7v2-authority/HOSP';
const SSN = '000-00-0000^^^USSSA^SS';

let ground: IntakeGround;
let caller: Caller;
beforeAll(async () => {
  ground = await IntakeGround.open();
});
afterAll(() => ground?.close());
beforeEach(async () => {
  caller = await ground.createCaller();
});

const take = async (message: string, settings: Partial<Hl7Source> = {}) =>
  (await applyMessage(ground, caller, message, settings)).map(written);
const takeAtOnce = async (messages: readonly string[]): Promise<string[]> =>
  (await applyAtOnce(ground, caller, messages)).map((problems) => problems.map(written).join());
const written = (problem: Hl7Problem) =>
  `${problem.severity === 'error' ? 'E' : 'W'} ${problem.code} ${writtenPlace(problem)}`;
const announce = (numbers: string, rest = '||Beispiel^Anna||19510714|F', event = 'A08') =>
  er7(`ADT^${event}`, 'EVN|A08|20260315100000+0100', `PID|1||${numbers}${rest}`);
const merge = (survivor: string, prior: string, event = 'A40') =>
  er7(`ADT^${event}`, 'EVN|A40|20260315100000+0100', `PID|1||${survivor}||Beispiel^Anna`, `MRG|${prior}`);
const order = async (numbers: string, number: string, seed: number, rest = '||Beispiel^Anna||19510714|F') =>
  er7(
    'OMG^O19^OMG_O19',
    `PID|1||${numbers}${rest}`,
    `ORC|NW|${number}^EHR`,
    `OBR|1|${number}^EHR||39135-9^Wound assessment panel^LN`,
    `OBX|1|ED|72170-4^^LN|1|EHR^IM^JPEG^Base64^${await photoData(seed)}||||||F`,
    'OBX|2|ST|wound-id^^99EHR|1|W-1||||||F',
  );
const found = async (value: string, system = HOSP) =>
  (await ground.get(FhirRecords).findByIdentifier<Patient>(caller, 'Patient', [{ system, value }]))[0];
const numbersOf = ({ identifier = [] }: Patient) => identifier.map(({ value }) => value);

describe('a number that is no record number', () => {
  it('may be several patients’: each has its record, its order and its photo', async () => {
    expect(await take(announce(`MRN-1^^^HOSP^MR~${SSN}`))).toEqual([]);
    expect(await take(announce(`MRN-2^^^HOSP^MR~${SSN}`, '||Muster^Max||19600203|M'))).toEqual([]);
    expect(await take(await order(`MRN-3^^^HOSP^MR~${SSN}`, 'A-1', 1))).toEqual([]);
    expect(await take(await order(`MRN-2^^^HOSP^MR~${SSN}`, 'A-2', 2, '||Muster^Max||19600203|M'))).toEqual([]);
    expect(
      new Set((await Promise.all(['MRN-1', 'MRN-2', 'MRN-3'].map((mrn) => found(mrn)))).map((patient) => patient!.id))
        .size,
    ).toBe(3);
    expect(await ground.jobs(caller)).toHaveLength(2);
  });

  it('is not what a patient is found by, where the message has a record number', async () => {
    await take(announce(`MRN-1^^^HOSP^MR~${SSN}`));
    expect(await found('000-00-0000', 'https://sutura.dev/fhir/sid/hl7v2-authority/USSSA')).toBeUndefined();
    expect(await take(er7('ADT^A08', 'PID|1||000-00-0000^^^USSSA^SS||Other^One'))).toEqual([]);
    expect(await ground.count('patients', caller)).toBe(2);
  });

  it('of another authority is kept beside, where the source names its own', async () => {
    const source = { patientAuthorities: ['HOSP', '1.2.3'] };
    expect(await take(announce('77^^^LAB^MR~MRN-1^^^HOSP^MR'), source)).toEqual([]);
    expect(await take(announce('77^^^LAB^MR~MRN-2^^^OTHER&1.2.3&ISO^MR', '||Muster^Max||19600203|M'), source)).toEqual(
      [],
    );
    expect((await found('MRN-1'))?.identifier).toMatchObject([{ value: 'MRN-1' }, { value: '77', use: 'secondary' }]);
    expect(await take(announce('77^^^LAB^MR'), source)).toEqual(['E field.required PID^1^3^1']);
  });
});

describe('the number that the sender knows the patient by', () => {
  it('comes first in the record, with the wound and in the job, wherever it stands in PID-3', async () => {
    expect(await take(await order('999-55-1111^^^USSSA^SS~MRN-7788^^^HOSP^MR~B-1^^^AAA^DL', 'A-1', 3))).toEqual([]);
    const patient = (await found('MRN-7788'))!;
    expect(numbersOf(patient)).toEqual(['MRN-7788', '999-55-1111', 'B-1']);
    expect(patient.identifier?.[0]).toMatchObject({
      type: { coding: [{ code: 'MR' }] },
      system: HOSP,
      assigner: { display: 'HOSP' },
    });
    expect(await ground.jobs(caller)).toMatchObject([{ subject: { patientId: 'MRN-7788', patientSystem: HOSP } }]);
    const { items: wounds } = await ground.within(caller, ({ transaction }) =>
      ground.get(WoundRepository).list(transaction, { patientId: 'MRN-7788' }, 10, null),
    );
    expect(wounds).toMatchObject([{ woundId: 'W-1', patient: { value: 'MRN-7788' } }]);
  });

  it('finds the wounds, whichever of the patient’s numbers it is', async () => {
    await take(await order('MRN-1^^^HOSP^MR~L-5^^^LAB^MR', 'A-1', 4));
    const { items: wounds } = await ground.within(caller, ({ transaction }) =>
      ground.get(WoundRepository).list(transaction, { patientId: 'L-5' }, 10, null),
    );
    expect(wounds).toHaveLength(1);
  });
});

describe('an announcement', () => {
  it('brings the list of numbers anew: one that is left out is the patient’s no longer, and may be another’s', async () => {
    await take(announce(`MRN-1^^^HOSP^MR~MRN-2^^^HOSP^MR~${SSN}~L-5^^^LAB^MR`));
    expect(await take(announce('MRN-1^^^HOSP^MR~P-1^^^STATE^PPN'))).toEqual([]);
    expect(numbersOf((await found('MRN-1'))!)).toEqual(['MRN-1', 'P-1', 'L-5']);
    expect(await take(announce('MRN-2^^^HOSP^MR', '||Muster^Max||19600203|M'))).toEqual([]);
    const [first, second] = [(await found('MRN-1'))!, (await found('MRN-2'))!];
    expect(second.id).not.toBe(first.id);
    expect(
      (await ground.within(caller, ({ transaction }) =>
        ground.get(PatientRepository).find(transaction, first.id!),
      ))!.identifiers.map(({ value }) => value),
    ).toEqual(['MRN-1', 'L-5']);
  });

  it('corrects names or birth date, and is refused where given name and birth date both change: that is another person', async () => {
    await take(announce('MRN-1^^^HOSP^MR'));
    expect(await take(announce('MRN-1^^^HOSP^MR', '||Muster^Anna||19510714|F'))).toEqual([]);
    expect(await take(announce('MRN-1^^^HOSP^MR', '||Muster^Otto||19400101|M'))).toEqual([
      'E patient.conflict PID^1^7^1',
    ]);
    expect(await take(announce('MRN-1^^^HOSP^MR', '||Muster^Anna||19510715|F'))).toEqual([]);
    expect(await take(announce('MRN-1^^^HOSP^MR', '||Muster^Otto||19510715|M', 'A31'))).toEqual([]);
    expect(await found('MRN-1')).toMatchObject({
      name: [{ family: 'Muster', given: ['Otto'] }],
      birthDate: '1951-07-15',
    });
  });

  it.each(['A01', 'A04', 'A28'])(
    'of a visit or person (%s) corrects neither birth date nor given name',
    async (event) => {
      await take(announce('MRN-1^^^HOSP^MR'));
      expect(await take(announce('MRN-1^^^HOSP^MR', '||Beispiel^Anna||19510715|F', event))).toEqual([
        'E patient.conflict PID^1^7^1',
      ]);
      expect(await take(announce('MRN-1^^^HOSP^MR', '||Beispiel^Otto||19510714|M', event))).toEqual([
        'E patient.conflict PID^1^5^1',
      ]);
      expect(await found('MRN-1')).toMatchObject({ name: [{ given: ['Anna'] }], birthDate: '1951-07-14' });
    },
  );

  it('of sixty numbers is taken', async () => {
    const numbers = Array.from({ length: 60 }, (_, at) => `MRN-${at}-${'9'.repeat(40)}^^^HOSP^MR`).join('~');
    expect(await take(announce(numbers))).toEqual([]);
    expect(await take(announce(numbers))).toEqual([]);
    expect(await ground.count('patients', caller)).toBe(1);
  });
});

it.each([
  ['birth date', 'Müller-Weiß^Anna||19510715|F', 'E patient.conflict PID^1^7^1'],
  ['given name', 'Müller-Weiß^Max||19510714|M', 'E patient.conflict PID^1^5^1'],
])(
  'an order for a number whose patient has another %s is refused, names neither, and files nothing',
  async (_, pid, told) => {
    await take(announce('MRN-1^^^HOSP^MR', '||Müller-Weiß^Anna||19510714|F'));
    expect(await take(await order('MRN-1^^^HOSP^MR', 'A-1', 5, '||MUELLER WEISS^Anna||19510714|F'))).toEqual([]);
    const problems = await applyMessage(ground, caller, await order('MRN-1^^^HOSP^MR', 'A-2', 6, `||${pid}`));
    expect(problems.map(written)).toEqual([told]);
    expect(JSON.stringify(problems)).not.toMatch(/Max|19510|M.ller/);
    expect(await ground.jobs(caller)).toHaveLength(1);
  },
);

it('an order for a number whose patient has another family name is taken with a warning that names neither', async () => {
  await take(announce('MRN-1^^^HOSP^MR', '||Müller-Weiß^Anna||19510714|F'));
  expect(await take(await order('MRN-1^^^HOSP^MR', 'A-1', 5, '||MUELLER WEISS^Anna||19510714|F'))).toEqual([]);
  const problems = await applyMessage(
    ground,
    caller,
    await order('MRN-1^^^HOSP^MR', 'A-2', 6, '||Muster^Anna||19510714|F'),
  );
  expect(problems.map(written)).toEqual(['W patient.differs PID^1^5^1']);
  expect(JSON.stringify(problems)).not.toMatch(/Muster|19510|M.ller/);
});

describe('an order for a patient', () => {
  const versionOf = async () => (await found('MRN-1'))!.meta!.versionId;

  it('whose name and birth date nobody knew fills them in, and nothing else', async () => {
    await take(announce('MRN-1^^^HOSP^MR', '||'));
    expect(await take(await order('MRN-1^^^HOSP^MR~L-5^^^LAB^MR', 'A-1', 20))).toEqual([]);
    const patient = (await found('MRN-1'))!;
    expect(patient).toMatchObject({ name: [{ family: 'Beispiel', given: ['Anna'] }], birthDate: '1951-07-14' });
    expect([numbersOf(patient), patient.gender]).toEqual([['MRN-1'], undefined]);
  });

  it('fills in one of them where the other one is known as the same', async () => {
    await take(announce('MRN-1^^^HOSP^MR', '||Beispiel'));
    await take(await order('MRN-1^^^HOSP^MR', 'A-1', 21));
    expect(await found('MRN-1')).toMatchObject({ name: [{ family: 'Beispiel' }], birthDate: '1951-07-14' });
    expect((await found('MRN-1'))!.name![0]).not.toHaveProperty('given');
  });

  it('fills in nothing where one of them differs, which is told: it may be another person’s', async () => {
    await take(announce('MRN-1^^^HOSP^MR', '||Muster^Anna'));
    expect(await take(await order('MRN-1^^^HOSP^MR', 'A-1', 22))).toEqual(['W patient.differs PID^1^5^1']);
    expect(await found('MRN-1')).not.toHaveProperty('birthDate');
  });

  it.each([
    ['says nothing new', 'Beispiel^Anna||19510714|F', 'Beispiel^Anna||19510714|F', {}],
    ['says nothing', '', '', {}],
    ['has a date that is none', 'Beispiel', 'Beispiel^Anna||1951-13-45|F', {}],
    ['comes where none are kept', '', 'Beispiel^Anna||19510714|F', { storeDemographics: false }],
  ])('makes no version of the record where it %s', async (_, known, said, settings) => {
    await take(announce('MRN-1^^^HOSP^MR', `||${known}`), settings);
    const before = await versionOf();
    expect(await take(await order('MRN-1^^^HOSP^MR', 'A-1', 23, `||${said}`), settings)).toEqual([]);
    expect(await versionOf()).toBe(before);
  });

  it('at once with another one fills them in once', async () => {
    await take(announce('MRN-1^^^HOSP^MR', '||'));
    const orders = [await order('MRN-1^^^HOSP^MR', 'A-1', 24), await order('MRN-1^^^HOSP^MR', 'A-2', 25)];
    expect((await takeAtOnce(orders)).sort()).toEqual(['', 'E fhir.version_conflict PID^1']);
    expect(await found('MRN-1')).toMatchObject({ name: [{ family: 'Beispiel' }], birthDate: '1951-07-14' });
  });
});

describe('a record that was joined into another', () => {
  beforeEach(async () => {
    await take(announce('MRN-1^^^HOSP^MR'));
    await take(announce('MRN-9^^^HOSP^MR', '||Alt^Name||19510714|F'));
    expect(await take(merge('MRN-1^^^HOSP^MR', 'MRN-9^^^HOSP^MR'))).toEqual([]);
  });

  it('is not announced any more: the name of the one that stands stays', async () => {
    expect(await take(announce('MRN-9^^^HOSP^MR', '||Alt^Name||19510714|F'))).toEqual(['E patient.joined PID^1^3^1']);
    expect(await take(announce('MRN-1^^^HOSP^MR'))).toEqual([]);
    expect((await found('MRN-9'))?.name?.[0]?.family).toBe('Beispiel');
  });

  it('is joined once, however often that is said; said the other way round, a warning tells that the record stands', async () => {
    expect(await take(merge('MRN-1^^^HOSP^MR', 'MRN-9^^^HOSP^MR'))).toEqual([]);
    expect(await take(merge('MRN-9^^^HOSP^MR', 'MRN-1^^^HOSP^MR'))).toEqual(['W patient.joined PID^1^3^1']);
    expect((await found('MRN-1'))?.active).not.toBe(false);
  });

  it('whose survivor ended in another in turn is as ended: it is not announced, and no merge turns it round', async () => {
    await take(announce('MRN-5^^^HOSP^MR', '||Dritte^Anna||19700101|F'));
    expect(await take(merge('MRN-5^^^HOSP^MR', 'MRN-1^^^HOSP^MR'))).toEqual(['W patient.differs PID^1^5^1']);
    expect(await take(announce('MRN-9^^^HOSP^MR', '||Alt^Name||19510714|M'))).toEqual(['E patient.joined PID^1^3^1']);
    expect(await take(merge('MRN-9^^^HOSP^MR', 'MRN-5^^^HOSP^MR'))).toEqual(['W patient.joined PID^1^3^1']);
    expect(await take(await order('MRN-9^^^HOSP^MR', 'A-5', 7, '||Dritte^Dora'))).toEqual([
      'W patient.joined PID^1^3^1',
    ]);
    expect(await found('MRN-5')).toMatchObject({ name: [{ family: 'Dritte' }], gender: 'female' });
    expect(numbersOf((await found('MRN-5'))!)).toEqual(['MRN-5']);
  });

  it('is still reached by its number, with a warning', async () => {
    expect(await take(await order('MRN-9^^^HOSP^MR', 'A-1', 7, '||Alt^Name'))).toEqual(['W patient.joined PID^1^3^1']);
    expect(await ground.jobs(caller)).toMatchObject([{ subject: { patientId: 'MRN-1' } }]);
  });
});

describe('a bare number of two facilities behind one listener', () => {
  const from = (facility: string, pid: string) =>
    er7(
      'OMG^O19^OMG_O19',
      `PID|1||4711||${pid}`,
      `ORC|NW|${facility}-1^EHR`,
      `OBR|1|${facility}-1^EHR||39135-9^Wound assessment panel^LN`,
      'OBX|1|ST|wound-id^^99EHR|1|1||||||F',
    ).replace('|EHR|HOSP|', `|EHR|${facility}|`);
  const ANNA = 'Meier^Anna||19500101|F';
  const BERND = 'Schulz^Bernd||19801231|M';

  it('is refused for the second person where nobody said whose it is', async () => {
    expect(await take(from('NORTH', ANNA))).toEqual([]);
    expect(await take(from('SOUTH', BERND))).toEqual(['E patient.conflict PID^1^7^1']);
    expect(await found('4711', '')).toMatchObject({ name: [{ family: 'Meier' }] });
  });

  it('is two persons’ where the listener says whose numbers each facility sends', async () => {
    const settings = { bareNumbers: { NORTH: 'urn:oid:1.2.3', '*': 'urn:oid:1.2.4' } };
    expect(await take(from('NORTH', ANNA), settings)).toEqual([]);
    expect(await take(from('SOUTH', BERND), settings)).toEqual([]);
    expect(await found('4711', 'urn:oid:1.2.3')).toMatchObject({ name: [{ family: 'Meier' }] });
    expect(await found('4711', 'urn:oid:1.2.4')).toMatchObject({ name: [{ family: 'Schulz' }] });
    expect(await ground.count('wounds', caller)).toBe(2);
  });

  it('counts as one of the authorities of its listener', async () => {
    const settings = { bareNumbers: { '*': 'urn:oid:1.2.3' }, patientAuthorities: ['HOSP'] };
    expect(await take(from('NORTH', ANNA), settings)).toEqual([]);
    expect(await found('4711', 'urn:oid:1.2.3')).toMatchObject({ name: [{ family: 'Meier' }] });
  });
});

describe('a merge into a number that nobody knew', () => {
  const survivor = (pid: string) =>
    er7(
      'ADT^A40',
      'EVN|A40|20260315100000+0100',
      `PID|1||MRN-9^^^HOSP&1.2.3&ISO^MR${pid}`,
      'MRG|MRN-1^^^HOSP&1.2.3&ISO^MR',
    );
  const merged = async (pid: string): Promise<Patient> => {
    await take(announce('MRN-1^^^HOSP&1.2.3&ISO^MR', '||Beispiel^Anna||19510714|F|||Am Stein 4^^Beispielstadt'));
    expect(await take(survivor(pid))).toEqual(['W patient.unknown PID^1^3^1']);
    return (await found('MRN-9', 'urn:oid:1.2.3'))!;
  };

  it('makes the record with what its PID says, and with the authority as it was stated', async () => {
    expect(await merged('||Probe^Pia||19600101|M')).toMatchObject({
      identifier: [{ value: 'MRN-9', system: 'urn:oid:1.2.3', assigner: { display: 'HOSP' } }],
      name: [{ family: 'Probe', given: ['Pia'] }],
      birthDate: '1960-01-01',
      gender: 'male',
      link: [{ type: 'replaces' }],
    });
  });

  it('takes over from the record that ends what its PID does not say', async () => {
    expect(await merged('')).toMatchObject({
      name: [{ family: 'Beispiel', given: ['Anna'] }],
      birthDate: '1951-07-14',
      gender: 'female',
      address: [{ city: 'Beispielstadt' }],
    });
  });
});

it.each(['A18', 'A30', 'A34', 'A36', 'A39', 'A40', 'A47'])(
  '%s joins two records; of one that nobody knew the numbers stay as they were stated',
  async (event) => {
    await take(announce('MRN-1^^^HOSP&1.2.3&ISO^MR'));
    expect(await take(merge('MRN-1^^^HOSP&1.2.3&ISO^MR', 'MRN-9^^^HOSP&1.2.3&ISO^PI', event))).toEqual([
      'W patient.prior_unknown MRG^1^1^1',
    ]);
    const records = ground.get(FhirRecords);
    const standing = (await found('MRN-9', 'urn:oid:1.2.3'))!;
    const prior = await records.read<Patient>(
      caller,
      'Patient',
      standing.link![0]!.other.reference!.slice('Patient/'.length),
    );
    expect(prior).toMatchObject({
      active: false,
      identifier: [
        {
          use: 'old',
          value: 'MRN-9',
          system: 'urn:oid:1.2.3',
          type: { coding: [{ code: 'PI' }] },
          assigner: { display: 'HOSP' },
        },
      ],
    });
  },
);

describe('an order that is sent again with a photo', () => {
  const orders = async () =>
    ground
      .get(FhirRecords)
      .findByIdentifier<ServiceRequest>(caller, 'ServiceRequest', [
        { system: 'https://sutura.dev/fhir/sid/hl7v2-authority/EHR', value: 'A-1' },
      ]);

  it('is refused once its analysis is on its way', async () => {
    expect(await take(await order('MRN-1^^^HOSP^MR', 'A-1', 8))).toEqual([]);
    expect(await take(await order('MRN-1^^^HOSP^MR', 'A-1', 9))).toEqual(['E order.exists ORC^1^2^1']);
    expect(await ground.jobs(caller)).toHaveLength(1);
  });

  it('completes the one that waits, once, though two photos come at the same time', async () => {
    const empty = (await order('MRN-1^^^HOSP^MR', 'A-1', 8)).replace(/OBX\|1[^\r]*\r/, '');
    expect(await take(empty)).toEqual([]);
    const photos = await Promise.all([10, 11].map((seed) => order('MRN-1^^^HOSP^MR', 'A-1', seed)));
    expect((await takeAtOnce(photos)).sort()).toEqual(['E fhir.version_conflict ', 'W order.exists ORC^1^2^1']);
    expect(await ground.jobs(caller)).toHaveLength(1);
  });

  it('whose photo comes after it was cancelled is kept with a warning', async () => {
    const empty = (await order('MRN-1^^^HOSP^MR', 'A-1', 8)).replace(/OBX\|1[^\r]*\r/, '');
    await take(empty);
    expect(await take(empty.replace('ORC|NW', 'ORC|CA'))).toEqual([]);
    expect((await orders())[0]?.status).toBe('revoked');
    const photo = (await order('MRN-1^^^HOSP^MR', 'A-1', 12))
      .replace('OMG^O19^OMG_O19', 'ORU^R01')
      .replace('ORC|NW', 'ORC|RE');
    expect(await take(photo)).toEqual(['W order.ended ORC^1^2^1']);
    expect(await ground.jobs(caller)).toEqual([]);
  });
});

describe('a photo that an order has already, in a new message', () => {
  const results = async (number: string, seed: number, ...further: string[]) =>
    (await order('MRN-1^^^HOSP^MR', number, seed))
      .replace('OMG^O19^OMG_O19', 'ORU^R01')
      .replace('ORC|NW', 'ORC|RE')
      .replace(/\r$/, `\r${further.map((segment) => `${segment}\r`).join('')}`);

  it('is not analysed again, whichever message brings it; what comes with it is taken', async () => {
    await take(await order('MRN-1^^^HOSP^MR', 'A-1', 21));
    expect(await take(await results('A-1', 21))).toEqual(['W photo.exists OBX^1^5^1']);
    expect(await take(await results('A-1', 21, 'OBX|3|NM|39127-6^Depth of Wound^LN|1|0.4|cm^^UCUM|||||F'))).toEqual([
      'W photo.exists OBX^1^5^1',
    ]);
    expect(await take((await order('MRN-1^^^HOSP^MR', 'A-1', 21)).replace('ORC|NW', 'ORC|RP'))).toEqual(
      expect.arrayContaining(['W photo.exists OBX^1^5^1']),
    );
    const document = (await results('A-1', 21))
      .replace('ORU^R01', 'MDM^T02')
      .replace('OBR|', 'TXA|1|CN|IM|20260315094000||||||||D-1^EHR\rOBR|');
    expect(await take(document)).toEqual(['W photo.exists OBX^1^5^1']);
    expect([
      (await ground.jobs(caller)).length,
      await ground.count('images', caller),
      await ground.count('analysis_requests', caller),
    ]).toEqual([1, 1, 1]);
  });

  it('is analysed for a new order, and another photo is for the same', async () => {
    await take(await order('MRN-1^^^HOSP^MR', 'A-1', 22));
    expect(await take(await order('MRN-1^^^HOSP^MR', 'A-2', 22))).toEqual([]);
    expect(await take(await results('A-1', 23))).toEqual([]);
    expect(await ground.jobs(caller)).toHaveLength(3);
  });

  it('is analysed again where its analysis failed', async () => {
    await take(await order('MRN-1^^^HOSP^MR', 'A-1', 24));
    await queryDatabase(
      ground.database.url,
      `update analysis_jobs set status = 'error', error = '{"code":"processing.failed","detail":"x","retryable":true}', completed_at = now() where organization_id = $1`,
      [caller.organizationId],
    );
    expect(await take(await results('A-1', 24))).toEqual([]);
    expect(await ground.jobs(caller)).toHaveLength(2);
  });

  it('is analysed once where it comes twice in one message, or twice at the same moment', async () => {
    const photo = `OBX|3|ED|72170-4^^LN|1|EHR^IM^JPEG^Base64^${await photoData(25)}||||||F`;
    expect(await take(`${await order('MRN-1^^^HOSP^MR', 'A-1', 25)}${photo}\r`)).toEqual(['W photo.exists OBX^3^5^1']);
    const photos = await Promise.all([26, 26].map((seed) => results('A-1', seed)));
    expect((await takeAtOnce(photos)).sort()).toEqual(['', 'E fhir.version_conflict ']);
    expect(await ground.jobs(caller)).toHaveLength(2);
    expect(await take(await results('A-1', 26))).toEqual(['W photo.exists OBX^1^5^1']);
  });
});

it('BodyStructures of a patient whose number was corrected go by the new one', async () => {
  await take(await order('MRN-I^^^HOSP^MR', 'A-1', 13));
  const patient = (await found('MRN-I'))!;
  await ground.put(caller, { ...patient, identifier: [{ ...patient.identifier![0]!, value: 'MRN-1' }] });
  const { items: wounds } = await ground.within(caller, ({ transaction }) =>
    ground.get(WoundRepository).list(transaction, { patientId: 'MRN-1' }, 10, null),
  );
  expect(wounds.map(({ patient: filed }) => filed?.value)).toEqual(['MRN-1']);
  expect(
    (await ground.get(FhirRecords).read<BodyStructure>(caller, 'BodyStructure', wounds[0]!.id))?.patient.reference,
  ).toBe(`Patient/${patient.id}`);
});

it('a document of text whose number is known is its next version', async () => {
  const document = (text: string) =>
    er7(
      'MDM^T02',
      'PID|1||MRN-1^^^HOSP^MR||Beispiel^Anna',
      'TXA|1|CN|TX|20260315094000||||||||D-1^EHR|||||LA',
      `OBX|1|TX|11506-3^Note^LN|1|${text}||||||F`,
    );
  expect(await take(document('First.'))).toEqual([]);
  expect(await take(document('Second.'))).toEqual([]);
  const [known] = await ground
    .get(FhirRecords)
    .findByIdentifier<DocumentReference>(caller, 'DocumentReference', [
      { system: 'https://sutura.dev/fhir/sid/hl7v2-authority/EHR', value: 'D-1' },
    ]);
  expect([known?.meta?.versionId, known?.content[0]?.attachment?.url]).toEqual([
    '2',
    expect.stringMatching(/^(https:.*\/)?Binary\//),
  ]);
});
