import type { Coding, Meta, Parameters, Resource } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { rowOf, SERVED_TYPES } from '../../../standards/fhir/types/served-types.js';
import type { ServedType } from '../../../standards/fhir/types/type-table.js';
import { AuditedCalls } from '../audit/audited-calls.js';
import { isStored, type FhirAnswer, type FhirCall } from '../call/fhir-call.js';
import { permit } from '../interactions/interaction-check.js';
import { ResourceInteractions } from '../interactions/resource-interactions.js';
import {
  FhirOperation,
  parametersOf,
  refusedParameter,
  type OperationLevel,
  type OperationRequest,
} from './fhir-operation.js';

const DEFINITIONS = 'http://hl7.org/fhir/OperationDefinition/Resource-';
const STORED = SERVED_TYPES.filter((type) => rowOf(type)!.origin === 'store');
/** A Task's meta says nothing of its sender's. */
const MARKED = STORED.filter((type) => rowOf(type)!.interactions.includes('patch') && type !== 'Task');

/** What $meta-add and $meta-delete look at. */
type Marks = Pick<Meta, 'profile' | 'tag' | 'security'>;

/** `[type]/[id]/$meta`: profiles, tags and security labels of one resource. Over many resources nothing keeps count of them. */
@Injectable()
export class MetaOperation extends FhirOperation {
  readonly name = 'meta';
  readonly levels: readonly OperationLevel[] = ['instance'];
  readonly types: readonly ServedType[] = STORED;
  readonly scope = ['analysis:read', 'images:write', 'analysis:write'] as const;
  readonly affectsState = false;
  readonly definition = `${DEFINITIONS}meta`;

  constructor(
    private readonly interactions: ResourceInteractions,
    private readonly calls: AuditedCalls,
  ) {
    super();
  }

  /** By the right to read the type, which the interaction asks for. */
  override permits(_: Caller): boolean {
    return true;
  }

  handle(request: OperationRequest): Promise<FhirAnswer> {
    return this.calls.run(request, async (call) => {
      const answer = await this.interactions.reading.read(call, request.type!, request.id!, {});
      return marked(this.calls, call, '$meta', answer);
    });
  }
}

/**
 * Changes the marks of a resource of a client's by the way of every other change, so that it makes a version: an ETag, a history and whoever polls by
 * `_since` say so (docs/decisions/0104). Marks that are there, or are not, make none.
 */
@Injectable()
abstract class MetaChange extends FhirOperation {
  readonly levels: readonly OperationLevel[] = ['instance'];
  readonly types: readonly ServedType[] = MARKED;
  readonly scope = ['images:write', 'analysis:write'] as const;
  readonly affectsState = true;

  constructor(
    private readonly interactions: ResourceInteractions,
    private readonly calls: AuditedCalls,
  ) {
    super();
  }

  /** By the right to change the type, which the interaction asks for. */
  override permits(_: Caller): boolean {
    return true;
  }

  handle(request: OperationRequest): Promise<FhirAnswer> {
    permit(request.caller, request.type!, 'patch');
    const sent = metaIn(parametersOf(request));
    return this.calls.run(request, async (call) => {
      const change = (resource: Resource): Resource => withMarks(resource, (own) => this.changed(own, sent));
      const { type, id, ifMatch } = request;
      const answer = await this.interactions.changing.mark(call, type!, id!, change, { ifMatch });
      return marked(this.calls, call, `$${this.name}`, answer);
    });
  }

  protected abstract changed(own: Marks, sent: Marks): Marks;
}

/** `[type]/[id]/$meta-add`. */
@Injectable()
export class MetaAddOperation extends MetaChange {
  readonly name = 'meta-add';
  readonly definition = `${DEFINITIONS}meta-add`;

  protected changed(own: Marks, sent: Marks): Marks {
    return {
      profile: [...new Set([...(own.profile ?? []), ...(sent.profile ?? [])])],
      tag: joined(own.tag, sent.tag),
      security: joined(own.security, sent.security),
    };
  }
}

/** `[type]/[id]/$meta-delete`. */
@Injectable()
export class MetaDeleteOperation extends MetaChange {
  readonly name = 'meta-delete';
  readonly definition = `${DEFINITIONS}meta-delete`;

  protected changed(own: Marks, sent: Marks): Marks {
    return {
      profile: (own.profile ?? []).filter((url) => sent.profile?.includes(url) !== true),
      tag: without(own.tag, sent.tag),
      security: without(own.security, sent.security),
    };
  }
}

/** `request.invalid` without exactly one Meta. */
function metaIn({ parameter = [] }: Parameters): Marks {
  const [sent, another] = parameter.filter(({ name }) => name === 'meta');
  if (sent?.valueMeta === undefined || another !== undefined)
    throw refusedParameter('meta', 'Name the marks once, as valueMeta with profile, tag or security.');
  return sent.valueMeta;
}

function withMarks(resource: Resource, change: (own: Marks) => Marks): Resource {
  const { profile: _profile, tag: _tag, security: _security, ...rest } = resource.meta ?? {};
  const changed = change(resource.meta ?? {});
  const kept = Object.entries(changed).filter(([, list]) => list.length > 0);
  return { ...resource, meta: { ...rest, ...Object.fromEntries(kept) } };
}

/** Codings are the same by system and code. */
function joined(own: readonly Coding[] = [], sent: readonly Coding[] = []): Coding[] {
  return [...own, ...without(sent, own)];
}

function without(own: readonly Coding[] = [], gone: readonly Coding[] = []): Coding[] {
  return own.filter((one) => !gone.some(({ system, code }) => system === one.system && code === one.code));
}

async function marked(
  calls: AuditedCalls,
  call: FhirCall,
  operation: `$${string}`,
  { body }: FhirAnswer,
): Promise<FhirAnswer> {
  const resource = isStored(body) ? body.resource : (body as Resource);
  await calls.record(call, operation, { resources: [resource] });
  return {
    status: 200,
    body: { resourceType: 'Parameters', parameter: [{ name: 'return', valueMeta: resource.meta ?? {} }] },
  };
}
