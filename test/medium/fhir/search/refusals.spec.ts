import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { type FhirGround } from '../../../support/fhir-ground.js';
import { linkOf, outcomeOf, SearchGround, type Searching } from './searching.js';

/** Searches that are refused whatever the handling, with the parameter that is named. */
const REFUSED: readonly (readonly [why: string, request: string, place: string])[] = [
  ['an unknown modifier', 'Observation?code:in=x', 'http.code:in'],
  ['a modifier of another type of parameter', 'Observation?code:exact=x', 'http.code:exact'],
  ['a modifier that a date does not have', 'Observation?date:not=2026', 'http.date:not'],
  ['a modifier on a column', 'Observation?_id:not=x', 'http._id:not'],
  ['a type that the reference cannot have', 'Observation?subject:Practitioner=1', 'http.subject:Practitioner'],
  ['a malformed date', 'Observation?date=yesterday', 'http.date'],
  ['a day that does not exist', 'Observation?date=2026-02-30', 'http.date'],
  ['a prefix without a date', 'Observation?date=ge', 'http.date'],
  ['no number', 'Observation?value-quantity=large', 'http.value-quantity'],
  ['a number too large to be one', 'Observation?value-quantity=1e999', 'http.value-quantity'],
  ['half a quantity', 'Observation?value-quantity=5|cm2', 'http.value-quantity'],
  ['a system without a unit', 'Observation?value-quantity=5|http://unitsofmeasure.org|', 'http.value-quantity'],
  ['no sequence number', 'DiagnosticReport?sequence=first', 'http.sequence'],
  [
    'a composite without its second part',
    'Observation?component-code-value-quantity=tissue-slough',
    'http.component-code-value-quantity',
  ],
  ['a composite without a code', 'Observation?component-code-value-quantity=|$5', 'http.component-code-value-quantity'],
  ['an empty token', 'Observation?code=|', 'http.code'],
  ['a token with three parts', 'Observation?code=a|b|c', 'http.code'],
  [':missing with something else than true or false', 'Observation?code:missing=yes', 'http.code:missing'],
  ['a text of 257 characters', `Patient?name=${'x'.repeat(257)}`, 'http.name'],
  ['a text that is none', 'Patient?name=%CC%81', 'http.name'],
  ['a value over 2 kB', `Observation?code=${'x'.repeat(2049)}`, 'http.code'],
  ['a NUL', 'Patient?name=a%00b', 'http.name'],
  ['101 values', `Observation?code=${Array(101).fill('x').join()}`, 'http.code'],
  ['41 parameters', `Observation?${Array(41).fill('code=x').join('&')}`, 'http._'],
  ['a negative _count', 'Observation?_count=-1', 'http._count'],
  ['a _count that is no number', 'Observation?_count=abc', 'http._count'],
  ['two _counts', 'Observation?_count=1&_count=2', 'http._count'],
  ['an unknown _summary', 'Observation?_summary=short', 'http._summary'],
  ['an unknown _total', 'Observation?_total=exact', 'http._total'],
  ['_elements that are none', 'Observation?_elements=a%3Bb', 'http._elements'],
  ['six sort keys', 'Observation?_sort=date,date,date,date,date,date', 'http._sort'],
  ['a cursor of nobody', 'Observation?_cursor=abc', 'http._cursor'],
  ['a cursor too long', `Observation?_cursor=${'A'.repeat(1001)}`, 'http._cursor'],
  ['a chain over two steps', 'Observation?encounter.patient.name=x', 'http.encounter.patient.name'],
  ['a chain from no reference', 'Observation?code.name=x', 'http.code.name'],
  ['a chain to an unknown parameter', 'Observation?patient.colour=x', 'http.patient.colour'],
  ['a chain to a type that it cannot reach', 'Observation?patient:Device.type=x', 'http.patient:Device.type'],
  ['_has by no reference', 'Patient?_has:Observation:code:status=final', 'http._has:Observation:code:status'],
  [
    '_has by a reference to others',
    'Patient?_has:Observation:device:status=final',
    'http._has:Observation:device:status',
  ],
  [
    '_has in _has',
    'Patient?_has:Observation:patient:_has:DiagnosticReport:result:status=final',
    'http._has:Observation:patient:_has:DiagnosticReport:result:status',
  ],
];

/** What is left out of a search, and refused with `Prefer: handling=strict`. */
const LEFT_OUT: readonly (readonly [request: string, place: string])[] = [
  ['Observation?colour=red', 'http.colour'],
  ['Observation?Code=x', 'http.Code'],
  ['Observation?_text=wound', 'http._text'],
  ['Observation?constructor=1', 'http.constructor'],
  ['Observation?__proto__=1', 'http.__proto__'],
  ['Observation?code=', 'http.code'],
  ['Observation?_sort=colour', 'http._sort'],
  ['Observation?_sort=code', 'http._sort'],
  ['Observation?_include=Observation:code', 'http._include'],
  ['Observation?_include=Patient:organization', 'http._include'],
  ['Observation?_include=Media:patient', 'http._include'],
  ['Observation?_revinclude=*', 'http._revinclude'],
  ['Observation?_revinclude=DiagnosticReport:media', 'http._revinclude'],
  ['Observation?%3Cscript%3E=1', 'http.script'],
];

describe('a search that cannot be answered', () => {
  let opened: SearchGround;
  let tenant: Tenant;
  let searching: Searching;
  let ground: FhirGround;

  beforeAll(async () => {
    opened = await SearchGround.open();
    ({ ground, searching } = opened);
    tenant = await opened.context.createTenant();
    await ground.insert(tenant, {
      resourceType: 'Observation',
      id: 'one',
      status: 'final',
      code: { coding: [{ code: 'x' }] },
      subject: { reference: 'Patient/1' },
    });
  });
  afterAll(() => opened?.close());

  it.each(REFUSED)('is refused: %s', async (_, request, place) => {
    const refusal: unknown = await searching.bundle(tenant, request).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: 'fhir.search',
      kind: 'bad_request',
      issues: [{ severity: 'error', expression: place }],
    });
  });

  it.each(LEFT_OUT)('in part (%s) is answered without it, and says so', async (request, place) => {
    const bundle = await searching.bundle(tenant, request);
    expect(outcomeOf(bundle)!.issue).toMatchObject([
      { severity: 'warning', code: 'not-supported', expression: [place] },
    ]);
    expect(bundle.total).toBe(1);
    expect(linkOf(bundle, 'self')).toBe('https://sutura.example/fhir/Observation');
    await expect(searching.bundle(tenant, request, { strict: true })).rejects.toMatchObject({
      code: 'fhir.search',
      issues: [{ expression: place }],
    });
  });

  it('repeats no value in what it says', async () => {
    for (const request of [
      'Observation?date=4711-secret',
      'Patient?name:secret=x',
      'Observation?value-quantity=secret|x',
    ]) {
      const { issues } = (await searching.bundle(tenant, request).catch((error: unknown) => error)) as {
        issues: { details: string }[];
      };
      expect(issues[0]!.details.replace('name:secret', '')).not.toContain('secret');
    }
  });

  it('takes _count over the limit as the limit', async () => {
    expect(linkOf(await searching.bundle(tenant, 'Observation?_count=100000'), 'self')).toBe(
      'https://sutura.example/fhir/Observation?_count=200',
    );
  });

  it('refuses types that are not searched', async () => {
    for (const type of ['Subscription', 'Binary', 'AuditEvent', 'Object'])
      await expect(searching.bundle(tenant, type)).rejects.toMatchObject({ code: 'fhir.interaction_not_supported' });
  });

  it('refuses criteria for a match that would match anything, or that are not understood', async () => {
    const match = (criteria: string) =>
      ground.call(tenant, (call) => searching.search.match(call, 'Observation', criteria, 2));
    for (const criteria of ['', '_count=1', '_sort=date', 'identifier=', 'colour=red', 'code=x&colour=red'])
      await expect(match(criteria)).rejects.toMatchObject({ code: 'fhir.search' });
    expect((await match('code=x')).map(({ resource }) => resource.id)).toEqual(['one']);
  });
});
