import { Injectable } from '@nestjs/common';
import type { Binary, Resource, ResourceType, Task } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { type BinaryBytes, BinaryContent, ONLY_VERSION } from './binary-content.js';
import { DefinitionReading } from './definition-reading.js';
import { HistoryReading } from './history-reading.js';
import { ModelResources } from './model-resources.js';
import { ResourceSearch } from '../search/resource-search.js';
import { ResourceStore, type StoredResource } from '../../../standards/fhir/store/resource-store.js';
import type { FhirAnswer, FhirCall, Preconditions } from '../call/fhir-call.js';
import { notSupported, permit, visibleOf, type Permission } from './interaction-check.js';
import { conditionalRead, isUnchanged, validatorsOf } from '../call/preconditions.js';

/** States in which a Task is worth asking for again. */
const RUNNING: readonly Task['status'][] = ['requested', 'received', 'accepted', 'in-progress'];
const POLL_S = '2';

/** read, vread and search; histories by `histories`. */
@Injectable()
export class ResourceReading {
  constructor(
    private readonly store: ResourceStore,
    private readonly searching: ResourceSearch,
    private readonly definitions: DefinitionReading,
    private readonly binaries: BinaryContent,
    private readonly models: ModelResources,
    readonly histories: HistoryReading,
  ) {}

  async read(call: FhirCall, type: string, id: string, conditions: Preconditions): Promise<FhirAnswer> {
    const { row, visible } = permit(call.caller, type, 'read');
    if (row.origin === 'definitions') return this.definitions.read(type, id, conditions);
    if (row.origin === 'bytes') return this.readBinary(call, id, visible, conditions);
    await this.models.showFor(call.transaction, type);
    const stored = await this.present(call, visible, type as ResourceType, id);
    const answer = conditionalRead(stored, conditions);
    return isRunning(stored.resource) ? { ...answer, headers: { ...answer.headers, 'retry-after': POLL_S } } : answer;
  }

  async readVersion(call: FhirCall, type: string, id: string, version: string): Promise<FhirAnswer> {
    const { row, visible } = permit(call.caller, type, 'vread');
    if (row.origin === 'definitions') return this.definitions.readVersion(type, id, version);
    if (row.origin === 'bytes') return this.readBinaryVersion(call, id, visible, version);
    const number = /^[1-9]\d{0,8}$/.test(version) ? Number(version) : null;
    if (number === null) throw new SuturaError('fhir.not_found');
    const found = await this.store.findVersion(call.transaction, type as ResourceType, id, number);
    const body = visibleOf(call, visible, found);
    if (body.isDeletion === true) throw new SuturaError('fhir.gone');
    return { status: 200, body };
  }

  /** `fhir.not_found`; `fhir.gone` where it was deleted. */
  private async present(
    call: FhirCall,
    visible: Permission['visible'],
    type: ResourceType,
    id: string,
  ): Promise<StoredResource> {
    const found = await this.store.find(call.transaction, type, id);
    if (found !== null) return visibleOf(call, visible, found);
    visibleOf(call, visible, await this.store.findDeleted(call.transaction, type, id));
    throw new SuturaError('fhir.gone');
  }

  async search(call: FhirCall, type: string, parameters: URLSearchParams, strict: boolean): Promise<FhirAnswer> {
    const { row, visible } = permit(call.caller, type, 'search');
    if (row.origin === 'bytes') throw notSupported();
    if (row.origin === 'definitions')
      return { status: 200, body: this.definitions.search(call.base, type, parameters, strict) };
    await this.models.showFor(call.transaction, type);
    return {
      status: 200,
      body: await this.searching.search(call, type as ResourceType, parameters, { strict, visible }),
    };
  }

  private async readBinary(
    call: FhirCall,
    id: string,
    visible: Permission['visible'],
    conditions: Preconditions,
  ): Promise<FhirAnswer> {
    return answerOf(id, await this.bytesOf(call, id, visible), conditions);
  }

  /** Only the present bytes are kept. Those that replaced others because a photo was erased have another version. */
  private async readBinaryVersion(
    call: FhirCall,
    id: string,
    visible: Permission['visible'],
    version: string,
  ): Promise<FhirAnswer> {
    const opened = await this.bytesOf(call, id, visible);
    if (version !== ONLY_VERSION && version !== opened.versionId) throw new SuturaError('fhir.not_found');
    return answerOf(id, opened, {});
  }

  private async bytesOf(call: FhirCall, id: string, visible: Permission['visible']): Promise<BinaryBytes> {
    return (await this.binaries.open(call, id, visible)).load(call.transaction);
  }
}

/** Bytes as a resource; 304 where the caller has them. */
export function answerOf(id: string, opened: BinaryBytes, conditions: Preconditions): FhirAnswer {
  const headers = validatorsOf(opened.versionId, opened.lastModified);
  return isUnchanged(conditions, opened.versionId, opened.lastModified)
    ? { status: 304, body: null, headers }
    : { status: 200, body: toBinary(id, opened), headers };
}

/** Bytes as a resource, base64 and all. */
function toBinary(id: string, { bytes, contentType, versionId, lastModified, securityContext }: BinaryBytes): Binary {
  return {
    resourceType: 'Binary',
    id,
    meta: { versionId, lastUpdated: lastModified.toISOString() },
    contentType,
    ...(securityContext === null ? {} : { securityContext: { reference: securityContext } }),
    data: bytes.toString('base64'),
  };
}

function isRunning(resource: Resource): boolean {
  return resource.resourceType === 'Task' && RUNNING.includes(resource.status);
}
