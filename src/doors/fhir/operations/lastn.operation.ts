import { Injectable } from '@nestjs/common';
import type { Bundle, BundleEntry, Observation, ParametersParameter } from '@medplum/fhirtypes';
import { AuditedCalls } from '../audit/audited-calls.js';
import type { FhirAnswer, FhirCall } from '../call/fhir-call.js';
import { ResourceSearch } from '../search/resource-search.js';
import type { ServedType } from '../../../standards/fhir/types/type-table.js';
import {
  FhirOperation,
  parametersOf,
  refusedParameter,
  type OperationLevel,
  type OperationRequest,
} from './fhir-operation.js';

const SUBJECTS = ['patient', 'subject'];
const MOST = 100;
const PAGE = 200;
/** Pages that are searched: 10,000 Observations of one patient. */
const PAGES = 50;

/**
 * `Observation/$lastn` (R4 observation-operation-lastn.html): the latest observations of each code that meet the criteria, one by default.
 * Takes the parameters of a search, of which the patient is required; Observations entered in error do not count.
 */
@Injectable()
export class LastnOperation extends FhirOperation {
  readonly name = 'lastn';
  readonly levels: readonly OperationLevel[] = ['type'];
  readonly types: readonly ServedType[] = ['Observation'];
  readonly scope = 'analysis:read';
  readonly affectsState = false;
  readonly definition = 'http://hl7.org/fhir/OperationDefinition/Observation-lastn';

  constructor(
    private readonly search: ResourceSearch,
    private readonly calls: AuditedCalls,
  ) {
    super();
  }

  handle(request: OperationRequest): Promise<FhirAnswer> {
    const parameters = parametersOf(request).parameter ?? [];
    const max = readMax(parameters);
    const criteria = toCriteria(parameters);
    return this.calls.run(request, async (call) => {
      const latest = await this.latest(call, criteria, max);
      const bundle: Bundle = {
        resourceType: 'Bundle',
        type: 'searchset',
        total: latest.length,
        link: [{ relation: 'self', url: `${request.base}/Observation/$lastn?${criteria.toString()}` }],
        ...(latest.length === 0 ? {} : { entry: latest }),
      };
      await this.calls.record(call, '$lastn', { resources: [bundle], query: criteria.toString() });
      return { status: 200, body: bundle };
    });
  }

  /** Newest first, so that the first of a code are its latest. */
  private async latest(call: FhirCall, criteria: URLSearchParams, max: number): Promise<BundleEntry[]> {
    const counts = new Map<string, number>();
    const kept: BundleEntry[] = [];
    let page: URLSearchParams | null = criteria;
    for (let read = 0; page !== null && read < PAGES; read += 1) {
      const bundle: Bundle = await this.search.search(call, 'Observation', page, { strict: true, visible: 'all' });
      for (const entry of bundle.entry ?? []) {
        if (entry.search?.mode !== 'match') continue;
        const code = codeOf(entry.resource as Observation);
        const count = (counts.get(code) ?? 0) + 1;
        counts.set(code, count);
        if (count <= max) kept.push(entry);
      }
      const next: string | undefined = bundle.link?.find(({ relation }) => relation === 'next')?.url;
      page = next === undefined ? null : new URL(next, 'http://local').searchParams;
    }
    return kept;
  }
}

function codeOf({ code }: Observation): string {
  const [coding] = code?.coding ?? [];
  return coding === undefined ? (code?.text ?? '') : `${coding.system ?? ''}|${coding.code ?? ''}`;
}

function readMax(parameters: readonly ParametersParameter[]): number {
  const given = parameters.find(({ name }) => name === 'max');
  const max = given === undefined ? 1 : Number(given.valuePositiveInt ?? given.valueInteger ?? given.valueString);
  if (!Number.isInteger(max) || max < 1 || max > MOST)
    throw refusedParameter('max', `Must be a number from 1 to ${MOST}.`);
  return max;
}

function toCriteria(parameters: readonly ParametersParameter[]): URLSearchParams {
  const criteria = new URLSearchParams();
  for (const { name = '', ...value } of parameters) {
    if (name === 'max') continue;
    if (name.startsWith('_'))
      throw refusedParameter(name, 'The order and the form of the answer are the operation’s own.');
    criteria.append(
      name,
      String(
        value.valueString ??
          value.valueCode ??
          value.valueUri ??
          value.valueDate ??
          value.valueReference?.reference ??
          '',
      ),
    );
  }
  if (![...criteria.keys()].some((name) => SUBJECTS.includes(name.split(/[:.]/)[0]!)))
    throw refusedParameter('patient', 'Say whose observations: give patient or subject.');
  criteria.append('status:not', 'entered-in-error');
  criteria.append('_sort', '-date');
  criteria.append('_count', String(PAGE));
  return criteria;
}
