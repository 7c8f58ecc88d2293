import { Injectable } from '@nestjs/common';
import type { DiagnosticReport } from '@medplum/fhirtypes';
import { isSuturaError, SuturaError } from '../../../core/errors/sutura-error.js';
import { ReportReviewing } from '../../../core/report/report-reviewing.js';
import type { ReviewRequest } from '../../../core/report/review.js';
import { AuditedCalls } from '../audit/audited-calls.js';
import { digestOf } from '../bundle/body-digest.js';
import type { FhirAnswer, FhirCall } from '../call/fhir-call.js';
import { OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';
import { CANONICAL_BASE } from '../../../standards/fhir/profiles/profile-library.js';
import { ReportProjection } from '../projection/report-projection.js';
import { ResourceStore, type StoredResource } from '../../../standards/fhir/store/resource-store.js';
import { AttestPersons } from './attest-persons.js';
import { isPart, readAttestInput, refusedPart, type AttestInput } from './attest-parameters.js';
import type { ServedType } from '../../../standards/fhir/types/type-table.js';
import { FhirOperation, parametersOf, type OperationLevel, type OperationRequest } from './fhir-operation.js';

const TAG = /^(?:W\/)?"([1-9]\d{0,8})"$/;

/** The version that a first answer gave, as it is kept for a repeat of the request. */
interface AttestedVersion {
  readonly id: string;
  readonly version: number;
}

/**
 * `DiagnosticReport/[id]/$attest`: the native review with R4's words. The decision, all versions that follow from it, and the resources that
 * show them stand in one transaction; the answer is the report as it then is, after a reassignment the one that took its place.
 */
@Injectable()
export class AttestOperation extends FhirOperation {
  readonly name = 'attest';
  readonly levels: readonly OperationLevel[] = ['instance'];
  readonly types: readonly ServedType[] = ['DiagnosticReport'];
  readonly scope = 'analysis:review';
  readonly affectsState = true;
  readonly definition = `${CANONICAL_BASE}OperationDefinition/report-attest`;

  constructor(
    private readonly reviewing: ReportReviewing,
    private readonly projection: ReportProjection,
    private readonly persons: AttestPersons,
    private readonly store: ResourceStore,
    private readonly calls: AuditedCalls,
  ) {
    super();
  }

  async handle(request: OperationRequest): Promise<FhirAnswer> {
    const { idempotencyKey } = request;
    const id = request.id!;
    const parameters = parametersOf(request);
    const input = readAttestInput(parameters);
    const expected = versionOf(request.ifMatch);
    const key =
      idempotencyKey === null
        ? null
        : {
            route: `POST /fhir/DiagnosticReport/${id}/$attest`,
            key: idempotencyKey,
            bodySha256: await digestOf({ expected, parameters }),
          };
    return this.calls.run(request, async (call) => {
      const { answer, replayed } = await this.calls.once(call, key, async () => {
        const { resource, version } = await this.attest(call, id, expected, input);
        return { status: 200, headers: {}, body: { id: resource.id!, version } satisfies AttestedVersion };
      });
      const made = answer.body as AttestedVersion;
      const shown = await this.store.findVersion(call.transaction, 'DiagnosticReport', made.id, made.version);
      if (shown === null) throw new SuturaError('fhir.not_found');
      await this.calls.record(call, '$attest', { resources: [shown.resource], references: [`DiagnosticReport/${id}`] });
      return {
        status: 200,
        body: shown,
        location: `DiagnosticReport/${made.id}/_history/${made.version}`,
        ...(replayed ? { headers: { 'idempotency-replayed': 'true' } } : {}),
      };
    });
  }

  private async attest(
    call: FhirCall,
    id: string,
    expected: number,
    input: AttestInput,
  ): Promise<StoredResource<DiagnosticReport>> {
    const { transaction } = call;
    const report = await this.review(call, id, expected, input);
    // A report without a patient is not in FHIR: there is nothing to attest, and a decision that cannot be shown is not taken.
    const [reviewed, moved] = await this.projection.project(transaction, report.id === id ? [id] : [id, report.id]);
    const shown = report.id === id ? reviewed : moved;
    if (reviewed === null || reviewed === undefined || shown === null || shown === undefined)
      throw new SuturaError('fhir.not_found');
    return shown;
  }

  private async review(
    call: FhirCall,
    id: string,
    expected: number,
    { decision, note, contour, outlines, tissue, ...persons }: AttestInput,
  ): Promise<{ readonly id: string }> {
    const request: ReviewRequest = {
      decision,
      note,
      contour,
      outlines,
      tissue,
      reviewer: await this.persons.reviewer(call, persons.reviewer),
      subject: persons.subject === null ? undefined : await this.persons.subject(call, persons.subject),
      enteredBy: call.caller.person,
    };
    try {
      return await this.reviewing.review(call.transaction, id, expected, request);
    } catch (error) {
      throw inWordsOfParameters(error);
    }
  }
}

/** The version that the decision is about. Versions of the resource and of the report are the same. `fhir.version_conflict`. */
function versionOf(ifMatch: string | undefined): number {
  const version = TAG.exec(ifMatch?.trim() ?? '')?.[1];
  if (version === undefined)
    throw new SuturaError('fhir.version_conflict', {
      detail: 'Send If-Match with the ETag of the DiagnosticReport that the decision is about.',
    });
  return Number(version);
}

/** Refusals of core name the fields of the native review. */
function inWordsOfParameters(error: unknown): unknown {
  if (isSuturaError(error, 'report.not_found')) return new SuturaError('fhir.not_found');
  if (isSuturaError(error, 'report.stale')) return new SuturaError('fhir.version_conflict');
  if (!isSuturaError(error, 'request.invalid') || error instanceof OutcomeError) return error;
  const field = error.facts.errors?.[0];
  const name = field?.pointer.split('/')[1] ?? '';
  return field === undefined || !isPart(name)
    ? error
    : refusedPart(name, `${field.detail.charAt(0).toUpperCase()}${field.detail.slice(1)}.`);
}
