import type { Media, Parameters, Task } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { AnalysisService } from '../../../core/analysis/analysis.service.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { AuditedCalls } from '../audit/audited-calls.js';
import { digestOf } from '../bundle/body-digest.js';
import { AnalysisTasks } from '../intake/analysis-tasks.js';
import { idOf } from '../intake/local-reference.js';
import { OrderMatching } from '../intake/order-matching.js';
import { notFound, notPossible } from '../../../standards/fhir/outcome/outcome-error.js';
import type { FhirAnswer, FhirCall } from '../call/fhir-call.js';
import { withRelativeReferences } from '../interactions/reference-walk.js';
import { ResourceWriting, type Submission } from '../interactions/resource-writing.js';
import { CANONICAL_BASE } from '../../../standards/fhir/profiles/profile-library.js';
import type { ServedType } from '../../../standards/fhir/types/type-table.js';
import { FhirOperation, parametersOf, type OperationLevel, type OperationRequest } from './fhir-operation.js';

/** The input, from the Parameters or the address. */
interface AnalyzeInput {
  /** null: the photo comes with the request. */
  readonly mediaId: string | null;
  readonly image: Media | null;
  readonly clinicalContext: string | undefined;
  readonly woundId: string | null;
}

interface AskedTask {
  readonly taskId: string;
}

const KNOWN = ['media', 'image', 'clinicalContext', 'wound'];

/**
 * `Media/[id]/$analyze` and `Media/$analyze`: one analysis of a photo, charged like any other, with its Task as the answer. A photo that comes with
 * the request is kept, its Task is made and the analysis charged in one transaction. While an earlier request for the photo still waits, its Task is the answer.
 */
@Injectable()
export class AnalyzeOperation extends FhirOperation {
  readonly name = 'analyze';
  readonly levels: readonly OperationLevel[] = ['type', 'instance'];
  readonly types: readonly ServedType[] = ['Media'];
  readonly scope = 'analysis:write';
  readonly affectsState = true;
  readonly definition = `${CANONICAL_BASE}OperationDefinition/media-analyze`;

  constructor(
    private readonly writing: ResourceWriting,
    private readonly analysis: AnalysisService,
    private readonly orders: OrderMatching,
    private readonly tasks: AnalysisTasks,
    private readonly calls: AuditedCalls,
  ) {
    super();
  }

  async handle(request: OperationRequest): Promise<FhirAnswer> {
    const { caller, idempotencyKey, id } = request;
    const input = readInput(request);
    const key =
      idempotencyKey === null
        ? null
        : {
            route: 'POST /fhir/Media/$analyze',
            key: idempotencyKey,
            bodySha256: await digestOf({ id, parameters: request.input }),
          };
    if (input.mediaId !== null) await this.analysis.prepare(caller, input.mediaId);
    const submission = input.image === null ? null : await this.writing.submit(caller, 'Media', input.image);
    let kept = false;
    try {
      return await this.calls.run(request, async (call) => {
        const { answer, replayed } = await this.calls.once(call, key, async () => {
          const task = await this.ask(call, input, submission);
          return { status: 200, headers: {}, body: { taskId: task.id! } satisfies AskedTask };
        });
        kept = !replayed;
        return this.answer(call, (answer.body as AskedTask).taskId, request.preferences.respondAsync, replayed);
      });
    } catch (fault) {
      kept = false;
      throw fault;
    } finally {
      if (!kept) await submission?.prepared.discard?.();
    }
  }

  private async ask(call: FhirCall, input: AnalyzeInput, submission: Submission | null): Promise<Task> {
    const mediaId = input.mediaId ?? (await this.keep(call, submission!));
    const photo = await this.orders.photoAt(call, { reference: `Media/${mediaId}` });
    if (photo === null) throw new SuturaError('fhir.not_found');
    const { clinicalContext, woundId } = input;
    return (
      await this.orders.analyze(call, { photo, order: null, clinicalContext, woundId }, { fresh: submission !== null })
    ).resource;
  }

  /** The photo as one that was posted. Where it names an order, or the organization analyses every photo, its Task is there then. */
  private async keep(call: FhirCall, submission: Submission): Promise<string> {
    const id = await this.writing.assignId(call, submission);
    const stored = await this.writing.create(call, submission, id);
    await this.writing.settle(call, [stored]);
    return id;
  }

  private async answer(call: FhirCall, taskId: string, respondAsync: boolean, replayed: boolean): Promise<FhirAnswer> {
    const stored = await this.tasks.find(call, taskId);
    if (stored === null) throw new SuturaError('fhir.not_found');
    await this.calls.record(call, '$analyze', { resources: [stored.resource] });
    const headers = {
      'content-location': `${call.base}/Task/${taskId}`,
      ...(replayed ? { 'idempotency-replayed': 'true' } : {}),
    };
    return respondAsync ? { status: 202, body: null, headers } : { status: 200, body: stored, headers };
  }
}

/** `fhir.business_rule` for parameters that are missing, unknown, or contradict the address. */
function readInput(request: OperationRequest): AnalyzeInput {
  const { parameter = [] } = withRelativeReferences<Parameters>(parametersOf(request), request.base);
  const unknown = parameter.find(({ name }) => !KNOWN.includes(name ?? ''));
  if (unknown !== undefined)
    throw notPossible('Parameters.parameter', 'The parameters are media, image, clinicalContext and wound.');
  const of = (name: string) => parameter.find((one) => one.name === name);
  const image = (of('image')?.resource ?? null) as Media | null;
  const named = of('media') === undefined ? null : idOf(of('media')?.valueReference, 'Media');
  if (of('media') !== undefined && named === null)
    throw notFound('Parameters.parameter', 'The parameter media is a reference to a Media of this server.');
  const mediaId = request.id ?? named;
  if ((mediaId === null) === (image === null) || (request.id !== null && named !== null && named !== request.id))
    throw notPossible('Parameters.parameter', 'Name one photo: by the address, by media, or as image.');
  const woundId = of('wound') === undefined ? null : idOf(of('wound')?.valueReference, 'BodyStructure');
  if (of('wound') !== undefined && woundId === null)
    throw notFound('Parameters.parameter', 'The parameter wound is a reference to a BodyStructure of this server.');
  return { mediaId, image, clinicalContext: of('clinicalContext')?.valueString, woundId };
}
