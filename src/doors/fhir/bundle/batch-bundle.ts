import { Injectable } from '@nestjs/common';
import type { BundleEntry as ResponseEntry, Resource } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { IdempotencyKey } from '../../../core/idempotency/idempotency-ledger.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { Logger } from '../../../platform/logging/logger.js';
import { AuditedCalls } from '../audit/audited-calls.js';
import type { AuditedInteraction, Touched } from '../audit/fhir-audit.js';
import { isStored, type FhirAnswer, type FhirCall } from '../call/fhir-call.js';
import { rowOf } from '../../../standards/fhir/types/served-types.js';
import { performCreate } from '../interactions/perform-create.js';
import type { PutRequest } from '../interactions/put-request.js';
import { performPut } from '../interactions/perform-put.js';
import { ResourceInteractions } from '../interactions/resource-interactions.js';
import { OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';
import { AnswerBudget } from './answer-budget.js';
import { inBatchOrder } from './batch-order.js';
import { digestOf } from './body-digest.js';
import type { BundleEntry } from './bundle-entry.js';
import type { BundleRequest } from './bundle-shape.js';
import type { ShapedBundle } from './bundle-shape.js';
import { toRefusedEntry, toResponseEntry } from './entry-answer.js';
import { answerDelete, answerPatch, answerRead, readPatch } from './entry-interaction.js';
import { criteriaOf, EntryLinks } from './entry-links.js';
import { atEntry } from './entry-fault.js';
import { HeldBundles, putBundle } from './held-bundles.js';
import { findLinks } from './find-links.js';
import { yieldBetween } from './yield-between.js';
import { choiceOf, putRequestOf, readEntry } from './read-entry.js';
import { skippedAnswer, UnservedEntries } from './unsupported-entries.js';

/** The key of a batch is the key of each of its writing entries: a repeat of an interrupted batch performs the rest. */
const ROUTE = 'POST /fhir batch';
/** Each entry takes a database connection; one batch leaves most of them to others. */
const PROCESSED_AT_ONCE = 2;

/** Entries of a batch that can be read, and those that are refused before anything is done. */
type ReadEntry = { readonly entry: BundleEntry } | { readonly refusal: unknown };

/** Independent entries, each with its own transaction and its own status. */
@Injectable()
export class BatchBundle {
  constructor(
    private readonly interactions: ResourceInteractions,
    private readonly unserved: UnservedEntries,
    private readonly calls: AuditedCalls,
    private readonly held: HeldBundles,
    private readonly logger: Logger,
  ) {}

  async process(caller: Caller, request: BundleRequest, shaped: ShapedBundle): Promise<FhirAnswer> {
    const aside = await this.unserved.skipUnsupported(caller, shaped, request.base);
    const read = shaped.entries.map((entry, index) => readOne(entry, index, request.base, aside));
    // A resource that an entry changes has its address already, and may be referred to by it.
    const created = read.flatMap((one) =>
      'entry' in one && one.entry.method === 'POST' && one.entry.skipped === undefined ? [one.entry] : [],
    );
    const links = new EntryLinks(created, request.base);
    const run = new BatchRun(this.interactions, this.calls, this.held, { caller, request, links });
    const answers = new Map<ReadEntry, ResponseEntry>();
    for (const group of groupsOf(read, request.base))
      await yieldBetween(group, PROCESSED_AT_ONCE, async (one) =>
        answers.set(one, await this.answerOne(one, run, request)),
      );
    const entry = read.map((one) => answers.get(one)!);
    return {
      status: 200,
      body: { resourceType: 'Bundle', type: 'batch-response', ...(entry.length === 0 ? {} : { entry }) },
    };
  }

  /** Never rejects: a fault of one entry becomes that entry's status. */
  private async answerOne(one: ReadEntry, run: BatchRun, request: BundleRequest): Promise<ResponseEntry> {
    try {
      if ('refusal' in one) throw one.refusal;
      return await run.answer(one.entry);
    } catch (thrown) {
      const fault = thrown instanceof SuturaError ? thrown : new SuturaError('service.internal');
      if (fault.kind === 'internal')
        this.logger.error('fhir.batch_entry_failed', { requestId: request.requestId }, thrown);
      return toRefusedEntry(fault, request.requestId);
    }
  }
}

function readOne(
  entry: ShapedBundle['entries'][number],
  index: number,
  base: string,
  aside: ReadonlyMap<number, BundleEntry>,
): ReadEntry {
  try {
    return { entry: aside.get(index) ?? readEntry(entry, index, base) };
  } catch (refusal) {
    return { refusal };
  }
}

/** Refused ones first: they wait for nothing. */
function groupsOf(read: readonly ReadEntry[], base: string): readonly (readonly ReadEntry[])[] {
  const byEntry = new Map(read.flatMap((one) => ('entry' in one ? [[one.entry, one] as const] : [])));
  const groups = inBatchOrder([...byEntry.keys()], base).map((group) => group.map((entry) => byEntry.get(entry)!));
  return [read.filter((one) => 'refusal' in one), ...groups];
}

/** A batch, and who asks for it. */
interface AskedBatch {
  readonly caller: Caller;
  readonly request: BundleRequest;
  readonly links: EntryLinks;
}

/** The entries of one batch. */
class BatchRun {
  private readonly budget = new AnswerBudget();
  private readonly caller: Caller;
  private readonly request: BundleRequest;
  private readonly links: EntryLinks;

  constructor(
    private readonly interactions: ResourceInteractions,
    private readonly calls: AuditedCalls,
    private readonly held: HeldBundles,
    { caller, request, links }: AskedBatch,
  ) {
    this.caller = caller;
    this.request = request;
    this.links = links;
  }

  async answer(entry: BundleEntry): Promise<ResponseEntry> {
    if (entry.skipped !== undefined)
      return toResponseEntry(entry, skippedAnswer(entry), this.request.preferences.return, this.caller);
    try {
      if (entry.method === 'POST') return await this.create(entry);
      if (entry.method === 'PUT') return await this.put(entry);
      if (entry.method === 'PATCH') return await this.patch(entry);
      const reads = entry.method === 'GET' || entry.method === 'HEAD';
      return await this.commit(entry, reads ? null : await this.keyOf(entry), async (call) =>
        reads
          ? this.budget.read(() => answerRead(this.interactions, call, entry, this.request.preferences.strict))
          : this.deleted(call, entry),
      );
    } catch (thrown) {
      throw atEntry(thrown, entry.index);
    }
  }

  private async deleted(call: FhirCall, entry: BundleEntry): Promise<FhirAnswer> {
    const answer = await answerDelete(this.interactions, call, entry);
    await this.interactions.deleting.refuseReferred(call, [answer]);
    return answer;
  }

  private async create(entry: BundleEntry): Promise<ResponseEntry> {
    const key = await this.keyOf(entry);
    const repeated = await this.calls.answered(this.caller, key);
    if (repeated !== null) return repeated.body as ResponseEntry;
    const submission = await this.interactions.writing.submit(this.caller, entry.target.type, entry.resource);
    let created = false;
    try {
      this.refuseLinks(entry, submission.resource);
      return await this.commit(entry, key, async (call) => {
        const answer = await performCreate(this.interactions, call, submission, entry.conditions.ifNoneExist);
        created = answer.status === 201;
        return answer;
      });
    } catch (fault) {
      created = false;
      throw fault;
    } finally {
      if (!created) await submission.prepared.discard?.();
    }
  }

  private async put(entry: BundleEntry): Promise<ResponseEntry> {
    const key = await this.keyOf(entry);
    this.refuseLinks(entry, await this.interactions.changing.valid(this.caller, entry.target.type, entry.resource));
    const put = putRequestOf(entry);
    const done = await this.held.orHold(this.caller, putBundle(put), () => this.putNow(entry, put, key));
    return 'resourceType' in done ? done.entry![0]! : done;
  }

  private async patch(entry: BundleEntry): Promise<ResponseEntry> {
    const key = await this.keyOf(entry);
    const { target, conditions, resource } = entry;
    const asked = { type: target.type, target: choiceOf(target), patch: readPatch(resource), conditions };
    const done = await this.held.orHoldPatch(this.caller, asked, () =>
      this.commit(entry, key, (call) => answerPatch(this.interactions, call, entry)),
    );
    return 'resourceType' in done ? done.entry![0]! : done;
  }

  private async putNow(entry: BundleEntry, put: PutRequest, key: IdempotencyKey | null): Promise<ResponseEntry> {
    let shown: ResponseEntry | null = null;
    await performPut(this.interactions, this.caller, put, async (work) => {
      let answer: FhirAnswer | null = null;
      shown = await this.commit(entry, key, async (call) => (answer = await work(call)));
      // A repeat by its key did nothing, and answers what was answered.
      return answer ?? { status: 200, body: null };
    });
    return shown!;
  }

  /** One entry in its transaction, with its row in the audit trail. */
  private async commit(
    entry: BundleEntry,
    key: IdempotencyKey | null,
    work: (call: FhirCall) => Promise<FhirAnswer>,
  ): Promise<ResponseEntry> {
    const { base, requestId, preferences } = this.request;
    let shown: ResponseEntry | null = null;
    const done = await this.calls.run({ caller: this.caller, base, requestId }, (call) =>
      this.calls.once(call, key, async () => {
        const answer = await work(call);
        // Reads of conformance resources are not audited.
        if (rowOf(entry.target.type)?.origin !== 'definitions')
          await this.calls.record(call, interactionOf(entry, answer), touchedBy(entry, answer));
        shown = toResponseEntry(entry, answer, preferences.return, this.caller);
        return { status: answer.status, headers: {}, body: { response: shown.response } };
      }),
    );
    return shown ?? (done.answer.body as ResponseEntry);
  }

  /** Entries of a batch do not know each other, and conditional references belong to transactions (standards 3.4). */
  private refuseLinks({ fullUrl }: BundleEntry, resource: Resource): void {
    const refused = findLinks(resource).filter(
      (link) =>
        this.links.isWithinBundle(link, fullUrl) ||
        (link.kind === 'reference' && criteriaOf(link.value, this.request.base) !== null),
    );
    if (refused.length === 0) return;
    throw new OutcomeError(
      'fhir.reference',
      refused.map(({ expression }) => ({
        severity: 'error',
        code: 'invalid',
        expression,
        details: 'Entries of a batch are independent. Send a transaction to refer from one to another.',
      })),
    );
  }

  private async keyOf(entry: BundleEntry): Promise<IdempotencyKey | null> {
    const { idempotencyKey } = this.request;
    if (idempotencyKey === null) return null;
    const { method, conditions, resource } = entry;
    return {
      route: ROUTE,
      key: `${entry.index} ${idempotencyKey}`,
      bodySha256: await digestOf({ method, target: { ...entry.target, query: null }, conditions, resource }),
    };
  }
}

function interactionOf({ method, target }: BundleEntry, { status }: FhirAnswer): AuditedInteraction {
  if (method === 'POST') return 'create';
  if (method === 'PUT') return status === 201 ? 'create' : 'update';
  if (method === 'PATCH') return 'patch';
  if (method === 'DELETE') return 'delete';
  return ({ type: 'search-type', instance: 'read', history: 'history-instance', version: 'vread' } as const)[
    target.kind
  ];
}

function touchedBy({ target }: BundleEntry, { body, location, gone }: FhirAnswer): Touched {
  if (gone !== undefined) return { resources: [gone] };
  if (body === null) return { references: target.kind === 'type' ? [] : [location ?? `${target.type}/${target.id}`] };
  const resources = [isStored(body) ? body.resource : body];
  return target.kind === 'type' && !isStored(body) ? { resources, query: target.query.toString() } : { resources };
}
