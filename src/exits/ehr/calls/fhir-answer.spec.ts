import { isGone, toFhirAnswer } from './fhir-answer.js';

const NOW = Date.parse('2026-03-10T08:00:00Z');
const answer = (status: number, headers: Record<string, string>, body: unknown = '') =>
  toFhirAnswer({ status, headers, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) }, NOW);

describe('of a refusal', () => {
  it('codes are kept, an EHR’s own numbers too, and no words', () => {
    const outcome = {
      resourceType: 'OperationOutcome',
      issue: [
        {
          code: 'business-rule',
          diagnostics: 'Anna Beispiel',
          details: { coding: [{ code: '59187' }], text: 'Anna Beispiel, born 1951' },
        },
        { code: 'Anna Beispiel born 1951' },
        { code: 'business-rule' },
      ],
    };
    const read = answer(422, {}, outcome);
    expect(read.codes).toEqual(['business-rule', '59187']);
    expect(read.id).toBeNull();
  });

  it.each([
    ['120', 120_000],
    ['Tue, 10 Mar 2026 08:00:30 GMT', 30_000],
    ['999999999', 86_400_000],
    ['soon', null],
  ])('Retry-After %s is a pause of %p ms', (text, ms) => {
    expect(answer(429, { 'retry-after': text }).retryAfterMs).toBe(ms);
  });
});

it('the type of what an address names is read with its id: that of a task or an outcome is no document', () => {
  expect(answer(202, { location: 'https://ehr.example/fhir/Task/5' })).toMatchObject({ type: 'Task', id: '5' });
  expect(answer(201, {}, { resourceType: 'OperationOutcome', id: '1' })).toMatchObject({ type: null, id: null });
  expect(answer(200, {}, '<html></html>')).toMatchObject({ type: null, id: null, isEmpty: false });
  expect(answer(200, {})).toMatchObject({ type: null, id: null, isEmpty: true });
});

const outcome = (code: string) => ({ resourceType: 'OperationOutcome', issue: [{ code }] });

it.each<[string, number, boolean, unknown]>([
  ['a page', 404, false, '<html></html>'],
  ['nothing', 404, false, ''],
  ['JSON of a gateway', 404, false, { message: 'no Route matched' }],
  ['an outcome that the type is not served', 404, false, outcome('not-supported')],
  ['an outcome', 404, true, outcome('not-found')],
  ['an outcome', 403, false, outcome('not-found')],
  ['nothing', 410, true, ''],
])('%s with status %i says that a resource is gone: %p', (_what, status, gone, body) => {
  expect(isGone(answer(status, {}, body))).toBe(gone);
});

describe('of what was created', () => {
  it.each([
    ['its address', { location: 'https://ehr.example/fhir/DocumentReference/d-1/_history/3' }, '', 'd-1', '3'],
    ['address and ETag', { location: 'DocumentReference/d-1', etag: 'W/"7"' }, '', 'd-1', '7'],
    ['the resource', {}, { resourceType: 'DocumentReference', id: 'd-1', meta: { versionId: '2' } }, 'd-1', '2'],
    ['a page of a proxy', {}, '<html>OK</html>', null, null],
    ['an id that is none', {}, { resourceType: 'DocumentReference', id: '../1' }, null, null],
    ['nothing', {}, '', null, null],
  ])('id and version are read from %s', (_what, headers, body, id, versionId) => {
    expect(answer(201, headers as Record<string, string>, body)).toMatchObject({ id, versionId });
  });
});
