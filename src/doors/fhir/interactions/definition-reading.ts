import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import type { Bundle, BundleEntry, SearchParameter } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { FhirAnswer, Preconditions } from '../call/fhir-call.js';
import { isUnchanged, validatorsOf } from '../call/preconditions.js';
import { OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';
import { factsOf } from '../../../standards/fhir/profiles/published-facts.js';
import { ProfileLibrary } from '../../../standards/fhir/profiles/profile-library.js';
import type { ConformanceResource, ConformanceType } from '../../../standards/fhir/types/served-types.js';
import { error } from '../../../standards/fhir/validation/resource-issue.js';

const DEFAULT_COUNT = 20;
const COUNT_LIMIT = 200;
const ID = /^[A-Za-z0-9\-.]{1,64}$/;

interface DefinitionParameter {
  readonly name: string;
  readonly type: SearchParameter['type'];
  matches(resource: ConformanceResource, value: string, modifier: string | undefined): boolean;
  readonly modifiers?: readonly string[];
}

const folded = (text: string | undefined): string =>
  (text ?? '')
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();

const PARAMETERS: readonly DefinitionParameter[] = [
  { name: '_id', type: 'token', matches: ({ id }, value) => id === value },
  {
    name: 'url',
    type: 'uri',
    matches: (resource, value) => {
      const { url, version } = factsOf(resource);
      return value === url || value === `${url}|${version}`;
    },
  },
  { name: 'version', type: 'token', matches: (resource, value) => factsOf(resource).version === value },
  {
    name: 'status',
    type: 'token',
    matches: (resource, value) => factsOf(resource).status === value.replace(/^.*\|/, ''),
  },
  {
    name: 'name',
    type: 'string',
    modifiers: ['exact', 'contains'],
    matches: (resource, value, modifier) => {
      const { name } = factsOf(resource);
      if (modifier === 'exact') return name === value;
      return modifier === 'contains' ? folded(name).includes(folded(value)) : folded(name).startsWith(folded(value));
    },
  },
];

/** Parameters that were handled before, or have no meaning for definitions. */
const RESULT_PARAMETERS = ['_count', '_offset', '_summary', '_format', '_pretty', '_total'];

/** Read and search of published definitions: profiles, terminology, search parameters, operations. The same for every tenant. */
@Injectable()
export class DefinitionReading {
  constructor(private readonly library: ProfileLibrary) {}

  static parameters(): { readonly name: string; readonly type: SearchParameter['type'] }[] {
    return PARAMETERS.map(({ name, type }) => ({ name, type }));
  }

  /** `fhir.not_found`. */
  read(type: string, id: string, { ifNoneMatch }: Preconditions): FhirAnswer {
    const resource = this.find(type, id);
    const { versionId, lastUpdated } = versionOf(resource);
    const headers = validatorsOf(versionId, lastUpdated);
    // Not by date: a release that corrects a definition may keep its date.
    if (ifNoneMatch !== undefined && isUnchanged({ ifNoneMatch }, versionId, lastUpdated))
      return { status: 304, body: null, headers };
    return { status: 200, body: withVersion(resource), headers };
  }

  /** The present one only: earlier ones are those of earlier releases. `fhir.not_found`. */
  readVersion(type: string, id: string, version: string): FhirAnswer {
    const resource = this.find(type, id);
    const { versionId, lastUpdated } = versionOf(resource);
    if (versionId !== version) throw new SuturaError('fhir.not_found');
    return { status: 200, body: withVersion(resource), headers: validatorsOf(versionId, lastUpdated) };
  }

  /** A searchset in the order of ids. `fhir.search`. */
  search(base: string, type: string, parameters: URLSearchParams, strict: boolean): Bundle {
    const { wanted, ignored } = sortOut(parameters);
    if (strict && ignored.length > 0)
      throw refused(ignored, 'is not a search parameter of this type.', 'not-supported');
    const count = wholeOf(parameters, '_count', DEFAULT_COUNT);
    const offset = wholeOf(parameters, '_offset', 0);
    const found = this.library
      .resources(type as ConformanceType)
      .filter((resource) =>
        wanted.every(({ parameter, modifier, values }) =>
          values.some((value) => parameter.matches(resource, value, modifier)),
        ),
      );
    const countOnly = count === 0 || parameters.get('_summary') === 'count';
    const size = Math.min(count, COUNT_LIMIT);
    const linkTo = (from: number): string =>
      `${base}/${type}?${new URLSearchParams([...wanted.map(({ stated }): [string, string] => stated), ['_count', String(size)], ...(from === 0 ? [] : [['_offset', String(from)] as [string, string]])]).toString()}`;
    const matches: BundleEntry[] = countOnly
      ? []
      : found.slice(offset, offset + size).map((resource) => ({
          fullUrl: `${base}/${type}/${resource.id}`,
          resource: withVersion(resource),
          search: { mode: 'match' as const },
        }));
    const link = [
      { relation: 'self', url: linkTo(offset) },
      ...(!countOnly && offset + size < found.length ? [{ relation: 'next', url: linkTo(offset + size) }] : []),
    ];
    const entry = [...matches, ...(ignored.length === 0 ? [] : [leftOut(ignored)])];
    return {
      resourceType: 'Bundle',
      type: 'searchset',
      total: found.length,
      link,
      ...(entry.length === 0 ? {} : { entry }),
    };
  }

  private find(type: string, id: string): ConformanceResource {
    const resource = ID.test(id) ? this.library.read(type as ConformanceType, id) : undefined;
    if (resource === undefined) throw new SuturaError('fhir.not_found');
    return resource;
  }
}

interface WantedParameter {
  readonly parameter: DefinitionParameter;
  readonly modifier: string | undefined;
  readonly values: readonly string[];
  readonly stated: [string, string];
}

function sortOut(parameters: URLSearchParams): { wanted: WantedParameter[]; ignored: string[] } {
  const wanted: WantedParameter[] = [];
  const ignored: string[] = [];
  for (const [key, value] of parameters) {
    if (RESULT_PARAMETERS.includes(key)) continue;
    const [name = '', modifier] = key.split(':', 2);
    const parameter = PARAMETERS.find((each) => each.name === name);
    if (parameter === undefined) ignored.push(key);
    else if (modifier !== undefined && parameter.modifiers?.includes(modifier) !== true)
      throw refused([key], 'has no such modifier.', 'not-supported');
    else wanted.push({ parameter, modifier, values: value.split(','), stated: [key, value] });
  }
  return { wanted, ignored };
}

function wholeOf(parameters: URLSearchParams, name: string, fallback: number): number {
  const text = parameters.get(name);
  if (text === null) return fallback;
  if (!/^\d{1,9}$/.test(text)) throw refused([name], 'must be a whole number.', 'invalid');
  return Number(text);
}

function refused(names: readonly string[], text: string, code: 'invalid' | 'not-supported'): OutcomeError {
  return new OutcomeError(
    'fhir.search',
    names.map((name) => error(code, placeOf(name), `${placeOf(name)} ${text}`)),
  );
}

function leftOut(names: readonly string[]): BundleEntry {
  const issue = names.map((name) => ({
    severity: 'warning' as const,
    code: 'not-supported' as const,
    details: { text: `${placeOf(name)} is not a search parameter of this type and was left out.` },
  }));
  return {
    resource: { resourceType: 'OperationOutcome', issue } as BundleEntry['resource'],
    search: { mode: 'outcome' },
  };
}

function placeOf(name: string): string {
  return `http.${name.replace(/[^\w:.-]/g, '').slice(0, 64)}`;
}

const versions = new WeakMap<ConformanceResource, { versionId: string; lastUpdated: Date }>();

/** Its own version and a digest, since a release may correct a definition without a new version. */
function versionOf(resource: ConformanceResource): { versionId: string; lastUpdated: Date } {
  const known = versions.get(resource);
  if (known !== undefined) return known;
  const digest = createHash('sha256').update(JSON.stringify(resource)).digest('hex').slice(0, 8);
  const { version, date } = factsOf(resource);
  const made = { versionId: `${version ?? '0'}-${digest}`, lastUpdated: new Date(date ?? 0) };
  versions.set(resource, made);
  return made;
}

function withVersion(resource: ConformanceResource): ConformanceResource {
  const { versionId, lastUpdated } = versionOf(resource);
  return { ...resource, meta: { ...resource.meta, versionId, lastUpdated: lastUpdated.toISOString() } };
}
