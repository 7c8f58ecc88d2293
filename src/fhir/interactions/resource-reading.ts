import type { Binary, Bundle, BundleEntry, Resource, ResourceType, Task } from '@medplum/fhirtypes';
import { SuturaError } from '../../core/errors/sutura-error.js';
import type { BinaryBytes, BinaryContent } from '../intake/binary-content.js';
import { invalidInput } from '../../platform/http/parse-input.js';
import type { DefinitionReading } from '../metadata/definition-reading.js';
import type { ResourceSearch } from '../search/resource-search.js';
import type { ResourceStore, StoredResource } from '../store/resource-store.js';
import type { FhirAnswer, FhirCall, Preconditions } from './fhir-call.js';
import { isOwn, notSupported, permit, type Permission } from './interaction-check.js';
import { conditionalRead, isUnchanged, validatorsOf, versionTag } from './preconditions.js';

const HISTORY_COUNT = 20;
const HISTORY_LIMIT = 200;
/** Until its analysis has ended, a Task is worth asking for again. */
const RUNNING: readonly Task['status'][] = ['requested', 'received', 'accepted', 'in-progress'];
const POLL_S = '2';

/** read, vread, history and search. */
export class ResourceReading {
  constructor(
    private readonly store: ResourceStore,
    private readonly searching: ResourceSearch,
    private readonly definitions: DefinitionReading,
    private readonly binaries: BinaryContent,
  ) {}

  async read(call: FhirCall, type: string, id: string, conditions: Preconditions): Promise<FhirAnswer> {
    const { entry, visible } = permit(call.caller, type, 'read');
    if (entry.origin === 'definitions') return this.definitions.read(type, id, conditions);
    if (entry.origin === 'bytes') return this.readBinary(call, id, visible, conditions);
    const stored = visibleOf(call, visible, await this.store.find(call.transaction, call.caller, type as ResourceType, id));
    const answer = conditionalRead(stored, conditions);
    return isRunning(stored.resource) ? { ...answer, headers: { ...answer.headers, 'retry-after': POLL_S } } : answer;
  }

  async readVersion(call: FhirCall, type: string, id: string, version: string): Promise<FhirAnswer> {
    const { entry, visible } = permit(call.caller, type, 'vread');
    if (entry.origin === 'definitions') return this.definitions.readVersion(type, id, version);
    const number = /^[1-9]\d{0,8}$/.test(version) ? Number(version) : null;
    if (number === null) throw new SuturaError('fhir.not_found');
    if (entry.origin === 'bytes') {
      // Bytes are written once: they have one version.
      if (number !== 1) throw new SuturaError('fhir.not_found');
      return this.readBinary(call, id, visible, {});
    }
    return { status: 200, body: visibleOf(call, visible, await this.store.findVersion(call.transaction, call.caller, type as ResourceType, id, number)) };
  }

  /** Newest first; `_count`, `_since`, and `_before` of our own next links. */
  async history(call: FhirCall, type: string, id: string, parameters: URLSearchParams): Promise<FhirAnswer> {
    const { visible } = permit(call.caller, type, 'history');
    const wish = readHistoryWish(parameters);
    const current = visibleOf(call, visible, await this.store.find(call.transaction, call.caller, type as ResourceType, id));
    const versions = await this.store.history(call.transaction, call.caller, type as ResourceType, id, wish.count + 1, wish.before);
    const recent = versions.filter(({ lastUpdated }) => wish.since === null || lastUpdated.getTime() >= wish.since);
    const page = recent.slice(0, wish.count);
    const self = `${call.base}/${type}/${id}/_history`;
    const stated = [...(parameters.has('_count') ? [`_count=${wish.count}`] : []), ...(wish.since === null ? [] : [`_since=${encodeURIComponent(parameters.get('_since')!)}`])];
    const linkTo = (more: string[]): string => (stated.length + more.length === 0 ? self : `${self}?${[...stated, ...more].join('&')}`);
    const bundle: Bundle = {
      resourceType: 'Bundle',
      type: 'history',
      ...(wish.since === null ? { total: current.version } : {}),
      link: [
        { relation: 'self', url: linkTo(wish.before === null ? [] : [`_before=${wish.before}`]) },
        ...(recent.length > wish.count ? [{ relation: 'next', url: linkTo([`_before=${page.at(-1)!.version}`]) }] : []),
      ],
      ...(page.length === 0 ? {} : { entry: page.map((version) => historyEntry(call.base, version)) }),
    };
    return { status: 200, body: bundle };
  }

  async search(call: FhirCall, type: string, parameters: URLSearchParams, strict: boolean): Promise<FhirAnswer> {
    const { entry, visible } = permit(call.caller, type, 'search');
    if (entry.origin === 'bytes') throw notSupported();
    if (entry.origin === 'definitions') return { status: 200, body: this.definitions.search(call.base, type, parameters, strict) };
    return { status: 200, body: await this.searching.search(call, type as ResourceType, parameters, { strict, visible }) };
  }

  private async readBinary(call: FhirCall, id: string, visible: Permission['visible'], conditions: Preconditions): Promise<FhirAnswer> {
    const opened = await (await this.binaries.open(call, id, visible)).load();
    const headers = validatorsOf(1, opened.lastModified);
    return isUnchanged(conditions, 1, opened.lastModified) ? { status: 304, body: null, headers } : { status: 200, body: toBinary(id, opened), headers };
  }
}

/** Bytes as a resource, base64 and all. */
export function toBinary(id: string, { bytes, contentType, lastModified, securityContext }: BinaryBytes): Binary {
  return {
    resourceType: 'Binary',
    id,
    meta: { versionId: '1', lastUpdated: lastModified.toISOString() },
    contentType,
    ...(securityContext === null ? {} : { securityContext: { reference: securityContext } }),
    data: bytes.toString('base64'),
  };
}

/** `fhir.not_found`: whether there is none or it is not the caller's to see. */
function visibleOf(call: FhirCall, visible: Permission['visible'], stored: StoredResource | null): StoredResource {
  if (stored === null || (visible === 'own' && !isOwn(call.caller, stored))) throw new SuturaError('fhir.not_found');
  return stored;
}

function isRunning(resource: Resource): boolean {
  return resource.resourceType === 'Task' && RUNNING.includes(resource.status);
}

interface HistoryWish {
  readonly count: number;
  readonly before: number | null;
  readonly since: number | null;
}

function readHistoryWish(parameters: URLSearchParams): HistoryWish {
  const count = wholeOf(parameters, '_count') ?? HISTORY_COUNT;
  const since = parameters.get('_since');
  if (since !== null && Number.isNaN(Date.parse(since))) throw invalidInput('/query/_since', 'must be an instant');
  return { count: Math.min(Math.max(count, 1), HISTORY_LIMIT), before: wholeOf(parameters, '_before'), since: since === null ? null : Date.parse(since) };
}

function wholeOf(parameters: URLSearchParams, name: string): number | null {
  const text = parameters.get(name);
  if (text === null) return null;
  if (!/^\d{1,9}$/.test(text)) throw invalidInput(`/query/${name}`, 'must be a whole number');
  return Number(text);
}

function historyEntry(base: string, { resource, version, lastUpdated }: StoredResource): BundleEntry {
  const address = `${resource.resourceType}/${resource.id}`;
  return {
    fullUrl: `${base}/${address}`,
    resource,
    request: version === 1 ? { method: 'POST', url: resource.resourceType } : { method: 'PUT', url: address },
    response: { status: version === 1 ? '201' : '200', etag: versionTag(version), lastModified: lastUpdated.toISOString() },
  };
}
