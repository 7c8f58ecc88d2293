import { Injectable } from '@nestjs/common';
import type { Binary, Resource, ResourceType, Task } from '@medplum/fhirtypes';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { type BinaryBytes, BinaryContent } from './binary-content.js';
import { DefinitionReading } from './definition-reading.js';
import { ResourceSearch } from '../search/resource-search.js';
import { ResourceStore } from '../store/resource-store.js';
import type { FhirAnswer, FhirCall, Preconditions } from '../call/fhir-call.js';
import { notSupported, permit, visibleOf, type Permission } from './interaction-check.js';
import { conditionalRead, isUnchanged, validatorsOf } from '../call/preconditions.js';

/** States in which a Task is worth asking for again. */
const RUNNING: readonly Task['status'][] = ['requested', 'received', 'accepted', 'in-progress'];
const POLL_S = '2';

/** read, vread and search. */
@Injectable()
export class ResourceReading {
  constructor(
    private readonly store: ResourceStore,
    private readonly searching: ResourceSearch,
    private readonly definitions: DefinitionReading,
    private readonly binaries: BinaryContent,
  ) {}

  async read(call: FhirCall, type: string, id: string, conditions: Preconditions): Promise<FhirAnswer> {
    const { row, visible } = permit(call.caller, type, 'read');
    if (row.origin === 'definitions') return this.definitions.read(type, id, conditions);
    if (row.origin === 'bytes') return this.readBinary(call, id, visible, conditions);
    const stored = visibleOf(call, visible, await this.store.find(call.transaction, type as ResourceType, id));
    const answer = conditionalRead(stored, conditions);
    return isRunning(stored.resource) ? { ...answer, headers: { ...answer.headers, 'retry-after': POLL_S } } : answer;
  }

  async readVersion(call: FhirCall, type: string, id: string, version: string): Promise<FhirAnswer> {
    const { row, visible } = permit(call.caller, type, 'vread');
    if (row.origin === 'definitions') return this.definitions.readVersion(type, id, version);
    const number = /^[1-9]\d{0,8}$/.test(version) ? Number(version) : null;
    if (number === null) throw new SuturaError('fhir.not_found');
    if (row.origin === 'bytes') {
      // Bytes are written once: they have one version.
      if (number !== 1) throw new SuturaError('fhir.not_found');
      return this.readBinary(call, id, visible, {});
    }
    return {
      status: 200,
      body: visibleOf(call, visible, await this.store.findVersion(call.transaction, type as ResourceType, id, number)),
    };
  }

  async search(call: FhirCall, type: string, parameters: URLSearchParams, strict: boolean): Promise<FhirAnswer> {
    const { row, visible } = permit(call.caller, type, 'search');
    if (row.origin === 'bytes') throw notSupported();
    if (row.origin === 'definitions')
      return { status: 200, body: this.definitions.search(call.base, type, parameters, strict) };
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
    const opened = await (await this.binaries.open(call, id, visible)).load();
    const headers = validatorsOf(1, opened.lastModified);
    return isUnchanged(conditions, 1, opened.lastModified)
      ? { status: 304, body: null, headers }
      : { status: 200, body: toBinary(id, opened), headers };
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

function isRunning(resource: Resource): boolean {
  return resource.resourceType === 'Task' && RUNNING.includes(resource.status);
}
