import { captureFault } from '../analysis/photo-fault.js';
import type { Outbox } from '../domain-events/outbox.js';
import { SuturaError } from '../errors/sutura-error.js';
import { endedBy, type RelationKind, type WoundRelation } from '../followup/wound-relation.js';
import type { WoundRelationRepository } from '../followup/wound-relation.repository.js';
import type { Reviewer, Wound, WoundDecision } from '../followup/wound.js';
import type { WoundRepository } from '../followup/wound.repository.js';
import type { ClinicalClock } from '../ports/clinical-clock.js';
import type { IdSource } from '../ports/id-source.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { ReportRepository } from '../report/report.repository.js';
import type { ReportSeries } from '../report/report-series.js';

export interface WoundRelationPorts {
  readonly wounds: WoundRepository;
  readonly relations: WoundRelationRepository;
  readonly reports: Pick<ReportRepository, 'figures'>;
  readonly outbox: Outbox;
  readonly clinicalClock: ClinicalClock;
  readonly ids: IdSource;
}

/** Wounds that one grew out of, or fell into. */
export const LEAST_PARTS = 2;
export const MOST_PARTS = 10;
/** Of one wound, withdrawn ones too. */
const MOST_RELATIONS = 50;

/** A relation as a caller states it. */
export interface StatedRelation {
  readonly kind: RelationKind;
  readonly wholeId: string;
  /** With the whole, where it goes on under its number. */
  readonly partIds: readonly string[];
  readonly at: Date;
  readonly note: string | null;
  readonly by: Reviewer | null;
  /** The person behind the request; absent: not named. */
  readonly enteredBy?: string | undefined;
}

/** Who takes a relation back, and why. */
export type RelationWithdrawalBy = Pick<StatedRelation, 'note' | 'by' | 'enteredBy'>;

/** A relation, and its whole as it stands now. */
export interface FiledRelation {
  readonly relation: WoundRelation;
  readonly wound: Wound;
}

/** What grew together and what fell apart, as people state it; every wound of it is compared anew. */
export class WoundRelationService {
  constructor(
    private readonly ports: WoundRelationPorts,
    private readonly series: ReportSeries,
  ) {}

  /**
   * Those that end with it are closed, without a word of healing. A repeat changes nothing. `wound.not_found`, `wound.merged`, `capture.future`,
   * `wound.relation_refused`.
   */
  async relate(transaction: TenantTransaction, stated: StatedRelation): Promise<FiledRelation> {
    const { wholeId, partIds, at } = stated;
    const isCounted = partIds.length >= LEAST_PARTS && partIds.length <= MOST_PARTS;
    if (!isCounted || new Set(partIds).size < partIds.length) throw refused(stated, TWO_OR_MORE);
    const wounds = await this.locked(transaction, [wholeId, ...partIds]);
    const repeated = await this.repeated(transaction, stated);
    if (repeated !== null) return { relation: repeated, wound: wounds.get(wholeId)! };
    const fault = captureFault(at, await this.ports.clinicalClock.now(transaction));
    if (fault !== null) throw new SuturaError(fault.code, { errors: [{ pointer: '/at', detail: TO_COME }] });
    await this.check(transaction, stated, [...wounds.values()]);
    const relation: WoundRelation = {
      id: this.ports.ids.next(),
      ...stated,
      recordedAt: await this.ports.clinicalClock.now(transaction),
      enteredBy: stated.enteredBy ?? null,
      withdrawal: null,
    };
    await this.ports.relations.insert(transaction, relation);
    for (const id of endedBy(relation)) await this.end(transaction, wounds.get(id)!, relation);
    await this.settle(transaction, relation);
    await this.tell(transaction, relation);
    return { relation, wound: await this.require(transaction, wholeId) };
  }

  /** As if it had never been: what had ended with it is open again. A repeat changes nothing. `wound.not_found`, `wound.relation_not_found`. */
  async withdraw(
    transaction: TenantTransaction,
    woundId: string,
    relationId: string,
    { note, by, enteredBy }: RelationWithdrawalBy,
  ): Promise<FiledRelation> {
    await this.require(transaction, woundId);
    const find = async () =>
      (await this.ports.relations.ofWound(transaction, woundId)).find(({ id }) => id === relationId);
    const named = await find();
    if (named === undefined) throw new SuturaError('wound.relation_not_found');
    await this.lockRoots(transaction, [named.wholeId, ...named.partIds]);
    const relation = (await find())!;
    const wound = await this.require(transaction, relation.wholeId);
    if (relation.withdrawal !== null) return { relation, wound };
    const withdrawal = {
      withdrawnAt: await this.ports.clinicalClock.now(transaction),
      by,
      note,
      enteredBy: enteredBy ?? null,
    };
    await this.ports.relations.withdraw(transaction, relation.id, withdrawal);
    for (const id of endedBy(relation)) await this.takeBackEnd(transaction, id, relation, { note, by, enteredBy });
    await this.settle(transaction, relation);
    await this.tell(transaction, relation);
    return { relation: { ...relation, withdrawal }, wound: await this.require(transaction, relation.wholeId) };
  }

  private async repeated(transaction: TenantTransaction, stated: StatedRelation): Promise<WoundRelation | null> {
    const parts = [...stated.partIds].sort().join(' ');
    const known = await this.ports.relations.ofWound(transaction, stated.wholeId);
    const same = known.find(
      ({ withdrawal, kind, wholeId, partIds, at }) =>
        withdrawal === null &&
        kind === stated.kind &&
        wholeId === stated.wholeId &&
        [...partIds].sort().join(' ') === parts &&
        at.getTime() === stated.at.getTime(),
    );
    return same ?? null;
  }

  private async check(transaction: TenantTransaction, stated: StatedRelation, wounds: readonly Wound[]): Promise<void> {
    const { kind, wholeId, partIds, at } = stated;
    // Of wounds that nobody is named for, nobody knows whether they are one person’s.
    if (wounds.some(({ patientId }) => patientId === null)) throw refused(stated, NO_PATIENT);
    if (wounds.some(({ patientId }) => patientId !== wounds[0]!.patientId)) throw refused(stated, ONE_PATIENT);
    for (const wound of wounds) {
      const isPartThatEnds = kind === 'joined' && wound.id !== wholeId;
      if (wound.status === 'closed' && !(isPartThatEnds && (await this.isClosedAsMerged(transaction, wound))))
        throw refused(stated, OPEN_ALONE);
      const known = await this.ports.relations.ofWound(transaction, wound.id);
      if (known.length >= MOST_RELATIONS) throw refused(stated, TOO_MANY);
      if (known.some((other) => other.withdrawal === null && other.at >= at)) throw refused(stated, IN_ORDER);
      if (wound.id === wholeId && partIds.includes(wound.id)) continue;
      // What ends has no photo from then on, and what begins none before.
      const ends = (kind === 'joined') !== (wound.id === wholeId);
      const photos = (await this.ports.reports.figures(transaction, wound.id)).map(({ content }) => content.capturedAt);
      const isThere = (capturedAt: string) => Date.parse(capturedAt) >= at.getTime() === ends;
      if (photos.some(isThere)) throw refused(stated, ends ? PHOTO_AFTER : PHOTO_BEFORE);
    }
  }

  /** As closings of wounds that grew together were recorded before there were relations. */
  private async isClosedAsMerged(transaction: TenantTransaction, { id }: Wound): Promise<boolean> {
    const last = (await this.ports.wounds.history(transaction, id)).at(-1);
    return last?.decision === 'closed' && last.reason === 'merged';
  }

  private async end(transaction: TenantTransaction, wound: Wound, relation: WoundRelation): Promise<void> {
    if (wound.status === 'closed') return;
    await this.ports.wounds.update(transaction, wound.id, { status: 'closed', closedAt: relation.at });
    await this.record(transaction, wound.id, relation.kind, relation, relation);
    await this.ports.outbox.append(transaction, { kind: 'wound.closed', subjectId: wound.id });
  }

  /** Unless a person has decided otherwise since, it is open as before. */
  private async takeBackEnd(
    transaction: TenantTransaction,
    woundId: string,
    relation: WoundRelation,
    by: RelationWithdrawalBy,
  ): Promise<void> {
    const history = await this.ports.wounds.history(transaction, woundId);
    const count = (wanted: WoundDecision) =>
      history.filter(({ decision, decidedAt }) => decision === wanted && +decidedAt === +relation.at).length;
    const undoing = relation.kind === 'joined' ? 'unjoined' : 'unsplit';
    if (count(relation.kind) <= count(undoing)) return;
    const { status, closedAt } = await this.require(transaction, woundId);
    if (status === 'closed' && closedAt?.getTime() === relation.at.getTime()) {
      await this.ports.wounds.update(transaction, woundId, { status: 'open', closedAt: null });
      await this.ports.outbox.append(transaction, { kind: 'wound.reopened', subjectId: woundId });
    }
    await this.record(transaction, woundId, undoing, relation, by);
  }

  private record(
    transaction: TenantTransaction,
    woundId: string,
    decision: WoundDecision,
    { wholeId, partIds, at }: WoundRelation,
    { note, by, enteredBy }: RelationWithdrawalBy | WoundRelation,
  ): Promise<void> {
    return this.ports.wounds.record(transaction, {
      id: this.ports.ids.next(),
      woundId,
      decision,
      otherWoundId: woundId === wholeId ? partIds[0]! : wholeId,
      reviewer: by,
      note,
      reason: null,
      decidedAt: at,
      enteredBy: enteredBy ?? null,
    });
  }

  /** What was before it first, so that what came of it is compared with that as it stands. */
  private async settle(transaction: TenantTransaction, { kind, wholeId, partIds }: WoundRelation): Promise<void> {
    const order = kind === 'joined' ? [...partIds, wholeId] : [wholeId, ...partIds];
    const settled = new Set<string>();
    for (const id of order) {
      const root = await this.ports.wounds.lockRoot(transaction, id);
      if (!settled.has(root.id)) await this.series.settle(transaction, root);
      settled.add(root.id);
    }
  }

  /** For whoever shows what the whole grew out of or fell into: its own standing may be as before. */
  private async tell(transaction: TenantTransaction, { wholeId }: WoundRelation): Promise<void> {
    await this.ports.outbox.append(transaction, { kind: 'wound.related', subjectId: wholeId });
  }

  /** Each as it stands under its lock. `wound.not_found`, `wound.merged`. */
  private async locked(transaction: TenantTransaction, ids: readonly string[]): Promise<Map<string, Wound>> {
    for (const id of ids) await this.require(transaction, id);
    await this.lockRoots(transaction, ids);
    const wounds = new Map<string, Wound>();
    for (const id of ids) wounds.set(id, await this.require(transaction, id));
    if ([...wounds.values()].some(({ mergedInto }) => mergedInto !== null)) throw new SuturaError('wound.merged');
    return wounds;
  }

  /** Always in the same order, as for every merge of wounds. */
  private async lockRoots(transaction: TenantTransaction, ids: readonly string[]): Promise<void> {
    const roots = new Set<string>();
    for (const id of ids) roots.add((await this.ports.wounds.rootOf(transaction, id)).id);
    for (const id of [...roots].sort()) await this.ports.wounds.lockRoot(transaction, id);
  }

  private async require(transaction: TenantTransaction, woundId: string): Promise<Wound> {
    const wound = await this.ports.wounds.find(transaction, woundId);
    if (wound === null) throw new SuturaError('wound.not_found');
    return wound;
  }
}

function refused({ kind }: StatedRelation, detail: string): SuturaError {
  return new SuturaError('wound.relation_refused', {
    errors: [{ pointer: kind === 'joined' ? '/from' : '/into', detail }],
  });
}

const TO_COME = 'lies in the time to come';
const TWO_OR_MORE = `names two to ${MOST_PARTS} wounds, each once; this wound is among them where it goes on under its number`;
const NO_PATIENT = 'has a wound of nobody: name its patient first';
const ONE_PATIENT = 'has a wound of another patient';
const OPEN_ALONE = 'has a wound that is closed; reopen it first, if that was wrong';
const IN_ORDER = 'has a wound that is in a relation of this moment or a later one; take that back first';
const TOO_MANY = `has a wound with ${MOST_RELATIONS} relations`;
const PHOTO_AFTER =
  'a wound that ends with it has a photo from that moment on; state when it was first seen, or reassign the photo';
const PHOTO_BEFORE =
  'a wound that begins with it has a photo from before; if it had been there, it is one of those that are named';
