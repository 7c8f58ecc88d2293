import type { Identifier, OperationOutcome, Parameters, ParametersParameter, Patient } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { AuditedCalls } from '../audit/audited-calls.js';
import type { FhirAnswer, FhirCall } from '../call/fhir-call.js';
import { KnownPatients } from '../interactions/known-patients.js';
import { PatientMerging, type WantedMerge } from '../interactions/patient-merging.js';
import { targetOf, withRelativeReferences } from '../interactions/reference-walk.js';
import { ResourceStore } from '../../../standards/fhir/store/resource-store.js';
import { CANONICAL_BASE } from '../../../standards/fhir/profiles/profile-library.js';
import type { ServedType } from '../../../standards/fhir/types/type-table.js';
import {
  FhirOperation,
  parametersOf,
  refusedParameter,
  type OperationLevel,
  type OperationRequest,
} from './fhir-operation.js';

type Side = 'source' | 'target';
const NAMES = ['source', 'target'].flatMap((side) => [`${side}-patient`, `${side}-patient-identifier`]);
const KNOWN = [...NAMES, 'result-patient', 'preview'];

/** Takes the transaction back once its outcome is known. */
class Previewed extends Error {
  constructor(readonly answer: FhirAnswer) {
    super('A merge that was only asked about.');
  }
}

/**
 * `Patient/$merge`, as R5 has it: the source ends, and everything of it is the target's (ADT^A40). A repeat answers the same and changes nothing; a
 * preview changes nothing either. `fhir.reference` for an unknown patient, `fhir.business_rule` as PatientMerging.
 */
@Injectable()
export class MergeOperation extends FhirOperation {
  readonly name = 'merge';
  readonly levels: readonly OperationLevel[] = ['type'];
  readonly types: readonly ServedType[] = ['Patient'];
  readonly scope = 'analysis:review';
  readonly affectsState = true;
  readonly definition = `${CANONICAL_BASE}OperationDefinition/patient-merge`;

  constructor(
    private readonly merging: PatientMerging,
    private readonly patients: KnownPatients,
    private readonly store: ResourceStore,
    private readonly calls: AuditedCalls,
  ) {
    super();
  }

  async handle(request: OperationRequest): Promise<FhirAnswer> {
    const input = withRelativeReferences<Parameters>(parametersOf(request), request.base);
    const isPreview = readPreview(input);
    try {
      return await this.calls.run(request, async (call) => {
        const wanted = {
          priorId: await this.patientAt(call, input, 'source'),
          survivorId: await this.patientAt(call, input, 'target'),
        };
        const answer = await this.merge(call, input, wanted);
        if (isPreview) throw new Previewed(answer);
        return answer;
      });
    } catch (thrown) {
      if (thrown instanceof Previewed) return thrown.answer;
      throw thrown;
    }
  }

  private async merge(call: FhirCall, input: Parameters, wanted: WantedMerge): Promise<FhirAnswer> {
    await this.merging.require(call, wanted, 'Parameters.parameter');
    const references = await this.merging.merge(call, wanted);
    const result = await this.store.find<Patient>(call.transaction, 'Patient', wanted.survivorId);
    if (result === null) throw new SuturaError('fhir.not_found');
    await this.calls.record(call, '$merge', {
      resources: [result.resource],
      references: [`Patient/${wanted.priorId}`, ...references],
    });
    const outcome: OperationOutcome = {
      resourceType: 'OperationOutcome',
      issue: [
        {
          severity: 'information',
          code: 'informational',
          details: { text: references.length === 0 ? 'The records are one already.' : 'The records are one now.' },
        },
      ],
    };
    const body: Parameters = {
      resourceType: 'Parameters',
      parameter: [
        { name: 'input', resource: input },
        { name: 'outcome', resource: outcome },
        { name: 'result', resource: result.resource },
      ],
    };
    return { status: 200, body };
  }

  /** By reference, by identifiers of one patient, or by both where they agree. */
  private async patientAt(call: FhirCall, { parameter = [] }: Parameters, side: Side): Promise<string> {
    const references = parameter.filter(({ name }) => name === `${side}-patient`);
    const identifiers = parameter.filter(({ name }) => name === `${side}-patient-identifier`);
    if (references.length > 1 || references.length + identifiers.length === 0)
      throw refusedParameter(`${side}-patient`, `Name the ${side} by one reference, or by its identifiers.`);
    const ids = new Set<string>();
    for (const { valueReference, valueString } of references)
      ids.add(await this.referenced(call, valueReference?.reference ?? valueString ?? '', side));
    for (const { valueIdentifier } of identifiers) ids.add(await this.identified(call, valueIdentifier, side));
    const [id, another] = ids;
    if (another !== undefined)
      throw refusedParameter(`${side}-patient-identifier`, 'Reference and identifiers are different patients’.');
    return id!;
  }

  private async referenced(call: FhirCall, reference: string, side: Side): Promise<string> {
    const target = targetOf(reference);
    const stored = target?.type === 'Patient' ? await this.store.find(call.transaction, 'Patient', target.id) : null;
    if (stored === null) throw refusedParameter(`${side}-patient`, 'The reference names no Patient of this server.');
    return stored.resource.id!;
  }

  private async identified(call: FhirCall, identifier: Identifier | undefined, side: Side): Promise<string> {
    const { system = '', value = '' } = identifier ?? {};
    const [id] = value === '' ? [] : await this.patients.withAny(call.transaction, [{ system, value }]);
    if (id === undefined) throw refusedParameter(`${side}-patient-identifier`, 'No patient has this identifier.');
    await this.patients.show(call.transaction, [id]);
    return id;
  }
}

function readPreview({ parameter = [] }: Parameters): boolean {
  const unknown = parameter.find(({ name }) => !KNOWN.includes(name ?? ''));
  if (unknown !== undefined)
    throw refusedParameter(unknown.name ?? '', `The parameters are ${NAMES.join(', ')} and preview.`);
  if (parameter.some(({ name }) => name === 'result-patient'))
    throw refusedParameter('result-patient', 'The target stays as it is kept. Update it by itself, before or after.');
  const [preview] = parameter.filter(({ name }) => name === 'preview');
  return isTrue(preview);
}

function isTrue(parameter: ParametersParameter | undefined): boolean {
  const { valueBoolean, valueString } = parameter ?? {};
  if (parameter === undefined || valueBoolean === false || valueString === 'false') return false;
  if (valueBoolean === true || valueString === 'true') return true;
  throw refusedParameter('preview', 'preview is a boolean: true or false. Nothing was merged.');
}
