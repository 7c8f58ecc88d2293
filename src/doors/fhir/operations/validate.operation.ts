import type { OperationOutcome, OperationOutcomeIssue, Parameters, Resource, ResourceType } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { AuditedCalls } from '../audit/audited-calls.js';
import { isStored, type FhirAnswer } from '../call/fhir-call.js';
import { serviceClaims } from '../interactions/client-claims.js';
import { rowOf } from '../../../standards/fhir/types/served-types.js';
import { ResourceReading } from '../interactions/resource-reading.js';
import { informationOutcome } from '../../../standards/fhir/outcome/operation-outcome.js';
import { ResourceValidator } from '../../../standards/fhir/validation/resource-validator.js';
import type { ResourceIssue } from '../../../standards/fhir/validation/resource-issue.js';
import { error } from '../../../standards/fhir/validation/resource-issue.js';
import { FhirOperation, type OperationLevel, type OperationRequest } from './fhir-operation.js';

const MODES = ['create', 'update', 'delete', 'profile'] as const;
type Mode = (typeof MODES)[number];

/** The resource to validate, and the mode. */
interface ValidationInput {
  readonly resource: unknown;
  readonly mode: Mode | null;
  readonly profile: string | null;
}

/** `$validate` (R4 resource-operation-validate.html): 200 with the findings, good or bad. Nothing is stored. */
@Injectable()
export class ValidateOperation extends FhirOperation {
  readonly name = 'validate';
  readonly levels: readonly OperationLevel[] = ['type', 'instance'];
  readonly types = 'any';
  /** The scopes that read or write resources; stored resources are shown only to keys that may read them. */
  readonly scope = ['analysis:read', 'analysis:write', 'images:write'] as const;
  readonly affectsState = false;
  override readonly takes = 'anything';
  readonly definition = 'http://hl7.org/fhir/OperationDefinition/Resource-validate';

  constructor(
    private readonly validator: ResourceValidator,
    private readonly reading: ResourceReading,
    private readonly calls: AuditedCalls,
  ) {
    super();
  }

  async handle(request: OperationRequest): Promise<FhirAnswer> {
    const asked = readInput(request);
    const resource = asked.resource ?? (request.level === 'instance' ? await this.stored(request) : undefined);
    if (resource === undefined)
      throw new SuturaError('request.invalid', { detail: 'Send the resource, or Parameters with it as "resource".' });
    const issues = await this.issuesOf(resource, asked, request);
    return { status: 200, body: toOutcome(issues) };
  }

  private async issuesOf(
    resource: unknown,
    { mode, profile }: ValidationInput,
    { caller, type, id }: OperationRequest,
  ): Promise<ResourceIssue[]> {
    const stated = (resource as Partial<Resource> | null)?.resourceType;
    if (stated !== type)
      return [error('invalid', type!, `The resourceType is not "${type}", which the address names.`)];
    const { issues } = await this.validator.validateAnyWeight(
      caller.organizationId,
      resource,
      profile === null ? [] : [profile],
    );
    const known = resource as Resource;
    return [
      ...issues,
      ...(mode === 'create' || mode === 'update' ? serviceClaims(known) : []),
      ...modeIssues(known, mode, id),
    ];
  }

  /** On an instance: the stored resource, for keys that may read it. */
  private stored(request: OperationRequest): Promise<Resource> {
    const { type, id } = request;
    return this.calls.run(request, async (call) => {
      const { body } = await this.reading.read(call, type as ResourceType, id!, {});
      const resource = isStored(body) ? body.resource : body!;
      if (rowOf(type!)?.origin !== 'definitions')
        await this.calls.record(call, '$validate', { resources: [resource], references: [`${type}/${id}`] });
      return resource;
    });
  }
}

/** R4 lets the resource come alone, or as a parameter beside others. `request.invalid`. */
function readInput({ input, query }: OperationRequest): ValidationInput {
  const parameters =
    (input as Partial<Resource> | undefined)?.resourceType === 'Parameters'
      ? (input as Parameters).parameter
      : undefined;
  const named = Array.isArray(parameters) ? parameters : [];
  const valueOf = (name: string): string | null => {
    const found = named.find((parameter) => parameter?.name === name);
    return found?.valueCode ?? found?.valueUri ?? found?.valueCanonical ?? found?.valueString ?? query.get(name);
  };
  const mode = valueOf('mode');
  if (mode !== null && !(MODES as readonly string[]).includes(mode))
    throw new SuturaError('request.invalid', {
      errors: [{ pointer: '/query/mode', detail: `must be one of ${MODES.join(', ')}` }],
    });
  const resource: unknown =
    parameters === undefined ? input : named.find((parameter) => parameter?.name === 'resource')?.resource;
  return { resource, mode: mode as Mode | null, profile: valueOf('profile') };
}

function modeIssues(
  { resourceType, id: bodyId }: Resource,
  mode: Mode | null,
  addressId: string | null,
): ResourceIssue[] {
  if (mode === null || mode === 'profile') return [];
  const interactions = rowOf(resourceType)?.interactions ?? [];
  if (mode === 'delete' || !interactions.includes(mode))
    return [error('not-supported', resourceType, `${resourceType} has no interaction "${mode}" on this server.`)];
  if (mode === 'update' && (bodyId === undefined || (addressId !== null && bodyId !== addressId)))
    return [error('invalid', `${resourceType}.id`, 'An update carries the id of its address.')];
  return [];
}

function toOutcome(issues: readonly ResourceIssue[]): OperationOutcome {
  if (issues.length === 0) return informationOutcome('The resource is valid.');
  const issue = issues.map(({ severity, code, details, expression }): OperationOutcomeIssue => ({
    severity,
    code,
    details: { text: details },
    expression: [expression],
  }));
  return { resourceType: 'OperationOutcome', issue: issue as OperationOutcome['issue'] };
}
