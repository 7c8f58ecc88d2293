import type { CodeSystem } from '@medplum/fhirtypes';
import { ERROR_CATALOGUE, type ErrorCode } from '../../../core/errors/catalogue.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { ProfileLibrary } from '../profiles/profile-library.js';
import { R4Definitions } from '../definitions/r4-definitions.js';
import { ResourceValidator } from '../validation/resource-validator.js';
import { ResourceXml } from '../xml/resource-xml.js';
import { OutcomeError } from './outcome-error.js';
import { informationOutcome, outcomeStatus, toOperationOutcome } from './operation-outcome.js';
import { renderOutcome } from '../../../doors/fhir/http/outcome-renderer.js';

const definitions = new R4Definitions();
const xml = new ResourceXml(definitions);
const library = new ProfileLibrary(definitions);
const validator = new ResourceValidator(definitions, library);
const CODES = Object.keys(ERROR_CATALOGUE) as ErrorCode[];
const occasion = { requestId: 'r-1', url: '/fhir/Patient?name=Mustermann' };

describe('the outcome of a refusal', () => {
  it.each(CODES)('of %s is valid, with a code that is published', (code) => {
    const outcome = toOperationOutcome(new SuturaError(code), 'r-1');
    expect(validator.validate(outcome)).toEqual({ level: null, issues: [] });
    const published = (library.read('CodeSystem', 'error') as CodeSystem).concept!.map((concept) => concept.code);
    expect(published).toContain(outcome.issue[0]!.details!.coding![0]!.code);
    expect(outcomeStatus(new SuturaError(code))).toBeGreaterThanOrEqual(400);
  });

  it('says more than the kind where R4 can', () => {
    const typeOf = (error: SuturaError) => toOperationOutcome(error, 'r').issue[0]!.code;
    expect(typeOf(new SuturaError('auth.expired'))).toBe('expired');
    expect(typeOf(new SuturaError('request.invalid'))).toBe('structure');
    expect(typeOf(new SuturaError('request.invalid', { errors: [{ pointer: '/query/_count', detail: 'x' }] }))).toBe(
      'invalid',
    );
    expect(typeOf(new SuturaError('quota.exceeded'))).toBe('throttled');
    expect(toOperationOutcome(new SuturaError('service.internal'), 'r').issue[0]).toMatchObject({
      severity: 'fatal',
      code: 'exception',
    });
  });

  it('names the places at fault, of a resource, a parameter or a header', () => {
    const issues = [
      {
        severity: 'error' as const,
        code: 'required' as const,
        expression: 'Bundle.entry[3].resource.content',
        details: 'Media.content is required',
      },
      {
        severity: 'information' as const,
        code: 'not-supported' as const,
        expression: 'Media.meta',
        details: 'not checked',
      },
    ];
    expect(toOperationOutcome(new OutcomeError('fhir.structure', issues), 'r-1').issue).toEqual([
      {
        severity: 'error',
        code: 'required',
        details: {
          coding: [
            { system: 'https://sutura.dev/fhir/CodeSystem/error', code: 'fhir-structure', display: 'Not FHIR R4' },
          ],
          text: 'Media.content is required',
        },
        expression: ['Bundle.entry[3].resource.content'],
        diagnostics: 'requestId=r-1',
      },
      {
        severity: 'information',
        code: 'not-supported',
        details: { text: 'not checked' },
        expression: ['Media.meta'],
        diagnostics: 'requestId=r-1',
      },
    ]);
    const errors = [
      { pointer: '/query/_count', detail: 'must be a whole number' },
      { pointer: '/header/Idempotency-Key', detail: 'is too long' },
    ];
    expect(
      toOperationOutcome(new SuturaError('request.invalid', { errors }), 'r').issue.map(({ expression, details }) => [
        expression![0],
        details!.text,
      ]),
    ).toEqual([
      ['http._count', 'http._count must be a whole number'],
      ['http.header.Idempotency-Key', 'http.header.Idempotency-Key is too long'],
    ]);
  });

  it('ends after 50 places', () => {
    const issues = Array.from({ length: 80 }, (_, index) => ({
      severity: 'error' as const,
      code: 'value' as const,
      expression: `Patient.name[${index}]`,
      details: 'x',
    }));
    expect(toOperationOutcome(new OutcomeError('fhir.structure', issues), 'r').issue).toHaveLength(50);
  });

  it('carries the headers of the native door, and nothing of the address', () => {
    const quota = new SuturaError('quota.exceeded', { retryAfterS: 60, quota: { limit: 25, used: 25, resetsInS: 60 } });
    const rendered = renderOutcome(quota, occasion, xml);
    expect(rendered).toMatchObject({
      status: 429,
      headers: {
        'retry-after': '60',
        'ratelimit-policy': '"daily";q=25;w=86400',
        'content-type': 'application/fhir+json; charset=utf-8',
        'cache-control': 'private, no-store',
      },
    });
    expect(rendered.body).not.toContain('Mustermann');
    expect(renderOutcome(new SuturaError('auth.missing'), occasion, xml).headers).toMatchObject({
      'www-authenticate': 'Bearer',
    });
  });

  it('has R4’s status for a missing If-Match', () => {
    expect(outcomeStatus(new SuturaError('request.precondition_required'))).toBe(412);
  });
});

test('an outcome of success is valid', () => {
  expect(validator.validate(informationOutcome('All is well.'))).toEqual({ level: null, issues: [] });
});
