import { Injectable } from '@nestjs/common';
import type { Bundle, Resource } from '@medplum/fhirtypes';
import { IdempotencyService } from '../../core/idempotency/idempotency.service.js';
import type { IdempotencyKey, StoredAnswer } from '../../core/ports/idempotency-ledger.js';
import { UnitOfWork } from '../../core/ports/unit-of-work.js';
import type { Caller } from '../../core/tenancy/api-key.js';
import { FhirAudit } from '../audit/fhir-audit.js';
import { isStored, type FhirAnswer, type FhirCall } from '../interactions/fhir-call.js';
import { ResourceInteractions } from '../interactions/resource-interactions.js';
import { ResourceSearch } from '../search/resource-search.js';
import { digestOf } from './body-digest.js';
import type { BundleEntry } from './bundle-entry.js';
import type { BundleRequest } from './bundle-processor.js';
import type { ShapedBundle } from './bundle-shape.js';
import { toResponseEntry } from './entry-answer.js';
import { readEntry, refuseRepeats } from './read-entry.js';
import { TransactionDraft } from './transaction-draft.js';
import { TransactionRun } from './transaction-run.js';

const ROUTE = 'POST /fhir';

/** All entries or none, in one database transaction. */
@Injectable()
export class TransactionBundle {
  constructor(
    private readonly interactions: ResourceInteractions,
    private readonly searching: ResourceSearch,
    private readonly idempotency: IdempotencyService,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: FhirAudit,
  ) {}

  async process(caller: Caller, request: BundleRequest, shaped: ShapedBundle): Promise<FhirAnswer> {
    const key = request.idempotencyKey === null ? null : { route: ROUTE, key: request.idempotencyKey, bodySha256: await digestOf(request.body) };
    const repeated = key === null ? null : await this.unitOfWork.inTenant(caller, (transaction) => this.idempotency.find(transaction, caller, key));
    if (repeated !== null) return toRepeatedAnswer(repeated);
    const entries = shaped.entries.map((entry, index) => readEntry(entry, index, request.base));
    refuseRepeats(entries);
    const draft = await TransactionDraft.prepare(this.interactions, caller, request.base, entries);
    return this.commit(caller, request, key, draft);
  }

  private async commit(caller: Caller, request: BundleRequest, key: IdempotencyKey | null, draft: TransactionDraft): Promise<FhirAnswer> {
    let run: TransactionRun | null = null;
    let bundle: Bundle | null = null;
    try {
      const done = await this.unitOfWork.inTenant(caller, (transaction) =>
        this.idempotency.run(transaction, caller, key, async () => {
          const call: FhirCall = { transaction, caller, base: request.base, requestId: request.requestId };
          run = new TransactionRun(draft, call, this.interactions, this.searching, request.preferences.strict);
          bundle = await this.answer(call, draft.entries, run, request);
          return { status: 200, headers: {}, body: key === null ? null : withoutResources(bundle) };
        }),
      );
      await draft.discard((write) => run === null || run.isUnused(write));
      return bundle === null ? toRepeatedAnswer(done.answer) : { status: 200, body: bundle };
    } catch (fault) {
      await draft.discard();
      throw fault;
    }
  }

  private async answer(call: FhirCall, entries: readonly BundleEntry[], run: TransactionRun, request: BundleRequest): Promise<Bundle> {
    const answers = await run.run();
    await this.audit.record(call, 'transaction', { resources: answers.flatMap(({ body }) => (body === null ? [] : [shownOf(body)])) });
    const entry = answers.map((answer, at) => toResponseEntry(entries[at]!.method, answer, request.preferences.return, call.caller));
    return { resourceType: 'Bundle', type: 'transaction-response', ...(entry.length === 0 ? {} : { entry }) };
  }
}

function shownOf(body: NonNullable<FhirAnswer['body']>): Resource {
  return isStored(body) ? body.resource : body;
}

/** What is kept to repeat an answer says what became of each entry; the resources themselves are read again by whoever wants them. */
function withoutResources(bundle: Bundle): Bundle {
  return { ...bundle, ...(bundle.entry === undefined ? {} : { entry: bundle.entry.map(({ response }) => ({ response })) }) };
}

function toRepeatedAnswer(stored: StoredAnswer): FhirAnswer {
  return { status: stored.status, body: stored.body as Bundle, headers: { 'idempotency-replayed': 'true' } };
}
