import type { Bundle, Observation, Parameters } from '@medplum/fhirtypes';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import type { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import type { IdempotencyService } from '../../../core/idempotency/idempotency.service.js';
import { AuditedCalls } from '../audit/audited-calls.js';
import { FhirAudit } from '../audit/fhir-audit.js';
import { NO_PREFERENCES } from '../call/preferences.js';
import { ResourceSearch } from '../search/resource-search.js';
import type { OperationRequest } from './fhir-operation.js';
import { LastnOperation } from './lastn.operation.js';

const caller: Caller = { organizationId: 'o', environment: 'test', keyId: 'k', scopes: ['analysis:read'] };

/** Gives out its observations two at a time, newest first, as a search would. */
class PagedSearch extends ResourceSearch {
  readonly asked: URLSearchParams[] = [];
  constructor(private readonly observations: Observation[]) {
    super();
  }
  search(_: unknown, __: unknown, parameters: URLSearchParams): Promise<Bundle> {
    this.asked.push(parameters);
    const from = Number(parameters.get('_cursor') ?? 0);
    const link =
      from + 2 < this.observations.length
        ? [{ relation: 'next', url: `https://gateway.example/fhir/Observation?_cursor=${from + 2}` }]
        : [];
    const entry = this.observations
      .slice(from, from + 2)
      .map((resource) => ({ resource, search: { mode: 'match' as const } }));
    return Promise.resolve({
      resourceType: 'Bundle',
      type: 'searchset',
      link,
      entry: [
        ...entry,
        { resource: { resourceType: 'OperationOutcome', issue: [] } as never, search: { mode: 'outcome' } },
      ],
    } as Bundle);
  }
  match(): Promise<never[]> {
    return Promise.resolve([]);
  }
}

class SilentTrail extends AuditTrail {
  recordAll(): Promise<void> {
    return Promise.resolve();
  }
  recordNow(): Promise<void> {
    return Promise.resolve();
  }
}

const observation = (id: string, code: string): Observation => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  code: { coding: [{ system: 'http://loinc.org', code }] },
  subject: { reference: 'Patient/p1' },
});
const SERIES = [
  observation('a3', 'area'),
  observation('w3', 'width'),
  observation('a2', 'area'),
  observation('w2', 'width'),
  observation('a1', 'area'),
];
const unitOfWork = {
  inTenant: (_: unknown, work: (transaction: unknown) => unknown) => work({}),
} as unknown as UnitOfWork;

describe('$lastn', () => {
  const search = new PagedSearch(SERIES);
  const operation = new LastnOperation(
    search,
    new AuditedCalls(unitOfWork, {} as IdempotencyService, new FhirAudit(new SilentTrail())),
  );
  const ask = async (given: Record<string, string>): Promise<string[]> => {
    const input: Parameters = {
      resourceType: 'Parameters',
      parameter: Object.entries(given).map(([name, valueString]) => ({ name, valueString })),
    };
    const request: OperationRequest = {
      caller,
      base: 'b',
      requestId: 'r',
      level: 'type',
      type: 'Observation',
      id: null,
      input,
      query: new URLSearchParams(),
      preferences: NO_PREFERENCES,
      ifMatch: undefined,
      idempotencyKey: null,
    };
    return ((await operation.handle(request)).body as Bundle).entry?.map(({ resource }) => resource!.id!) ?? [];
  };

  it.each([
    ['nobody’s observations', { code: 'area' }],
    ['less than one', { patient: 'p1', max: '0' }],
    ['more than it gives', { patient: 'p1', max: '101' }],
    ['no number', { patient: 'p1', max: 'all' }],
    ['an order of its own', { patient: 'p1', _sort: 'date' }],
  ])('refuses %s', async (_, given) => {
    await expect((async () => ask(given as unknown as Record<string, string>))()).rejects.toMatchObject({
      code: 'request.invalid',
    });
  });

  it('gives the latest of each code, through all pages', async () => {
    expect(await ask({ patient: 'p1' })).toEqual(['a3', 'w3']);
    expect(await ask({ 'subject:Patient': 'p1', max: '2' })).toEqual(['a3', 'w3', 'a2', 'w2']);
    expect(await ask({ patient: 'p1', max: '9' })).toHaveLength(5);
  });

  it('asks newest first, and not for what was entered in error', async () => {
    search.asked.length = 0;
    await ask({ patient: 'p1', category: 'exam' });
    expect(search.asked[0]!.toString()).toBe(
      'patient=p1&category=exam&status%3Anot=entered-in-error&_sort=-date&_count=200',
    );
    expect(search.asked).toHaveLength(3);
  });
});
