import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { OperatorTrail } from '../../../../core/audit/operator-trail.js';
import type { ErrorCode } from '../../../../core/errors/catalogue.js';
import { isSuturaError, SuturaError } from '../../../../core/errors/sutura-error.js';
import type { Operator } from '../../../../core/tenancy/operator.js';
import { tenantOf } from '../../../../core/tenancy/tenant.js';
import { sourceOf } from '../../../hl7v2/inbox/listeners/hl7-listener.js';
import { ListenerRepository } from '../../../hl7v2/inbox/listeners/listener.repository.js';
import { DryRun, MessageReprocessor } from '../../../hl7v2/inbox/processing/message-reprocessor.js';
import type { InboundRecord } from '../../../hl7v2/inbox/store/inbound-record.js';
import { InboundQueries } from '../../../hl7v2/inbox/store/inbound-queries.js';
import type { Hl7Source } from '../../../hl7v2/mapping/reading/hl7-source.js';
import { onThing } from '../../action/acts.js';
import { id as messageId, list } from '../../action/answer-fields.js';
import type { ReprocessQuery } from './hl7.schema.js';
import { PROBLEM_VIEW } from './hl7.views.js';

/** What reading a message once more has come to. */
export const REPROCESSED_MESSAGE = z.object({
  messageId,
  outcome: z
    .enum(['changed', 'unchanged', 'refused', 'skipped'])
    .describe(
      'refused: by today’s settings too, and it is left as it was; skipped: it cannot be read once more now, and code says why.',
    ),
  code: z.string().nullable().describe('Why it was skipped.'),
  changes: list(
    z.object({
      action: z.enum(['created', 'changed', 'joined']),
      type: z.string().describe('Of the records, as FHIR has it.'),
      count: z.int(),
    }),
  ),
  analyses: z.int().describe('Analyses that it asks for, and did not before. Each is charged.'),
  problems: list(PROBLEM_VIEW).describe('Why it is refused, or what it is still warned of.'),
});
export type ReprocessedMessageView = z.output<typeof REPROCESSED_MESSAGE>;

/** Counts of a range, and its messages but the unchanged ones. */
export const REPROCESSED_RANGE = z.object({
  dryRun: z.boolean(),
  changed: z.int(),
  unchanged: z.int(),
  refused: z.int(),
  skipped: z.int(),
  analyses: z.int(),
  messages: list(REPROCESSED_MESSAGE).describe('Without those that nothing is changed by.'),
  after: messageId.nullable().describe('There are more: go on behind this one. null: that was all.'),
});
export type ReprocessedRangeView = z.output<typeof REPROCESSED_RANGE>;

/** Most messages of one call. */
export const MOST_REPROCESSED = 100;

/** Faults that say something of one message, and nothing of those after it. */
const SKIPPED = [
  'hl7.sealed',
  'hl7.erased',
  'hl7.file_missing',
  'hl7.not_parked',
  'hl7.in_progress',
  'hl7.message_not_found',
  'fhir.version_conflict',
  'fhir.duplicate',
] as const satisfies readonly ErrorCode[];

/** Reads kept messages by today's settings of their listeners, each written into the audit trail before it is opened. */
@Injectable()
export class MessageReprocessing {
  constructor(
    private readonly reprocessor: MessageReprocessor,
    private readonly inbound: InboundQueries,
    private readonly listeners: ListenerRepository,
    private readonly trail: OperatorTrail,
  ) {}

  /** One message that came in; what keeps it from being read is refused: `hl7.message_not_found`, and as MessageReprocessor. */
  async one(operator: Operator, id: string, isDry: boolean): Promise<ReprocessedMessageView> {
    return this.reprocess(
      operator,
      await this.inbound.find(id),
      new Sources(this.listeners),
      isDry ? new DryRun() : null,
    );
  }

  /**
   * The messages of a range, oldest first, at most 100. What one of them cannot be read for is told with it. In a dry run each is judged by what the
   * records have now; what one before it would do as well is not told again, nor what one of an earlier page would with the same `tried`.
   * `hl7.listener_not_found`.
   */
  async range(
    operator: Operator,
    { dryRun, after, ...search }: ReprocessQuery,
    tried = new DryRun(),
  ): Promise<ReprocessedRangeView> {
    const { listenerId: sourceId, from, to, state, type: messageType, warned: isWarned } = search;
    const wanted = { sourceId, from, to, state, messageType, isWarned };
    const found = await this.inbound.listToReprocess(wanted, MOST_REPROCESSED + 1, after ?? null);
    // Messages of POST /hl7v2 may have a source that is no listener.
    if (found.length === 0 && after === undefined && (await this.listeners.find(sourceId)) === null)
      throw new SuturaError('hl7.listener_not_found');
    const sources = new Sources(this.listeners);
    const views: ReprocessedMessageView[] = [];
    const dry = dryRun ? tried : null;
    const ids = found.slice(0, MOST_REPROCESSED);
    for (const id of ids) views.push(await this.attempt(operator, id, sources, dry));
    const countOf = (outcome: ReprocessedMessageView['outcome']): number =>
      views.filter((view) => view.outcome === outcome).length;
    return {
      dryRun,
      changed: countOf('changed'),
      unchanged: countOf('unchanged'),
      refused: countOf('refused'),
      skipped: countOf('skipped'),
      analyses: views.reduce((sum, { analyses }) => sum + analyses, 0),
      messages: views.filter(({ outcome }) => outcome !== 'unchanged'),
      after: found.length > MOST_REPROCESSED ? (ids.at(-1) ?? null) : null,
    };
  }

  private async attempt(
    operator: Operator,
    id: string,
    sources: Sources,
    dryRun: DryRun | null,
  ): Promise<ReprocessedMessageView> {
    try {
      return await this.reprocess(operator, await this.inbound.find(id), sources, dryRun);
    } catch (fault) {
      if (!isSuturaError(fault, ...SKIPPED)) throw fault;
      return { messageId: id, outcome: 'skipped', code: fault.code, changes: [], analyses: 0, problems: [] };
    }
  }

  private async reprocess(
    operator: Operator,
    record: InboundRecord,
    sources: Sources,
    dryRun: DryRun | null,
  ): Promise<ReprocessedMessageView> {
    await this.trail.record(operator, onThing('MessageHeader', record, '$reprocess', dryRun === null ? 'E' : 'R'));
    const { changes, problems, ...reprocessed } = await this.reprocessor.reprocess(
      record.id,
      (one) => sources.of(one),
      dryRun,
    );
    return { messageId: record.id, ...reprocessed, code: null, changes: [...changes], problems: [...problems] };
  }
}

/** The settings of listeners as they are now, read once for a call. */
class Sources {
  private readonly known = new Map<string, Promise<Hl7Source>>();

  constructor(private readonly listeners: ListenerRepository) {}

  of(record: InboundRecord): Promise<Hl7Source> {
    const known = this.known.get(record.sourceId) ?? presentSourceOf(this.listeners, record);
    this.known.set(record.sourceId, known);
    return known;
  }
}

/** The settings by which a kept message is read now. Messages of POST /hl7v2 have a source of their own where no listener is set for it. */
export async function presentSourceOf(listeners: ListenerRepository, record: InboundRecord): Promise<Hl7Source> {
  const listener = (await listeners.find(record.sourceId)) ?? (await listeners.ofHttp(tenantOf(record)));
  return { ...sourceOf(listener), id: record.sourceId };
}
