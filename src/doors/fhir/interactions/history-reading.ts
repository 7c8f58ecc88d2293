import { Injectable } from '@nestjs/common';
import type { Bundle, BundleEntry, ResourceType } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { invalidInput } from '../../../platform/http/parse-input.js';
import { reachOf } from '../../../standards/fhir/types/type-access.js';
import { type ChangePlace, ResourceStore, type StoredResource } from '../../../standards/fhir/store/resource-store.js';
import type { FhirAnswer, FhirCall } from '../call/fhir-call.js';
import { permit, visibleOf } from './interaction-check.js';
import { rowOf, SERVED_TYPES } from '../../../standards/fhir/types/served-types.js';
import { versionTag } from '../call/preconditions.js';

const DEFAULT_COUNT = 20;
const COUNT_LIMIT = 200;
const CURSOR = /^(\d{1,15}(?:\.\d{1,6})?)-([1-9]\d{0,17})-([1-9]\d{0,8})$/;

/** The parameters of every history. */
interface HistoryRequest {
  readonly count: number;
  readonly since: Date | null;
  /** The parameters as sent, for the links. */
  readonly stated: readonly string[];
}

/** A page of versions, and the target of its links. */
interface HistoryView {
  /** Address below the base. */
  readonly address: string;
  readonly total: number | null;
  readonly versions: readonly StoredResource[];
  /** The parameter of our own that this page was asked by, and that of the next one; null: none. */
  readonly page: string | null;
  readonly next: string | null;
}

/** The histories of R4 (http.html 3.1.0.13): of an instance, of a type, and of all types; newest first, in pages that end sooner where versions are large. */
@Injectable()
export class HistoryReading {
  constructor(private readonly store: ResourceStore) {}

  /** `_count`, `_since`, and `_before` of our own next links: the number of a version. */
  async ofInstance(call: FhirCall, type: string, id: string, parameters: URLSearchParams): Promise<FhirAnswer> {
    const { visible } = permit(call.caller, type, 'history');
    const asked = readRequest(parameters);
    const before = wholeOf(parameters, '_before');
    const current = visibleOf(call, visible, await this.newest(call, type as ResourceType, id));
    const { versions, hasMore } = await this.store.history(
      call.transaction,
      type as ResourceType,
      id,
      asked.count,
      before,
    );
    const recent = versions.filter(({ lastUpdated }) => asked.since === null || lastUpdated >= asked.since);
    const goesOn = hasMore && recent.length === versions.length;
    return viewOf(call, asked, {
      address: `${type}/${id}/_history`,
      total: asked.since === null ? current.version : null,
      versions: recent,
      page: before === null ? null : `_before=${before}`,
      next: goesOn ? `_before=${recent.at(-1)!.version}` : null,
    });
  }

  /** Also of what was deleted. */
  private async newest({ transaction }: FhirCall, type: ResourceType, id: string): Promise<StoredResource | null> {
    return (await this.store.find(transaction, type, id)) ?? (await this.store.findDeleted(transaction, type, id));
  }

  /** `_count`, `_since`, and `_cursor` of our own next links. A page stays true while resources are changed. */
  async ofType(call: FhirCall, type: string, parameters: URLSearchParams): Promise<FhirAnswer> {
    const { visible } = permit(call.caller, type, 'history');
    return this.ofTypes(call, `${type}/_history`, [{ type, own: visible === 'own' }], parameters);
  }

  /** The history of every type that the key may read. `auth.scope` if it may read none. */
  async ofSystem(call: FhirCall, parameters: URLSearchParams): Promise<FhirAnswer> {
    return this.ofTypes(call, '_history', readableTypes(call.caller), parameters);
  }

  private async ofTypes(
    call: FhirCall,
    address: string,
    types: readonly { readonly type: string; readonly own: boolean }[],
    parameters: URLSearchParams,
  ): Promise<FhirAnswer> {
    const asked = readRequest(parameters);
    const cursor = parameters.get('_cursor');
    const before = cursor === null ? null : readCursor(cursor);
    const { versions, hasMore, last } = await this.store.changes(call.transaction, {
      types,
      keyId: call.caller.keyId,
      since: asked.since,
      before,
      limit: asked.count,
    });
    return viewOf(call, asked, {
      address,
      total: null,
      versions,
      page: cursor === null ? null : `_cursor=${cursor}`,
      next: hasMore && last !== null ? `_cursor=${writeCursor(last)}` : null,
    });
  }
}

function readableTypes(caller: Caller): { type: string; own: boolean }[] {
  const types = SERVED_TYPES.filter((type) => rowOf(type)?.interactions.includes('history')).flatMap((type) => {
    const reach = reachOf(caller, type, 'history');
    return reach === 'none' ? [] : [{ type, own: reach === 'own' }];
  });
  if (types.length === 0)
    throw new SuturaError('auth.scope', {
      detail: 'No scope of this key allows "history" on any type. Use a key that has one.',
    });
  return types;
}

function viewOf(
  { base }: FhirCall,
  { stated }: HistoryRequest,
  { address, total, versions, page, next }: HistoryView,
): FhirAnswer {
  const linkTo = (more: string | null): string => {
    const query = [...stated, ...(more === null ? [] : [more])].join('&');
    return `${base}/${address}${query === '' ? '' : `?${query}`}`;
  };
  const bundle: Bundle = {
    resourceType: 'Bundle',
    type: 'history',
    ...(total === null ? {} : { total }),
    link: [
      { relation: 'self', url: linkTo(page) },
      ...(next === null ? [] : [{ relation: 'next', url: linkTo(next) }]),
    ],
    ...(versions.length === 0 ? {} : { entry: versions.map((version) => entryOf(base, version)) }),
  };
  return { status: 200, body: bundle };
}

function entryOf(base: string, stored: StoredResource): BundleEntry {
  const { resource, version, lastUpdated, isDeletion = false } = stored;
  const address = `${resource.resourceType}/${resource.id}`;
  const validators = { etag: versionTag(version), lastModified: lastUpdated.toISOString() };
  const fullUrl = `${base}/${address}`;
  if (isDeletion)
    return { fullUrl, request: { method: 'DELETE', url: address }, response: { status: '204', ...validators } };
  return {
    fullUrl,
    resource,
    request: version === 1 ? { method: 'POST', url: resource.resourceType } : { method: 'PUT', url: address },
    response: { status: version === 1 ? '201' : '200', ...validators },
  };
}

function readRequest(parameters: URLSearchParams): HistoryRequest {
  const count = Math.min(Math.max(wholeOf(parameters, '_count') ?? DEFAULT_COUNT, 1), COUNT_LIMIT);
  const since = parameters.get('_since');
  // Nothing was written before 1970, and the database has no such years. A plus sign of a time zone that was not encoded arrives as a blank.
  const sinceMs = since === null ? null : Date.parse(since.replace(' ', '+'));
  if (Number.isNaN(sinceMs)) throw invalidInput('/query/_since', 'must be an instant');
  const stated = [
    ...(parameters.has('_count') ? [`_count=${count}`] : []),
    ...(since === null ? [] : [`_since=${encodeURIComponent(since.replace(' ', '+'))}`]),
  ];
  return { count, since: sinceMs === null ? null : new Date(Math.max(sinceMs, 0)), stated };
}

function wholeOf(parameters: URLSearchParams, name: string): number | null {
  const text = parameters.get(name);
  if (text === null) return null;
  if (!/^\d{1,9}$/.test(text)) throw invalidInput(`/query/${name}`, 'must be a whole number');
  return Number(text);
}

function writeCursor({ lastUpdatedMs, number, version }: ChangePlace): string {
  return `${lastUpdatedMs}-${number}-${version}`;
}

/** Checked rather than signed: a forged one leads no further than to another place of the same history. */
function readCursor(text: string): ChangePlace {
  const [, lastUpdatedMs, number, version] = CURSOR.exec(text) ?? [];
  if (lastUpdatedMs === undefined)
    throw invalidInput('/query/_cursor', 'is not one of this history. Begin with its first page');
  return { lastUpdatedMs: Number(lastUpdatedMs), number: number!, version: Number(version) };
}
