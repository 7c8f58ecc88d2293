import { Injectable } from '@nestjs/common';
import type { Bundle, BundleEntry, ParametersParameter, ResourceType } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { AuditedCalls } from '../audit/audited-calls.js';
import type { FhirAnswer, FhirCall } from '../call/fhir-call.js';
import { parametersOf as searchParametersOf } from '../../../standards/fhir/search-index/parameters/search-parameters.js';
import { ResourceSearch } from '../search/resource-search.js';
import { ResourceStore } from '../../../standards/fhir/store/resource-store.js';
import { PAGE_BYTES } from '../../../standards/fhir/store/page-bytes.js';
import { reachOf } from '../../../standards/fhir/types/type-access.js';
import { SEARCHED_TYPES } from '../../../standards/fhir/types/type-parameters.js';
import { sizeOf } from '../../../standards/fhir/validation/resource-weight.js';
import type { ServedType } from '../../../standards/fhir/types/type-table.js';
import {
  FhirOperation,
  parametersOf,
  refusedParameter,
  type OperationLevel,
  type OperationRequest,
} from './fhir-operation.js';

const DEFAULT_COUNT = 50;
const MOST = 200;
const KNOWN = ['_count', '_type', '_since', '_cursor'];

/** The requested part of a patient's record, and the place where its page begins. */
interface RecordQuery {
  readonly count: number;
  readonly types: readonly string[];
  readonly since: string | null;
  /** The place of a type in `types`, and the cursor of its search; null: from its beginning. */
  readonly from: { readonly place: number; readonly cursor: string | null };
}

/**
 * `Patient/[id]/$everything` (R4 patient-operation-everything.html): the Patient, then all that has it as its patient, type by type, in pages
 * of 50 by default and 200 at most; with each page the organizations, persons and devices that it refers to.
 */
@Injectable()
export class EverythingOperation extends FhirOperation {
  readonly name = 'everything';
  readonly levels: readonly OperationLevel[] = ['instance'];
  readonly types: readonly ServedType[] = ['Patient'];
  readonly scope = 'analysis:read';
  readonly affectsState = false;
  readonly definition = 'http://hl7.org/fhir/OperationDefinition/Patient-everything';

  constructor(
    private readonly search: ResourceSearch,
    private readonly store: ResourceStore,
    private readonly calls: AuditedCalls,
  ) {
    super();
  }

  handle(request: OperationRequest): Promise<FhirAnswer> {
    const { base } = request;
    const stated = parametersByName(parametersOf(request).parameter ?? []);
    const asked = readQuery(stated);
    return this.calls.run(request, async (call) => {
      const patient = await this.store.find(call.transaction, 'Patient', request.id!);
      if (patient === null) throw new SuturaError('fhir.not_found');
      const { id } = patient.resource;
      const isFirst =
        asked.from.place === 0 &&
        asked.from.cursor === null &&
        asked.types.length > 0 &&
        (!stated.has('_type') || stated.get('_type')!.split(',').includes('Patient'));
      const own: BundleEntry[] = isFirst
        ? [{ fullUrl: `${base}/Patient/${id}`, resource: patient.resource, search: { mode: 'match' } }]
        : [];
      const { entries, next } = await this.page(call, id!, asked);
      const entry = [...own, ...entries];
      const linkTo = (cursor: string | null): string => {
        const query = new URLSearchParams(
          [
            ...[...stated].filter(([name]) => name !== '_cursor'),
            ...(cursor === null ? [] : [['_cursor', cursor] as const]),
          ].map(([name, value]): [string, string] => [name, value]),
        ).toString();
        return `${base}/Patient/${id}/$everything${query === '' ? '' : `?${query}`}`;
      };
      const bundle: Bundle = {
        resourceType: 'Bundle',
        type: 'searchset',
        link: [
          { relation: 'self', url: linkTo(stated.get('_cursor') ?? null) },
          ...(next === null ? [] : [{ relation: 'next', url: linkTo(next) }]),
        ],
        ...(entry.length === 0 ? {} : { entry }),
      };
      await this.calls.record(call, '$everything', {
        resources: [patient.resource, bundle],
        references: entry.map(({ resource }) => `${resource!.resourceType}/${resource!.id!}`),
      });
      return { status: 200, body: bundle };
    });
  }

  /** One page of matches, over as many types as that needs; fewer where resources are large. */
  private async page(
    call: FhirCall,
    patientId: string,
    { count, types, since, from }: RecordQuery,
  ): Promise<{ entries: BundleEntry[]; next: string | null }> {
    const entries = new Map<string, BundleEntry>();
    let left = count;
    let size = 0;
    let cursor = from.cursor;
    for (let place = from.place; place < types.length; place += 1) {
      if (left === 0 || size >= PAGE_BYTES) return { entries: [...entries.values()], next: cursorOf(place, cursor) };
      const type = types[place]!;
      // The token of a client may leave out types.
      if (reachOf(call.caller, type, 'search') === 'none') continue;
      const parameters = new URLSearchParams({
        patient: `Patient/${patientId}`,
        _count: String(left),
        _total: 'none',
        _include: `${type}:*`,
        ...(since === null ? {} : { _lastUpdated: `ge${since}` }),
        ...(cursor === null ? {} : { _cursor: cursor }),
      });
      const bundle = await this.search.search(call, type as ResourceType, parameters, { strict: true, visible: 'all' });
      size += sizeOf(bundle);
      for (const entry of bundle.entry ?? []) {
        const isMatch = entry.search?.mode === 'match';
        if (isMatch) left -= 1;
        if (isMatch || (entry.search?.mode === 'include' && !isOfPatient(entry.resource!.resourceType)))
          entries.set(entry.fullUrl!, entry);
      }
      const next = bundle.link?.find(({ relation }) => relation === 'next')?.url;
      cursor = next === undefined ? null : new URL(next).searchParams.get('_cursor');
      if (cursor !== null) return { entries: [...entries.values()], next: cursorOf(place, cursor) };
    }
    return { entries: [...entries.values()], next: null };
  }
}

/** Types that belong to a patient, in the order of the table of search parameters. */
function patientTypes(): string[] {
  return [...SEARCHED_TYPES].filter((type) => searchParametersOf(type).some(({ name }) => name === 'patient'));
}

function isOfPatient(type: string): boolean {
  return type === 'Patient' || patientTypes().includes(type);
}

function cursorOf(place: number, cursor: string | null): string {
  return Buffer.from(JSON.stringify([place, cursor])).toString('base64url');
}

function parametersByName(parameters: readonly ParametersParameter[]): Map<string, string> {
  return new Map(
    parameters.map(({ name = '', ...value }) => [
      name,
      String(
        value.valueString ?? value.valueCode ?? value.valueInteger ?? value.valueInstant ?? value.valueDateTime ?? '',
      ),
    ]),
  );
}

function readQuery(stated: ReadonlyMap<string, string>): RecordQuery {
  const unknown = [...stated.keys()].find((name) => !KNOWN.includes(name));
  if (unknown !== undefined)
    throw refusedParameter(unknown, `Of the parameters of this operation ${KNOWN.slice(0, 3).join(', ')} are taken.`);
  const count = stated.get('_count') ?? String(DEFAULT_COUNT);
  if (!/^[1-9]\d{0,8}$/.test(count)) throw refusedParameter('_count', 'Must be a whole number, 1 or more.');
  const since = stated.get('_since') ?? null;
  if (since !== null && Number.isNaN(Date.parse(since))) throw refusedParameter('_since', 'Must be an instant.');
  const wanted = stated.get('_type')?.split(',');
  const types = patientTypes().filter((type) => wanted?.includes(type) ?? true);
  return { count: Math.min(Number(count), MOST), types, since, from: readCursor(stated.get('_cursor'), types.length) };
}

function readCursor(text: string | undefined, types: number): RecordQuery['from'] {
  if (text === undefined) return { place: 0, cursor: null };
  try {
    const [place, cursor] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as [unknown, unknown];
    if (
      Number.isInteger(place) &&
      (place as number) >= 0 &&
      (place as number) < types &&
      (cursor === null || typeof cursor === 'string')
    )
      return { place: place as number, cursor };
  } catch {
    // Treated like any other text that is no cursor.
  }
  throw refusedParameter('_cursor', 'Is not one of this operation. Begin with its first page.');
}
