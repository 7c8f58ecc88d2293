import { Injectable } from '@nestjs/common';
import type { Parameters, ParametersParameter } from '@medplum/fhirtypes';
import { PatientErasure, type ErasureAsker } from '../../../core/erasure/patient-erasure.js';
import {
  PatientErasureRepository,
  type PatientErasureRecord,
} from '../../../core/erasure/patient-erasure.repository.js';
import type { ErasedRows } from '../../../core/erasure/patient-record.js';
import { ERROR_CATALOGUE } from '../../../core/errors/catalogue.js';
import { tenantOf } from '../../../core/tenancy/tenant.js';
import type { FhirAnswer } from '../call/fhir-call.js';
import { OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';
import { CANONICAL_BASE } from '../../../standards/fhir/profiles/profile-library.js';
import type { ServedType } from '../../../standards/fhir/types/type-table.js';
import { FhirOperation, parametersOf, type OperationLevel, type OperationRequest } from './fhir-operation.js';

const DRY_RUN = 'dryRun';

/**
 * `Patient/[id]/$erase`: core's erasure with R4's words, only where the installation offers it (`FHIR_ERASE`). 200 with what went and the seal of the
 * audit trail, or 202 with what it waits for. `patient.not_found`, `patient.on_hold`, `patient.in_use`; `hl7.sealed` of a dry run.
 */
@Injectable()
export class EraseOperation extends FhirOperation {
  readonly name = 'erase';
  readonly levels: readonly OperationLevel[] = ['instance'];
  readonly types: readonly ServedType[] = ['Patient'];
  readonly scope = 'patients:erase';
  readonly affectsState = true;
  readonly definition = `${CANONICAL_BASE}OperationDefinition/patient-erase`;

  constructor(
    private readonly erasure: PatientErasure,
    private readonly erasures: PatientErasureRepository,
  ) {
    super();
  }

  async handle(request: OperationRequest): Promise<FhirAnswer> {
    const { caller } = request;
    const asker: ErasureAsker = {
      door: 'fhir',
      name: caller.keyId,
      ...(caller.origin === undefined ? {} : { origin: caller.origin }),
      ...(caller.person === undefined ? {} : { person: caller.person }),
    };
    const wanted = { tenant: tenantOf(caller), patient: request.id!, isId: true };
    if (readDryRun(parametersOf(request))) {
      const { patientId, counts, leftMessages } = await this.erasure.preview(asker, wanted);
      return {
        status: 200,
        body: answerOf({ state: 'dry_run', patientId }, [...removed(counts), ...left(leftMessages)]),
      };
    }
    const record = await this.erasure.erase(asker, wanted);
    const { id, state, patientId, counts, leftMessages } = record;
    const parts = [
      { name: 'erasure', valueId: id },
      ...removed(counts),
      ...left(leftMessages),
      ...waits(record),
      ...(await this.sealOf(record)),
    ];
    return { status: state === 'done' ? 200 : 202, body: answerOf({ state, patientId }, parts) };
  }

  private async sealOf(record: PatientErasureRecord): Promise<ParametersParameter[]> {
    const seal = await this.erasures.sealOf(record.id);
    if (seal === null) return [];
    const { auditId, number, hash } = seal;
    const part = [
      { name: 'number', valueInteger: number },
      { name: 'hash', valueString: hash },
      { name: 'auditEvent', valueString: auditId },
    ];
    return [{ name: 'seal', part }];
  }
}

/** False where it is not there. `request.invalid` for anything else: what cannot be undone is not done for a word that was not understood. */
function readDryRun({ parameter = [] }: Parameters): boolean {
  const unknown = parameter.find(({ name }) => name !== DRY_RUN);
  if (unknown !== undefined || parameter.length > 1)
    throw refused('It has one parameter, dryRun, once. Nothing was removed.');
  const [only] = parameter;
  if (only === undefined) return false;
  const { valueBoolean, valueString } = only;
  if (valueBoolean !== undefined) return valueBoolean;
  if (valueString === 'true' || valueString === 'false') return valueString === 'true';
  throw refused('dryRun is a boolean: true or false. Nothing was removed.');
}

function refused(details: string): OutcomeError {
  return new OutcomeError('request.invalid', [
    { severity: 'error', code: 'value', expression: 'Parameters.parameter', details },
  ]);
}

function answerOf(
  { state, patientId }: { readonly state: string; readonly patientId: string },
  parts: readonly ParametersParameter[],
): Parameters {
  return {
    resourceType: 'Parameters',
    parameter: [
      { name: 'state', valueCode: state.replace('_', '-') },
      { name: 'pseudonym', valueId: patientId },
      ...parts,
    ],
  };
}

function removed(counts: readonly ErasedRows[]): ParametersParameter[] {
  return counts.map(({ what, rows, bytes }) => ({
    name: 'removed',
    part: [
      { name: 'what', valueString: what },
      { name: 'rows', valueDecimal: rows },
      { name: 'bytes', valueDecimal: bytes },
    ],
  }));
}

function left(messages: readonly string[]): ParametersParameter[] {
  return messages.map((id) => ({ name: 'leftMessage', valueId: id }));
}

function waits({ waitsFor }: PatientErasureRecord): ParametersParameter[] {
  if (waitsFor === null) return [];
  const part = [
    { name: 'code', valueCode: waitsFor.replaceAll('.', '-') },
    { name: 'advice', valueString: ERROR_CATALOGUE[waitsFor].advice },
  ];
  return [{ name: 'waitsFor', part }];
}
