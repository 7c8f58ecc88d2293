import { SuturaError } from '../../../core/errors/sutura-error.js';
import { OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';
import { decodeMessage, type DecodedMessage } from '../../../standards/hl7v2/er7/decode-message.js';
import type { Hl7Problem } from '../../../standards/hl7v2/problems/hl7-problem.js';
import {
  PROBLEM_CATALOGUE,
  refused,
  warned,
  type ProblemCode,
} from '../../../standards/hl7v2/problems/problem-catalogue.js';
import { acceptCodeOf, applicationCodeOf } from './acknowledgment-code.js';
import { acknowledgmentModeOf, isAsked } from './acknowledgment-mode.js';
import { buildAcknowledgment, newAcknowledgmentId, type Acknowledgment } from './acknowledgment.js';
import type { OrderAnswer } from './order-answers.js';
import { problemsOf } from './record-faults.js';

const AT = new Date('2026-03-15T08:40:04Z');

/** A message that is nothing but its header and a patient. */
function received(
  type: string,
  version: string,
  controlId: string,
  rest = '||||||UNICODE UTF-8',
  parties = 'EHR|HOSP|SUTURA|SUTURA',
): DecodedMessage {
  const decoded = decodeMessage(
    Buffer.from(
      `MSH|^~\\&|${parties}|20260315094003+0100||${type}|${controlId}|T|${version}${rest}\rPID|1||1^^^HOSP^MR\r`,
    ),
    { characterSet: null },
  );
  if (decoded.kind !== 'message') throw new Error('The message cannot be read.');
  return decoded;
}

function answered(request: DecodedMessage, answer: Partial<Acknowledgment>): string[] {
  const text = buildAcknowledgment(request, {
    code: 'AA',
    problems: [],
    controlId: 'SUTA-000042',
    sentAt: AT,
    timeZone: 'Europe/Berlin',
    processingId: 'D',
    isEnhanced: false,
    orders: null,
    ...answer,
  });
  expect(text.endsWith('\r')).toBe(true);
  return text.split('\r').slice(0, -1);
}

describe('an acknowledgment', () => {
  it('names what is wrong and where, as the worked message does', () => {
    const problem = refused(
      'value.base64',
      { segment: 'OBX', sequence: 1, field: 5, repetition: 1, component: 5 },
      'OBX-5.5 is not valid Base64',
    );
    expect(
      answered(received('ORU^R01^ORU_R01', '2.5.1', 'MSG00043'), {
        code: 'AE',
        problems: [problem],
        controlId: 'SUTA-000044',
      }),
    ).toEqual([
      'MSH|^~\\&|SUTURA|SUTURA|EHR|HOSP|20260315094004+0100||ACK^R01^ACK|SUTA-000044|T|2.5.1||||||UNICODE UTF-8',
      'MSA|AE|MSG00043|OBX-5.5 is not valid Base64',
      'ERR||OBX^1^5^1^5|102^Data type error^HL70357|E|value.base64^Encapsulated data not usable^99SUT|||OBX-5.5 is not valid Base64',
    ]);
  });

  it('has the form of old versions up to 2.4', () => {
    const [msh, ...others] = answered(received('ORU^R30', '2.3', 'MSG00044', '', 'OLD|LAB|SUTURA|SUTURA'), {
      code: 'AR',
      problems: [refused('message.event', { segment: 'MSH', sequence: 1, field: 9 }, 'Unsupported event code')],
      controlId: 'SUTA-000045',
    });
    expect(msh).toBe('MSH|^~\\&|SUTURA|SUTURA|OLD|LAB|20260315094004+0100||ACK|SUTA-000045|T|2.3');
    expect(others).toEqual([
      'MSA|AR|MSG00044|Unsupported event code',
      'ERR|MSH^1^9^201&Unsupported event code&HL70357',
    ]);
  });

  it('says that all is well', () => {
    expect(answered(received('ORU^R01^ORU_R01', '2.5.1', 'MSG00042'), {})).toEqual([
      'MSH|^~\\&|SUTURA|SUTURA|EHR|HOSP|20260315094004+0100||ACK^R01^ACK|SUTA-000042|T|2.5.1||||||UNICODE UTF-8',
      'MSA|AA|MSG00042',
    ]);
  });

  it('of enhanced mode is not acknowledged itself', () => {
    expect(
      answered(received('OMG^O19^OMG_O19', '2.5.1', 'MSG00050', '|||AL|AL||UNICODE UTF-8'), {
        code: 'CA',
        isEnhanced: true,
        controlId: 'SUTA-000043',
      }),
    ).toEqual([
      'MSH|^~\\&|SUTURA|SUTURA|EHR|HOSP|20260315094004+0100||ACK^O19^ACK|SUTA-000043|T|2.5.1|||NE|NE||UNICODE UTF-8',
      'MSA|CA|MSG00050',
    ]);
  });

  it('repeats the parties in full, escapes and all, whatever the delimiters were', () => {
    const request = decodeMessage(Buffer.from('MSH#*!@?#EHR*1.2.3*ISO#HO|SP#SUTURA##2026##ORU*R01#M@F@1#T#2.5.1\r'), {
      characterSet: null,
    });
    const [msh, msa] = answered(request as DecodedMessage, {});
    expect(msh).toMatch(/^MSH\|\^~\\&\|SUTURA\|SUTURA\|EHR\^1\.2\.3\^ISO\|HO\\F\\SP\|/);
    expect(msa).toBe('MSA|AA|M#1');
  });

  it('carries warnings with its yes, from 2.5 on, and 20 problems at most', () => {
    const warning = warned('finding.kept', { segment: 'OBX', sequence: 8, field: 3 });
    expect(answered(received('ORU^R01', '2.5.1', 'M'), { problems: [warning] })[2]).toMatch(
      /^ERR\|\|OBX\^8\^3\^1\|103\^Table value not found\^HL70357\|W\|finding\.kept\^/,
    );
    expect(answered(received('ORU^R01', '2.4', 'M'), { problems: [warning] })).toHaveLength(2);
    expect(
      answered(received('ORU^R01', '2.5.1', 'M'), { problems: Array.from({ length: 30 }, () => warning) }),
    ).toHaveLength(22);
  });

  it('repeats a control id with separators as it came, and takes all of it for the number', () => {
    const request = received('ADT^A08', '2.5.1', 'A^B&C');
    expect(request.header.controlId).toBe('A^B&C');
    expect(answered(request, {})[1]).toBe('MSA|AA|A^B&C');
    expect(answered(received('ADT^A08', '2.5.1', 'A\\S\\B'), {})[1]).toBe('MSA|AA|A\\S\\B');
  });

  it('of a frame without MSH names no message, and the processing id of its listener', () => {
    const text = buildAcknowledgment(
      { header: null, message: null },
      {
        code: 'AR',
        problems: [],
        controlId: 'SUTA-1',
        sentAt: AT,
        timeZone: 'UTC',
        processingId: 'T',
        isEnhanced: false,
        orders: null,
      },
    );
    expect(text).toMatch(
      /^MSH\|\^~\\&\|SUTURA\|SUTURA\|\|\|20260315084004\+0000\|\|ACK\^?.*\|SUTA-1\|T\|2\.5\.1\rMSA\|AR\r$/,
    );
  });

  it('has an id of its own, of no more than 20 characters', () => {
    const ids = Array.from({ length: 1000 }, newAcknowledgmentId);
    expect(new Set(ids).size).toBe(1000);
    expect(ids.every((id) => /^SUTA-[0-9A-Z]{15}$/.test(id))).toBe(true);
  });
});

describe('a typed response', () => {
  const answer = (control: string, fillerId: string | null): OrderAnswer => ({
    action: { control, kind: 'create' },
    received: { orc2: 'ORD-1^EHR', orc12: '', pid: 'PID|1||1^^^HOSP^MR' },
    fillerId,
  });

  it.each([
    ['ORM^O01^ORM_O01', 'ORR^O02^ORR_O02'],
    ['OMG^O19^OMG_O19', 'ORG^O20^ORG_O20'],
    ['OML^O21^OML_O21', 'ORL^O22^ORL_O22'],
    ['OMI^O23^OMI_O23', 'ORI^O24^ORI_O24'],
  ])('to %s is %s, with our number', (type, response) => {
    const segments = answered(received(type, '2.5.1', 'M'), { orders: [answer('NW', 'job-1')] });
    expect(segments[0]).toContain(`||${response}|`);
    expect(segments.slice(2)).toEqual(['PID|1||1^^^HOSP^MR', 'ORC|OK|ORD-1^EHR|job-1^SUTURA^sutura.dev^DNS']);
  });

  it.each([
    ['NW', 'OK', 'UA'],
    ['XO', 'XR', 'UX'],
    ['RP', 'RQ', 'UM'],
    ['CA', 'CR', 'UC'],
    ['DC', 'DR', 'UD'],
    ['HD', 'HR', 'UH'],
    ['RL', 'OR', 'UR'],
  ])('to %s is %s, or %s where it cannot be', (control, done, refusal) => {
    const orders = [answer(control, null)];
    expect(answered(received('ORM^O01', '2.5.1', 'M'), { orders }).at(-1)).toBe(`ORC|${done}|ORD-1^EHR`);
    expect(
      answered(received('ORM^O01', '2.5.1', 'M'), {
        orders,
        code: 'AE',
        problems: [refused('order.unknown', null)],
      }).at(-1),
    ).toBe(`ORC|${refusal}|ORD-1^EHR`);
  });

  it('names the patient of each order', () => {
    const other = answer('NW', 'job-2');
    const orders = [answer('NW', 'job-1'), { ...other, received: { ...other.received, pid: 'PID|1||2^^^HOSP^MR' } }];
    expect(
      answered(received('OMG^O19', '2.5.1', 'M'), { orders })
        .slice(2)
        .map((segment) => segment.slice(0, 9)),
    ).toEqual(['PID|1||1^', 'ORC|OK|OR', 'PID|1||2^', 'ORC|OK|OR']);
  });

  it('is a plain one for anything but an order', () => {
    expect(answered(received('ORU^R01', '2.5.1', 'M'), { orders: [answer('NW', 'job-1')] })).toHaveLength(2);
  });
});

describe('the mode', () => {
  it.each([
    ['', '', 'auto', { kind: 'original' }],
    ['NE', 'NE', 'auto', { kind: 'enhanced', accept: 'NE', application: 'NE' }],
    ['AL', 'NE', 'auto', { kind: 'enhanced', accept: 'AL', application: 'NE' }],
    ['AL', '', 'auto', { kind: 'enhanced', accept: 'AL', application: 'NE' }],
    ['', 'AL', 'auto', { kind: 'enhanced', accept: 'NE', application: 'AL' }],
    ['SU', 'ER', 'auto', { kind: 'enhanced', accept: 'SU', application: 'ER' }],
    ['ZZ', '', 'auto', { kind: 'enhanced', accept: 'AL', application: 'NE' }],
    ['AL', 'AL', 'original', { kind: 'original' }],
    ['', '', 'enhanced', { kind: 'enhanced', accept: 'AL', application: 'NE' }],
  ] as const)(
    'of MSH-15 %p and MSH-16 %p with the setting %s',
    (acceptAcknowledgment, applicationAcknowledgment, setting, mode) => {
      expect(acknowledgmentModeOf({ acceptAcknowledgment, applicationAcknowledgment }, setting)).toEqual(mode);
    },
  );

  it('says when there is an answer', () => {
    expect(
      (['AL', 'NE', 'SU', 'ER'] as const).map((condition) => [isAsked(condition, true), isAsked(condition, false)]),
    ).toEqual([
      [true, true],
      [false, false],
      [true, false],
      [false, true],
    ]);
  });
});

it('MSA-3 repeats the text up to 2.6, and ERR-7 has the record’s own words', () => {
  const [problem] = problemsOf(
    new SuturaError('fhir.duplicate', { detail: 'Patient.identifier belongs to different patients.' }),
  );
  const told = (version: string) =>
    answered(received('ORU^R01^ORU_R01', version, 'M1'), { code: 'AE', problems: [problem!] });
  expect(told('2.6')[1]).toBe('MSA|AE|M1|The number belongs to another record already. Correct the number, or have...');
  expect(told('2.7')[1]).toBe('MSA|AE|M1');
  expect(told('2.6')[2]!.split('|').slice(7)).toEqual([
    'Patient.identifier belongs to different patients.',
    problem!.text,
  ]);
  expect(problem!.text).not.toMatch(/identifier|Patient/);
});

describe('MSA-3 has at most 80 characters, as ST has up to 2.6, and ERR-8 the whole text', () => {
  const told = (text: string, version = '2.5.1') =>
    answered(received('ORU^R01^ORU_R01', version, 'M1'), { code: 'AE', problems: [refused('value.date', null, text)] });
  it.each([
    ['one of 80 as it is', 'a'.repeat(80), 'a'.repeat(80)],
    ['a longer one between words', `${'word '.repeat(20)}end`, `${'word '.repeat(15).trim()}...`],
    ['one without words', 'a'.repeat(81), `${'a'.repeat(77)}...`],
    ['no character in halves', '𝒂'.repeat(81), `${'𝒂'.repeat(77)}...`],
    ['no escape sequence in halves', '|'.repeat(81), `${'\\F\\'.repeat(25)}...`],
  ])('%s', (_, text, cut) => {
    const [, msa, err] = told(text);
    expect(msa).toBe(`MSA|AE|M1|${cut}`);
    expect([...cut].length).toBeLessThanOrEqual(80);
    expect(err!.split('|')[8]).toBe(text.replaceAll('|', '\\F\\'));
  });

  it('in older versions, too', () => expect(told('a'.repeat(81), '2.3')[1]).toBe(`MSA|AE|M1|${'a'.repeat(77)}...`));
});

describe('MSA-1', () => {
  const at = { segment: 'MSH', sequence: 1, field: 18 };
  it.each([
    ['segment.missing', 'AE', 'CE'],
    ['field.required', 'AE', 'CE'],
    ['value.date', 'AE', 'CE'],
    ['code.unknown', 'AE', 'CE'],
    ['message.too_long', 'AR', 'CE'],
    ['message.type', 'AR', 'CR'],
    ['message.event', 'AR', 'CR'],
    ['message.processing_id', 'AR', 'CR'],
    ['message.version', 'AR', 'CR'],
    ['order.unknown', 'AE', 'CE'],
    ['order.exists', 'AE', 'CE'],
    ['message.receiver', 'AR', 'CE'],
    ['message.character_set', 'AR', 'CE'],
    ['message.character_set_wide', 'AR', 'CE'],
    ['message.characters', 'AE', 'CE'],
  ] as [ProblemCode, string, string][])('of %s is %s, or %s at receipt', (code, application, accept) => {
    expect([
      applicationCodeOf([refused(code, code.startsWith('message.') ? at : null)]),
      acceptCodeOf([refused(code, code.startsWith('message.') ? at : null)]),
    ]).toEqual([application, accept]);
  });

  it('is a yes with warnings, and a rejection among errors rejects', () => {
    expect([applicationCodeOf([warned('message.type', null)]), acceptCodeOf([])]).toEqual(['AA', 'CA']);
    expect(applicationCodeOf([refused('value.date', null), refused('message.type', null)])).toBe('AR');
  });
});

describe('a refusal of the record', () => {
  const msa = (problems: readonly Hl7Problem[]) => [
    applicationCodeOf(problems),
    problems[0]?.condition,
    problems[0]?.code,
  ];
  it.each([
    [new SuturaError('fhir.task_state'), 'AE', '207', 'fhir.task_state'],
    [new SuturaError('quota.exceeded'), 'AE', '207', 'quota.exceeded'],
    [new SuturaError('fhir.search'), 'AE', '207', 'fhir.search'],
    [new SuturaError('model.research_only'), 'AE', '207', 'model.research_only'],
    [new SuturaError('fhir.version_conflict'), 'AR', '206', 'fhir.version_conflict'],
    [new SuturaError('fhir.duplicate'), 'AE', '205', 'fhir.duplicate'],
    [new SuturaError('service.unavailable'), 'AR', '207', 'service.unavailable'],
    [new SuturaError('service.storage_full'), 'AR', '207', 'service.storage_full'],
    [new TypeError('x is not a function'), 'AR', '207', 'service.internal'],
  ])('%p is %s %s', (fault, code, condition, ours) => expect(msa(problemsOf(fault))).toEqual([code, condition, ours]));

  it('of an order whose analysis has begun advises the sender, who knows no Tasks', () => {
    const [problem] = problemsOf(new SuturaError('fhir.task_state', { detail: 'Cancel the Tasks one by one.' }));
    expect(problem).toMatchObject({ diagnosis: 'Cancel the Tasks one by one.' });
    expect(problem?.text).toMatch(/^The analysis of this order has begun/);
  });

  it('and every problem is told in ASCII, which each character set has', () => {
    const told = Object.values(PROBLEM_CATALOGUE).flatMap(({ title, advice }) => [title, advice]);
    expect(told.filter((text) => /[^ -~]/.test(text))).toEqual([]);
  });

  it('points at where the entry came from, and tells nothing of what is no refusal', () => {
    const fault = new OutcomeError('fhir.image', [
      {
        severity: 'error',
        code: 'value',
        expression: 'Bundle.entry[1].resource.content',
        details: 'The photo cannot be read.',
      },
    ]);
    const place = { segment: 'OBX', sequence: 2, field: 5, repetition: 1 };
    expect(problemsOf(fault, [null, place])).toEqual([
      { severity: 'error', condition: '102', place, code: 'fhir.image', text: 'The photo cannot be read.' },
    ]);
    expect(problemsOf(fault)[0]?.place).toBeNull();
    expect(JSON.stringify(problemsOf(new Error('password=1')))).not.toContain('password');
  });
});
