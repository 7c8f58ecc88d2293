import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isSuturaError, SuturaError } from '../../../../core/errors/sutura-error.js';
import type { TenantTransaction } from '../../../../core/ports/unit-of-work.js';
import { tenantOf } from '../../../../core/tenancy/tenant.js';
import { Logger } from '../../../../platform/logging/logger.js';
import { inTurns } from '../../../../platform/turns/turns.js';
import { decodingMessage, type DecodedMessage } from '../../../../standards/hl7v2/er7/decode-message.js';
import type { Hl7Problem } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import { ClinicalRecords, type AppliedBundle } from '../../../../standards/hl7v2/records/clinical-records.js';
import { problemsOf } from '../../ack/record-faults.js';
import { receiptProblems } from '../../mapping/header-check.js';
import type { InboundPlan } from '../../mapping/plan/inbound-plan.js';
import { LEFT_OUT, type EarlierHandling } from '../../mapping/reading/earlier-handling.js';
import type { Hl7Source } from '../../mapping/reading/hl7-source.js';
import type { InboundRecord } from '../store/inbound-record.js';
import { InboundQueries, type InboundContent } from '../store/inbound-queries.js';
import { MessageSequence } from '../store/message-sequence.js';
import { MessagePlanning } from './message-planning.js';
import { callerOf, isError, isRefusal, waitingForQuota, withoutEffectBy, withTries } from './processing-rules.js';
import { applyWithoutRefusedProcedures } from './refused-procedures.js';
import { ReprocessedOutcomes } from './reprocessed-outcomes.js';

/** A number of records that a message made or changed. */
export interface RecordChange {
  readonly action: 'created' | 'changed' | 'joined';
  /** The FHIR type. */
  readonly type: string;
  readonly count: number;
}

/** What reading a kept message once more has come to; of a dry run, what it would come to. */
export interface Reprocessed {
  /** `refused`: by today's settings too, and it is left as it was. */
  readonly outcome: 'changed' | 'unchanged' | 'refused';
  readonly changes: readonly RecordChange[];
  /** Analyses that it asked for, and had not before. */
  readonly analyses: number;
  /** Errors of a refusal, or the warnings that remain. */
  readonly problems: readonly Hl7Problem[];
}

/** A message as it is to be read. */
interface Kept {
  readonly record: InboundRecord;
  readonly source: Hl7Source;
  readonly earlier: EarlierHandling;
  /** Until then it is known what later messages said. */
  readonly askedAt: Date;
  readonly decoded: DecodedMessage;
  readonly dryRun: DryRun | null;
}

/** What the messages before would have done, of a range that is tried: the same is not told twice. */
export class DryRun {
  private readonly done = new Set<string>();

  /** Whether no message before would have done this. */
  isNew(effect: string): boolean {
    const before = this.done.size;
    this.done.add(createHash('sha256').update(effect).digest('base64'));
    return this.done.size > before;
  }
}

/** Rolls the transaction of a dry run back and carries what came of it. */
class TakenBack extends Error {
  constructor(
    readonly analyses: number,
    readonly problems: readonly Hl7Problem[],
  ) {
    super('A dry run is always taken back.');
  }
}

/**
 * Reads a kept message by today's settings and adds what was not done: no photo of it is kept twice, and nothing that came later is undone. What it
 * would be refused for changes nothing. No acknowledgment is sent: its sender has one.
 */
@Injectable()
export class MessageReprocessor {
  constructor(
    private readonly queries: InboundQueries,
    private readonly planning: MessagePlanning,
    private readonly records: ClinicalRecords,
    private readonly outcomes: ReprocessedOutcomes,
    private readonly later: MessageSequence,
    private readonly logger: Logger,
  ) {}

  /**
   * A dry run (null: it is none) does the same and takes it back. `hl7.message_not_found`, `hl7.sealed`, `hl7.erased`, `hl7.file_missing`, `hl7.not_parked` where it
   * was discarded, `hl7.in_progress`, and faults of the service.
   */
  async reprocess(
    id: string,
    sourceFor: (record: InboundRecord) => Promise<Hl7Source>,
    dryRun: DryRun | null,
  ): Promise<Reprocessed> {
    const content = await this.queries.show(id);
    requireWhole(content);
    const { record, bytes } = content;
    const source = await sourceFor(record);
    const decoded = await inTurns(decodingMessage(bytes, { characterSet: source.characterSet }));
    if (decoded.kind === 'undecodable') return refusal([decoded.problem]);
    const refusals = receiptProblems(decoded.message, decoded.header, source);
    if (refusals.length > 0) return refusal(refusals);
    const vain = withoutEffectBy(decoded.header, source);
    if (vain !== null) return { outcome: 'unchanged', changes: [], analyses: 0, problems: vain };
    return withTries(this.logger, async () =>
      this.carryOut({ record, source, ...(await this.earlierOf(record, bytes)), decoded, dryRun }),
    );
  }

  /** `hl7.in_progress` where a later message of the same photo, patient or order is still to be done, which this one must not follow. */
  private async earlierOf(record: InboundRecord, bytes: Buffer): Promise<Pick<Kept, 'earlier' | 'askedAt'>> {
    const { state, receivedAt, replays, processedAt, problems, pointedImageIds } = record;
    const { statements, askedAt, isAnyAtWork } = await this.later.of(record, bytes);
    if (isAnyAtWork) throw new SuturaError('hl7.in_progress', { detail: LATER_AT_WORK });
    // Once it was done again, nobody knows when it was first read.
    const standsFrom = replays === 0 && processedAt !== null ? processedAt : receivedAt;
    const handled = { receivedAt, standsFrom, problems, pointedImageIds };
    return state === 'processed'
      ? { earlier: { ...handled, kind: 'taken', later: { ...statements, broughtSince: [], saidSince: [] } }, askedAt }
      : { earlier: { ...handled, kind: 'untouched', later: statements }, askedAt };
  }

  private async carryOut(kept: Kept): Promise<Reprocessed> {
    const { record, source, earlier, decoded } = kept;
    await this.records.require(tenantOf(record));
    // That a person decided who is meant counted for what was done then.
    const asked = earlier.kind === 'taken' ? { ...record, heldItemId: null } : record;
    const { plan, confirmsIdentity } = await this.planning.plan(asked, source, decoded, earlier);
    if (plan.problems.some(isError) || (plan.awaited ?? []).length > 0) return refusal(plan.problems);
    const apply = (taken: InboundPlan): Promise<Reprocessed> =>
      taken.bundle === null && taken.joins.length === 0
        ? this.withoutEffect(kept, taken)
        : this.apply(kept, taken, confirmsIdentity);
    const { mayReview } = record;
    return applyWithoutRefusedProcedures(plan, { mayReview, isLast: false }, apply, (fault, taken) => {
      if (fault instanceof TakenBack) return tried(changesOf(taken, kept.dryRun), fault.analyses, fault.problems);
      if (isSuturaError(fault, 'hl7.in_progress', 'fhir.version_conflict', 'fhir.duplicate') || !isRefusal(fault))
        throw fault;
      return refusal([...problemsOf(fault, taken.places), ...taken.problems]);
    });
  }

  private async apply(kept: Kept, plan: InboundPlan, confirmsIdentity: boolean): Promise<Reprocessed> {
    const { record, source, dryRun } = kept;
    const done: { value?: Reprocessed } = {};
    const within = async (transaction: TenantTransaction, applied: AppliedBundle): Promise<void> => {
      const problems = remaining(kept, [...plan.problems, ...waitingForQuota(applied)]);
      const known = new Set(record.analysisIds);
      const analyses = applied.analysisIds.filter((id) => !known.has(id)).length;
      if (dryRun !== null) throw new TakenBack(analyses, problems);
      const reprocessed = { outcome: 'changed' as const, changes: changesOf(plan, null), analyses, problems };
      await this.outcomes.write(transaction, kept, { state: 'processed', problems, plan, applied });
      done.value = reprocessed;
    };
    await this.records.apply(callerOf(record), plan.bundle ?? { resourceType: 'Bundle', type: 'transaction' }, {
      requestId: record.id,
      quota: source.quotaPolicy === 'hold' ? 'wait' : 'refuse',
      joins: plan.joins,
      waitingOrders: plan.waitingOrders,
      newPhotos: plan.newPhotos,
      newOrders: plan.newOrders,
      confirmsIdentity,
      within,
    });
    if (done.value === undefined) throw new Error('The record applied a message without writing its outcome.');
    return done.value;
  }

  /** Its warnings may have become fewer, or a refused message one that asks for nothing. */
  private async withoutEffect(kept: Kept, plan: InboundPlan): Promise<Reprocessed> {
    const { record, dryRun } = kept;
    const problems = remaining(kept, plan.problems);
    const state = record.state === 'processed' ? 'processed' : 'ignored';
    const isSame = record.state === state && JSON.stringify(problems) === JSON.stringify(record.problems);
    if (dryRun === null && !isSame) await this.outcomes.writeAlone(kept, { state, problems, plan });
    return { outcome: 'unchanged', changes: [], analyses: 0, problems };
  }
}

const LATER_AT_WORK =
  'A later message of the same photo, patient or order is still to be done, so that this one waits for it. Ask again then.';
const HELD =
  'The message waits for its patient, or for a person who decides who is meant: "held list" shows it. It is worked off then.';

/** `hl7.erased`, `hl7.file_missing`, `hl7.not_parked`, `hl7.in_progress`. */
function requireWhole({ record, isWhole }: InboundContent): void {
  if (record.erased.length > 0) throw new SuturaError('hl7.erased');
  if (!isWhole) throw new SuturaError('hl7.file_missing');
  if (record.state === 'discarded') throw new SuturaError('hl7.not_parked');
  if (record.state === 'held') throw new SuturaError('hl7.in_progress', { detail: HELD });
  if (record.state === 'received') throw new SuturaError('hl7.in_progress');
}

function refusal(problems: readonly Hl7Problem[]): Reprocessed {
  return { outcome: 'refused', changes: [], analyses: 0, problems };
}

/** Today's problems, and those of a message that was taken which are not looked at again. */
function remaining({ earlier }: Kept, problems: readonly Hl7Problem[]): Hl7Problem[] {
  const kept = earlier.kind === 'taken' ? earlier.problems.filter(({ code }) => !LEFT_OUT.includes(code)) : [];
  return [...new Map([...problems, ...kept].map((problem) => [JSON.stringify(problem), problem])).values()];
}

function tried(changes: readonly RecordChange[], analyses: number, problems: readonly Hl7Problem[]): Reprocessed {
  return changes.length === 0
    ? { outcome: 'unchanged', changes, analyses: 0, problems }
    : { outcome: 'changed', changes, analyses, problems };
}

/** What the plan makes and changes, a line for each kind. */
function changesOf({ bundle, joins }: InboundPlan, dryRun: DryRun | null): RecordChange[] {
  const counts = new Map<string, RecordChange>();
  const add = (action: RecordChange['action'], type: string): void => {
    const key = `${action} ${type}`;
    counts.set(key, { action, type, count: (counts.get(key)?.count ?? 0) + 1 });
  };
  const isNew = (effect: unknown): boolean => dryRun === null || dryRun.isNew(JSON.stringify(effect));
  for (const join of joins) if (isNew(join)) add('joined', 'Patient');
  for (const { request, resource } of bundle?.entry ?? [])
    if (resource !== undefined && isNew([request?.method, { ...resource, meta: undefined }]))
      add(request?.method === 'POST' ? 'created' : 'changed', resource.resourceType);
  return [...counts.values()];
}
