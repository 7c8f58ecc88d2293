import { Injectable } from '@nestjs/common';
import type { Bundle, Resource } from '@medplum/fhirtypes';
import type { IdempotencyKey, StoredAnswer } from '../../../core/idempotency/idempotency-ledger.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { AuditedCalls } from '../audit/audited-calls.js';
import { isStored, type FhirAnswer, type FhirCall } from '../call/fhir-call.js';
import { HeldBundles } from './held-bundles.js';
import { digestOf } from './body-digest.js';
import type { BundleRequest } from './bundle-shape.js';
import type { ShapedBundle } from './bundle-shape.js';
import { toResponseEntry } from './entry-answer.js';
import { TransactionPerformer, type PerformedEntry } from './transaction-performer.js';

const ROUTE = 'POST /fhir';

/** All entries or none, in one database transaction; with an Idempotency-Key once. */
@Injectable()
export class TransactionBundle {
  constructor(
    private readonly performer: TransactionPerformer,
    private readonly calls: AuditedCalls,
    private readonly held: HeldBundles,
  ) {}

  async process(caller: Caller, request: BundleRequest, shaped: ShapedBundle): Promise<FhirAnswer> {
    const key =
      request.idempotencyKey === null
        ? null
        : { route: ROUTE, key: request.idempotencyKey, bodySha256: await digestOf(request.body) };
    const repeated = await this.calls.answered(caller, key);
    if (repeated !== null) return toRepeatedAnswer(repeated);
    const done = await this.held.orHold(caller, request.body, () => this.perform(caller, request, shaped, key));
    return 'resourceType' in done ? { status: 200, body: done } : done;
  }

  private async perform(
    caller: Caller,
    request: BundleRequest,
    shaped: ShapedBundle,
    key: IdempotencyKey | null,
  ): Promise<FhirAnswer> {
    const { base, requestId, preferences } = request;
    let bundle: Bundle | null = null;
    const done = await this.performer.perform(
      caller,
      { base, requestId, strict: preferences.strict },
      shaped,
      (call, run) =>
        this.calls.once(call, key, async () => {
          bundle = await this.answer(call, await run(), request);
          return { status: 200, headers: {}, body: key === null ? null : withoutResources(bundle) };
        }),
    );
    return bundle === null ? toRepeatedAnswer(done.answer) : { status: 200, body: bundle };
  }

  private async answer(call: FhirCall, performed: readonly PerformedEntry[], request: BundleRequest): Promise<Bundle> {
    await this.calls.record(call, 'transaction', { resources: performed.flatMap(({ answer }) => shownBy(answer)) });
    const entry = performed.map(({ entry: asked, answer }) =>
      toResponseEntry(asked, answer, request.preferences.return, call.caller),
    );
    return { resourceType: 'Bundle', type: 'transaction-response', ...(entry.length === 0 ? {} : { entry }) };
  }
}

/** The resource of an answer, for the audit trail. */
export function shownBy({ body, gone }: FhirAnswer): Resource[] {
  const shown = body === null ? [] : [isStored(body) ? body.resource : body];
  return gone === undefined ? shown : [...shown, gone];
}

/** The stored answer, for a repeat, gives the outcome of each entry without its resource; a client that wants the resources reads them. */
function withoutResources(bundle: Bundle): Bundle {
  return {
    ...bundle,
    ...(bundle.entry === undefined ? {} : { entry: bundle.entry.map(({ response }) => ({ response })) }),
  };
}

function toRepeatedAnswer(stored: StoredAnswer): FhirAnswer {
  return { status: stored.status, body: stored.body as Bundle, headers: { 'idempotency-replayed': 'true' } };
}
