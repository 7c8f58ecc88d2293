import type { Parameters } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import { readIdempotencyKey } from '../../../platform/http/idempotency-key.js';
import { namedTypeOf } from '../../../platform/http/unread-bodies.js';
import { PresentedAnswer } from '../intake/presented-answer.js';
import { ClientNames } from '../interactions/client-names.js';
import { SubmissionCheck } from '../interactions/submission-check.js';
import type { FhirOperation } from '../operations/fhir-operation.js';
import { levelOf, OperationDirectory, type OperationPlace } from '../operations/operation-directory.js';
import { renderAnswer } from './answer-rendering.js';
import { readSent } from './body-reading.js';
import type { FhirExchange } from './fhir-exchange.js';
import { requireBodyType } from './negotiation.js';

const OF_THE_DOOR = ['_format', '_pretty'];

/** `$name`: finds the operation, reads its input, and leaves the rest to it. */
@Injectable()
export class OperationRoutes {
  constructor(
    private readonly directory: OperationDirectory,
    private readonly check: SubmissionCheck,
    private readonly names: ClientNames,
    private readonly presented: PresentedAnswer,
  ) {}

  async handle(exchange: FhirExchange, place: OperationPlace): Promise<HttpAnswer> {
    const operation = this.directory.find(place);
    if (operation === undefined) throw new SuturaError('route.not_found');
    const { caller, base, requestId, query, form, preferences, conditions, language, request } = exchange;
    if (!operation.permits(caller)) {
      const scopes = [operation.scope].flat();
      throw new SuturaError('auth.scope', {
        detail: `The key lacks the scope "${scopes.join('" or "')}". Use a key that has it.`,
      });
    }
    const input = await this.inputOf(exchange, operation);
    const named =
      operation.takes === 'anything'
        ? { id: place.id, input }
        : await this.names.localised({ caller, base, requestId }, place, input as Parameters);
    const answer = await operation.handle({
      caller,
      base,
      requestId,
      level: levelOf(place),
      type: place.type,
      id: named.id,
      input: named.input,
      query,
      preferences,
      language,
      ifMatch: conditions.ifMatch,
      idempotencyKey: readIdempotencyKey(request.headers['idempotency-key']),
    });
    return renderAnswer(await this.presented.state(caller, answer, language), {
      base,
      form,
      answerWith: null,
      locatedBy: 'content-location',
    });
  }

  private async inputOf(exchange: FhirExchange, { takes }: FhirOperation): Promise<unknown> {
    const body = await bodyOf(exchange);
    if (takes === 'anything') return body;
    return body === undefined
      ? parametersOfQuery(exchange.query)
      : await this.check.valid(exchange.caller, 'Parameters', body);
  }
}

async function bodyOf(exchange: FhirExchange): Promise<unknown> {
  const { method, request } = exchange;
  if (method !== 'POST') return undefined;
  const announced = request.headers['content-length'];
  const isEmpty = (announced === undefined || announced === '0') && request.headers['transfer-encoding'] === undefined;
  if (isEmpty) return undefined;
  requireBodyType(namedTypeOf(request), 'resource');
  return readSent(exchange);
}

function parametersOfQuery(query: URLSearchParams): Parameters {
  const parameter = [...query]
    .filter(([name]) => !OF_THE_DOOR.includes(name))
    .map(([name, valueString]) => ({ name, valueString }));
  return { resourceType: 'Parameters', ...(parameter.length === 0 ? {} : { parameter }) };
}
