import type { Resource } from '@medplum/fhirtypes';
import { isPrimitiveType, tryGetDataType, type InternalTypeSchema } from '../../definitions/medplum-core.js';
import { walkOf, within, type Members, type Walk } from '../check.js';
import { elementsOf } from '../../types/elements.js';
import { error, type ResourceIssue } from '../resource-issue.js';
import { typedMembers, type TypedMember } from '../typed-members.js';
import { schemaOf, type Demands } from './demands.js';
import type { Demand } from './demand.js';

/**
 * What a resource does not meet of `Demands`, with the places. Values of a wrong structure are passed over: `structure-check.ts` names
 * them. The types of the resources within are known to Medplum by then.
 */
export function checkDemands(resource: Resource, demands: Demands): ResourceIssue[] {
  return new DemandWalk(resource, demands).issues();
}

class DemandWalk {
  private readonly found: ResourceIssue[] = [];
  private readonly walk: Walk;
  private ids = new Set<unknown>();

  constructor(
    private readonly resource: Resource,
    private readonly demands: Demands,
  ) {
    this.walk = walkOf(resource);
  }

  issues(): ResourceIssue[] {
    this.lookAtResource(this.resource, this.resource.resourceType);
    return this.found;
  }

  private lookAtResource(resource: Resource, path: string): void {
    const schema = tryGetDataType(resource.resourceType);
    if (schema === undefined) return;
    const around = this.ids;
    this.ids = new Set();
    this.ask(this.demands.ofResource(schema), resource, path);
    this.lookInto(elementsOf(resource), schema, path);
    this.ids = around;
  }

  private lookInto(value: Members, schema: InternalTypeSchema, path: string): void {
    const members = typedMembers(schema);
    for (const key of Object.keys(value)) {
      const isExtended = key.startsWith('_');
      const member = members.get(isExtended ? key.slice(1) : key);
      if (member === undefined || (isExtended && !isPrimitiveType(member.type))) continue;
      const place = `${path}.${member.name}`;
      if (isExtended) this.lookAtExtended(value[key], value[key.slice(1)], member, schema, place);
      else this.lookAtMember(value[key], member, schema, place);
    }
  }

  private lookAtMember(value: unknown, member: TypedMember, schema: InternalTypeSchema, path: string): void {
    if (Array.isArray(value))
      value.forEach((each: unknown, index) => this.lookAtValue(each, member, schema, `${path}[${index}]`));
    else this.lookAtValue(value, member, schema, path);
  }

  private lookAtValue(value: unknown, member: TypedMember, schema: InternalTypeSchema, path: string): void {
    const { element, type, name } = member;
    if (value === null || (typeof value === 'object') === isPrimitiveType(type)) return;
    this.ask(this.demands.ofElement(element, type, schema), value, path);
    if (typeof value !== 'object') return;
    const inner = type === 'Resource' ? undefined : schemaOf(type, schema);
    if (type === 'Resource' || inner?.kind === 'resource')
      within(this.walk, value as Resource, name === 'contained', () => this.lookAtResource(value as Resource, path));
    else if (inner !== undefined) {
      this.noteId((value as Members)['id'], path);
      this.lookInto(value as Members, inner, path);
    }
  }

  /** What stands under `_name`: extensions and ids of primitive values, which may have no value (ele-1). */
  private lookAtExtended(
    extended: unknown,
    values: unknown,
    member: TypedMember,
    schema: InternalTypeSchema,
    path: string,
  ): void {
    if (Array.isArray(extended)) {
      const beside: unknown[] = Array.isArray(values) ? values : [];
      extended.forEach((each: unknown, index) =>
        this.lookAtExtended(each, beside[index], member, schema, `${path}[${index}]`),
      );
      return;
    }
    if (typeof extended !== 'object' || extended === null) return;
    this.noteId((extended as Members)['id'], path);
    if (values === undefined || values === null) this.ask(this.demands.ofExtendedAlone(member.element), extended, path);
    this.lookInto(extended as Members, tryGetDataType('Element')!, path);
  }

  private noteId(id: unknown, path: string): void {
    // A definition has the ids of its elements in the snapshot and in the differential (sdf-16, sdf-17).
    if (id === undefined || this.walk.resource.resourceType === 'StructureDefinition') return;
    if (this.ids.has(id)) this.found.push(error('value', `${path}.id`, 'An id is that of one element of a resource.'));
    this.ids.add(id);
  }

  private ask(demands: readonly Demand[], value: unknown, path: string): void {
    for (const { check, code, details, member, isAdvice = false } of demands) {
      const place = member === undefined ? path : `${path}.${member}`;
      const answer = this.answerOf(check, value);
      if (answer === false)
        this.found.push({ ...error(code, place, details), severity: isAdvice ? 'warning' : 'error' });
      if (answer === null)
        this.found.push(error('processing', place, 'A rule could not be evaluated on this resource.'));
    }
  }

  /** null: the check cannot deal with the value. */
  private answerOf(check: Demand['check'], value: unknown): boolean | null {
    try {
      return check(value, this.walk, 0);
    } catch {
      return null;
    }
  }
}
