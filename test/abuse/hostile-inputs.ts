import { v7 } from 'uuid';

/** A request that costs its sender little. Bodies are texts, made before anything is measured. */
export interface HostileInput {
  readonly what: string;
  readonly method: string;
  /** `{patient}` stands for the id of a Patient that is there, `{report}` for that of a report, which If-Match then names the present version of. */
  readonly path: string;
  readonly type?: string;
  readonly body: () => string;
  /** The statuses that are right. */
  readonly answers: readonly number[];
}

const FHIR = 'application/fhir+json';
const PATCH = 'application/json-patch+json';
const FORM = 'application/x-www-form-urlencoded';

const list = (count: number, item: string): string => `[${Array.from({ length: count }, () => item).join(',')}]`;
const patient = (members: string): string => `{"resourceType":"Patient",${members}}`;
const observation = (members: string): string =>
  `{"resourceType":"Observation","status":"final","code":{"text":"a"},${members}}`;
const bundle = (type: string, entries: string): string =>
  `{"resourceType":"Bundle","type":"${type}","entry":${entries}}`;
const numbered = (count: number, item: (index: number) => string): string =>
  `[${Array.from({ length: count }, (_, index) => item(index)).join(',')}]`;
const deep = (depth: number): string =>
  `${'{"url":"urn:x","extension":['.repeat(depth)}{"url":"urn:y","valueString":"a"}${']}'.repeat(depth)}`;
const contained = (count: number): string =>
  `"contained":${numbered(count, (index) => `{"resourceType":"Organization","id":"o${index}","name":"a"}`)}`;
const copies = (count: number, from: string, path: string): string =>
  list(count, `{"op":"copy","from":"${from}","path":"${path}"}`).slice(1, -1);
const div = (inside: string): string =>
  patient(
    `"text":{"status":"generated","div":${JSON.stringify(`<div xmlns="http://www.w3.org/1999/xhtml">${inside}</div>`)}}`,
  );

const fhir = (what: string, path: string, body: () => string, answers: readonly number[]): HostileInput => ({
  what,
  method: 'POST',
  path: `/fhir/${path}`,
  type: FHIR,
  body,
  answers,
});
const patch = (what: string, body: () => string, answers: readonly number[]): HostileInput => ({
  what,
  method: 'PATCH',
  path: '/fhir/Patient/{patient}',
  type: PATCH,
  body,
  answers,
});
const search = (what: string, form: () => string, answers: readonly number[]): HostileInput => ({
  what,
  method: 'POST',
  path: '/fhir/Observation/_search',
  type: FORM,
  body: form,
  answers,
});
const native = (what: string, path: string, body: () => string, answers: readonly number[]): HostileInput => ({
  what,
  method: 'POST',
  path: `/api/v1/${path}`,
  type: 'application/json',
  body,
  answers,
});

/** What a patch makes of its bytes. */
const PATCHES: readonly HostileInput[] = [
  patch(
    'a patch that doubles a kilobyte 26 times',
    () =>
      `[{"op":"add","path":"/extension","value":[{"url":"urn:x","valueString":"${'x'.repeat(1000)}"}]},${copies(26, '/extension', '/extension/-')}]`,
    [413],
  ),
  patch('a patch that doubles a list 900 times', () => `[${copies(900, '/name', '/name/-')}]`, [413]),
  patch(
    'a patch of a thousand copies of a megabyte',
    () =>
      `[{"op":"add","path":"/name/0/text","value":"${'x'.repeat(1_000_000)}"},${copies(999, '/name/0', '/name/-')}]`,
    [413],
  ),
  patch(
    'a patch that compares two long lists',
    () =>
      `[{"op":"add","path":"/name/0/given","value":${list(4000, '"a"')}},{"op":"test","path":"/name/0/given","value":${list(4000, '"b"')}}]`,
    [413, 422],
  ),
  patch(
    'a patch that moves a list through itself',
    () =>
      `[{"op":"add","path":"/name/0/given","value":${list(900, '"a"')}},${list(990, '{"op":"move","from":"/name/0/given/0","path":"/name/0/given/-"}').slice(1, -1)}]`,
    [200],
  ),
  patch(
    'a patch that goes ever deeper',
    () =>
      `[${numbered(900, (depth) => `{"op":"add","path":"/x${'/a'.repeat(depth % 500)}","value":{}}`).slice(1, -1)}]`,
    [400, 413],
  ),
];

/** What validation makes of a body. */
const RESOURCES: readonly HostileInput[] = [
  fhir('a million empty names', 'Patient', () => patient(`"name":${list(1_000_000, '{}')}`), [413]),
  fhir(
    'twelve megabytes of empty names to be validated',
    'Patient/$validate',
    () => patient(`"name":${list(4_000_000, '{}')}`),
    [413],
  ),
  fhir(
    'twenty thousand identifiers',
    'Patient',
    () => patient(`"identifier":${numbered(20_000, (index) => `{"system":"urn:x","value":"${index}"}`)}`),
    [413],
  ),
  fhir(
    'a thousand identifiers',
    'Patient',
    () => patient(`"identifier":${numbered(1000, (index) => `{"system":"urn:x:${v7()}","value":"${index}"}`)}`),
    [201, 422],
  ),
  fhir(
    'a thousand of everything, all of it wrong',
    'Patient',
    () =>
      patient(
        ['name', 'telecom', 'address', 'contact', 'communication']
          .map((name) => `"${name}":${list(999, '{"mood":"x"}')}`)
          .join(','),
      ),
    [400],
  ),
  fhir(
    'the same to be validated',
    'Patient/$validate',
    () =>
      patient(
        ['name', 'telecom', 'address', 'contact', 'communication']
          .map((name) => `"${name}":${list(999, '{"mood":"x"}')}`)
          .join(','),
      ),
    [200],
  ),
  fhir(
    'a thousand contacts without a name',
    'Patient',
    () => patient(`"contact":${list(999, '{"gender":"male"}')}`),
    [400],
  ),
  fhir(
    'a thousand contained resources that nothing names',
    'Patient',
    () => patient(`${contained(999)},"mood":1`),
    [400],
  ),
  fhir(
    'a thousand references to what is not there',
    'Observation',
    () =>
      observation(
        `"derivedFrom":${numbered(999, (index) => `{"reference":"Media/01997f2e-0000-7000-8000-${String(index).padStart(12, '0')}"}`)}`,
      ),
    [400, 422],
  ),
  fhir(
    'a hundred levels of extensions, many times, with a fault',
    'Patient',
    () => patient(`"extension":${list(200, deep(45))},"mood":1`),
    [400, 413],
  ),
  fhir('more levels than there are', 'Patient', () => patient(`"extension":[${deep(200)}]`), [400]),
  fhir('two hundred thousand opening brackets', 'Patient', () => '['.repeat(200_000), [400]),
  fhir('a number of a megabyte', 'Patient', () => patient(`"multipleBirthInteger":${'9'.repeat(1_000_000)}`), [400]),
  fhir(
    'thirty megabytes of escapes',
    'Patient',
    () => patient(`"name":[{"family":"${'\\n'.repeat(15_000_000)}"}]`),
    [413],
  ),
  fhir('sixty megabytes of blanks', 'Patient', () => patient(`"active":true${' '.repeat(60_000_000)}`), [413]),
  fhir(
    'two hundred thousand names of members',
    'Patient',
    () => `{${numbered(200_000, (index) => `"k${index}":1`).slice(1, -1)}}`,
    [413],
  ),
  fhir(
    'names of two megabytes',
    'Patient',
    () => patient(`"name":${list(2, `{"family":"${'ä'.repeat(900_000)}"}`)}`),
    [413],
  ),
  fhir(
    'a name of a quarter of a megabyte',
    'Patient',
    () => patient(`"name":[{"family":"${'ä'.repeat(250_000)}"}]`),
    [201],
  ),
  fhir('a code of a quarter of a megabyte', 'Patient', () => patient(`"gender":"${' x'.repeat(125_000)}"`), [400]),
  fhir(
    'a unit of a quarter of a megabyte',
    'Observation',
    () =>
      observation(`"valueQuantity":{"value":1,"system":"http://unitsofmeasure.org","code":"${'m.'.repeat(125_000)}m"}`),
    [201, 400, 413, 422],
  ),
  fhir(
    'a thousand quantities with long units',
    'Observation',
    () =>
      observation(
        `"component":${list(900, `{"code":{"text":"a"},"valueQuantity":{"value":1,"system":"http://unitsofmeasure.org","code":"${'m.'.repeat(100)}m"}}`)}`,
      ),
    [201, 400, 413, 422],
  ),
  fhir('half a character', 'Patient', () => patient(String.raw`"name":[{"family":"\ud800"}]`), [400]),
  fhir('a script in a narrative', 'Patient', () => div('<script>alert(1)</script>'), [422]),
  fhir('an event in a narrative', 'Patient', () => div('<img src="a.png" onerror="alert(1)"/>'), [422]),
  fhir('a running address in a narrative', 'Patient', () => div('<a href="javascript:alert(1)">a</a>'), [422]),
  fhir('a frame in a narrative', 'Patient', () => div('<iframe src="https://x.example"></iframe>'), [422]),
  fhir(
    'a document type in a narrative',
    'Patient',
    () =>
      patient(
        `"text":{"status":"generated","div":${JSON.stringify('<!DOCTYPE div [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><div xmlns="http://www.w3.org/1999/xhtml">&b;</div>')}}`,
      ),
    [422],
  ),
  fhir('a narrative of many tags', 'Patient', () => div('<b>a</b>'.repeat(30_000)), [201]),
  fhir(
    'a narrative that never closes',
    'Patient',
    () => patient(`"text":{"status":"generated","div":${JSON.stringify('<div>'.repeat(50_000))}}`),
    [422],
  ),
  fhir(
    'a photo that is none, of ten megabytes',
    'Media',
    () =>
      `{"resourceType":"Media","status":"completed","content":{"contentType":"image/jpeg","data":"${'A'.repeat(10_000_000)}"}}`,
    [400, 413, 422],
  ),
];

/** S7: addresses of nobody. */
const REFERENCES: readonly HostileInput[] = [
  'Patient/01997f2e-0000-7000-8000-00000000beef',
  'Patient/undefined',
  `Patient/${'9'.repeat(64)}`,
].map((reference) =>
  fhir(
    `a photo of ${reference.slice(0, 20)}`,
    'Media',
    () =>
      `{"resourceType":"Media","status":"completed","subject":{"reference":"${reference}"},"content":{"contentType":"image/jpeg","data":"AAAA"}}`,
    [400, 422],
  ),
);

const BUNDLES: readonly HostileInput[] = [
  fhir(
    'a Bundle of too many entries',
    '',
    () => bundle('batch', list(9_000, '{"request":{"method":"GET","url":"Patient"}}')),
    [413],
  ),
  fhir(
    'a Bundle of Bundles',
    '',
    () =>
      bundle(
        'batch',
        `[{"resource":${bundle('batch', `[{"resource":${bundle('batch', '[]')}}]`)},"request":{"method":"POST","url":"Bundle"}}]`,
      ),
    [413],
  ),
  fhir(
    'a transaction of five hundred heavy entries that are wrong',
    '',
    () =>
      bundle(
        'transaction',
        list(
          300,
          `{"resource":${patient(`"telecom":${list(150, '{"system":"x"}')}`)},"request":{"method":"POST","url":"Patient"}}`,
        ),
      ),
    [400],
  ),
  fhir(
    'a batch of five hundred searches',
    '',
    () =>
      bundle(
        'batch',
        list(500, '{"request":{"method":"GET","url":"Patient?name=a&_include=*&_count=200&_sort=-_lastUpdated"}}'),
      ),
    [200],
  ),
  fhir(
    'a transaction of links that all lead to one another',
    '',
    () =>
      bundle(
        'transaction',
        numbered(
          300,
          (index) =>
            `{"fullUrl":"urn:uuid:01997f2e-0000-7000-8000-${String(index).padStart(12, '0')}","resource":${observation(`"derivedFrom":${numbered(200, (other) => `{"reference":"urn:uuid:01997f2e-0000-7000-8000-${String((index + other) % 300).padStart(12, '0')}"}`)}`)},"request":{"method":"POST","url":"Observation"}}`,
        ),
      ),
    [400, 422],
  ),
  fhir(
    'a transaction of conditional references',
    '',
    () =>
      bundle(
        'transaction',
        numbered(
          100,
          (index) =>
            `{"resource":${observation(`"performer":${numbered(100, (other) => `{"reference":"Practitioner?identifier=urn:x|${index}-${other}"}`)}`)},"request":{"method":"POST","url":"Observation"}}`,
        ),
      ),
    [400, 412, 413],
  ),
  fhir(
    'entries that say much in their requests',
    '',
    () =>
      bundle(
        'batch',
        list(400, `{"request":{"method":"GET","url":"Patient","extension":${list(90, '{"url":"urn:x"}')}}}`),
      ),
    [400, 413],
  ),
  fhir(
    'a patch within a batch',
    '',
    () =>
      bundle(
        'batch',
        `[{"resource":{"resourceType":"Binary","contentType":"${PATCH}","data":"${Buffer.from(`[${copies(40, '/name', '/name/-')}]`).toString('base64')}"},"request":{"method":"PATCH","url":"Patient/{patient}"}}]`,
      ),
    [200],
  ),
];

const SEARCHES: readonly HostileInput[] = [
  search(
    'a search of forty times a hundred values',
    () =>
      Array.from(
        { length: 40 },
        () => `code=${Array.from({ length: 100 }, (_, index) => `a|${index}`).join(',')}`,
      ).join('&'),
    [200],
  ),
  search('a search of forty chains', () => Array.from({ length: 39 }, () => 'patient.name=a').join('&'), [200]),
  search(
    'a search of forty ways back',
    () => Array.from({ length: 39 }, () => '_has:Observation:derived-from:code=a').join('&'),
    [200],
  ),
  search('a search of forty includes', () => Array.from({ length: 38 }, () => '_include:iterate=*').join('&'), [200]),
  search('a search of too many parameters', () => Array.from({ length: 5000 }, () => 'code=a').join('&'), [400]),
  search('a search of sixty thousand commas', () => `code=${','.repeat(60_000)}`, [400]),
  search(
    'a search of long words',
    () => Array.from({ length: 30 }, () => `patient.name:contains=${'a%25_'.repeat(50)}`).join('&'),
    [200, 400],
  ),
  search(
    'a search of many elements',
    () => `_elements=${Array.from({ length: 10_000 }, (_, index) => `e${index}`).join(',')}`,
    [200],
  ),
  search(
    'a search of numbers that are none',
    () => `value-quantity=${Array.from({ length: 90 }, () => 'gt1e308').join(',')}&date=ap0001-01-01`,
    [200, 400],
  ),
];

/** A closed ring whose edges are as long as the photo of 640 by 480 is wide, all aslant, so that each is compared with each other one. */
const zigzag = (points: number, end: string): string =>
  `[${numbered(points, (row) => `[${row % 2 === 0 ? 1 : 639},${1 + (row % 2 === 0 ? 0 : 240) + (row * 238) / points}]`).slice(1, -1)},${end},[1,1]]`;
const triangle = (x: number, y: number): string =>
  `[[[${x},${y}],[${x + 8},${y}],[${x + 8},${y + 8}],[${x},${y}]]]`.slice(1, -1);
const pieces = (count: number): string =>
  numbered(count, (index) => `[${triangle((index % 40) * 15, Math.floor(index / 40) * 18)}]`);
const review = (type: 'Polygon' | 'MultiPolygon', coordinates: string): string =>
  `{"decision":"correct","contour":{"type":"${type}","coordinates":${coordinates}},"reviewer":{"id":"HCP-1","name":"Example Reviewer"}}`;

const NATIVE: readonly HostileInput[] = [
  native('a quarter of a megabyte of empty lists', 'analysis/jobs', () => list(80_000, '[]'), [413]),
  native(
    'metadata of many names',
    'analysis/jobs',
    () => `{"imageId":"x","metadata":{${numbered(4_900, (index) => `"k${index}":"a"`).slice(1, -1)}}}`,
    [400],
  ),
  native(
    'twenty thousand unknown fields',
    'analysis/jobs',
    () => `{"a":${list(4, `{${numbered(4_500, (index) => `"k${index}":1`).slice(1, -1)}}`)}}`,
    [400],
  ),
  native('half a character', 'analysis/jobs', () => String.raw`{"imageId":"x","clinicalContext":"\udc00"}`, [400]),
  native(
    'a contour that goes to and fro two thousand times',
    'reports/{report}/reviews',
    () => review('Polygon', `[${zigzag(1_990, '[0,479],[0,0.5]')}]`),
    [201],
  ),
  native(
    'a contour that crosses itself at its very end',
    'reports/{report}/reviews',
    () => review('Polygon', `[${zigzag(1_990, '[0,479],[300,478],[200,479.5],[0,0.5]')}]`),
    [400],
  ),
  native(
    'a contour that crosses itself two thousand times',
    'reports/{report}/reviews',
    () =>
      review(
        'Polygon',
        `[[${numbered(1_990, (index) => `[${index % 2 === 0 ? 0 : 600},${(index * 7) % 470}]`).slice(1, -1)},[0,0]]]`,
      ),
    [400],
  ),
  native('a contour of a hundred pieces', 'reports/{report}/reviews', () => review('MultiPolygon', pieces(100)), [201]),
  native(
    'a contour of a thousand pieces',
    'reports/{report}/reviews',
    () => review('MultiPolygon', pieces(1_000)),
    [400],
  ),
];

const HL7: readonly HostileInput[] = [
  ['segments', () => 'NTE|1||a\r'.repeat(100_000)],
  ['repetitions', () => `PID|1||${'4711^^^HOSP^MR~'.repeat(60_000)}\r`],
  ['empty repetitions', () => `PID|1||${'~'.repeat(10_000_000)}\r`],
  ['empty components', () => `PID|1||${'^'.repeat(10_000_000)}\r`],
  ['sub-components', () => `PID|1||4711^^^${'A&'.repeat(190_000)}^MR\r`],
  ['separators', () => `PID|1||4711^^^HOSP^MR||${'|'.repeat(300_000)}\r`],
  ['escapes', () => `PID|1||4711^^^HOSP^MR||${'\\T\\'.repeat(300_000)}^A\r`],
  ['hexadecimal escapes', () => `PID|1||4711^^^HOSP^MR||\\X${'41'.repeat(500_000)}\\^A\r`],
  [
    'orders',
    () =>
      Array.from(
        { length: 2_000 },
        (_, index) => `ORC|NW|${index}^EHR\rOBR|1|${index}^EHR||39135-9^Wound assessment panel^LN\r`,
      ).join(''),
  ],
  ['lines', () => '\r\n'.repeat(500_000)],
  ['repetitions, ten megabytes of them', () => `OBX|1|ED|X|1|${'~'.repeat(10_000_000)}\r`],
  ['components, ten megabytes of them', () => `OBX|1|ED|X|1|${'^'.repeat(10_000_000)}\r`],
  ['sub-components, ten megabytes of them', () => `OBX|1|ED|X|1|${'&'.repeat(10_000_000)}\r`],
  ['escaped escapes, ten megabytes of them', () => `OBX|1|ED|X|1|${'\\E\\'.repeat(3_300_000)}\r`],
  ['escaped escapes, as many as there may be', () => `PID|1||4711^^^HOSP^MR||${'\\E\\'.repeat(490_000)}^A\r`],
  ['short lines, thirty megabytes of them', () => 'a\r'.repeat(15_000_000)],
  ['line ends, thirty megabytes of them', () => '\r'.repeat(30_000_000)],
  [
    'wrapped lines of Base64',
    () => `OBX|1|ED|72170-4^^LN|1|EHR^IM^JPEG^Base64^${`${'A'.repeat(76)}\r\n`.repeat(100_000)}||||||F\r`,
  ],
  ['pieces as short as no file is', () => `NTE|1||${`${'A'.repeat(63)}|`.repeat(150_000)}\r`],
].map(([what, rest]) => ({
  what: `an HL7 message of many ${what as string}`,
  method: 'POST',
  // Over MLLP the status is in the acknowledgment alone.
  path: '/hl7v2?ackStatus=always200',
  type: 'application/hl7-v2',
  body: () =>
    `MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260105083000||OMG^O19^OMG_O19|${v7()}|T|2.5.1\r${(rest as () => string)()}`,
  // Read and answered by an acknowledgment, or refused as too much.
  answers: [200, 400, 413, 422],
}));

/** Those that once ended the process or held everybody up. */
export const WORST_INPUTS: readonly HostileInput[] = [...PATCHES.slice(0, 2), ...RESOURCES.slice(0, 4)];

/** Everything else that a caller can make larger than its bytes, and what must not be kept. Too many writes are no matter of one input: they are not here. */
export const HOSTILE_INPUTS: readonly HostileInput[] = [
  ...PATCHES,
  ...RESOURCES,
  ...REFERENCES,
  ...BUNDLES,
  ...SEARCHES,
  ...NATIVE,
  ...HL7,
];
