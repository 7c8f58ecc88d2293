import { Injectable } from '@nestjs/common';
import { createsOnce } from '../calls/capability.js';
import { EhrServer } from '../calls/ehr-server.js';
import { isGone, type AnsweredResource, type FhirAnswer } from '../calls/fhir-answer.js';
import { onlyOnce, takesBack, type Change, type FiledForm, type Filing, type Write } from '../dialects/filing.js';
import type { KeptResource } from '../queue/kept-resource.js';
import { HeldError } from '../settings/holds.js';
import { mayBeThere, type FilingTurn } from './filing-turn.js';
import { keptOf, keptThere, requireUnchanged } from './kept-resources.js';
import { Looks, type Found } from './looks.js';
import { conditionalIn, requireNotTaken, timesOf } from './patience.js';
import { versionOf } from './read-resources.js';
import { firstOf, isSetback, isSuccess, MADE, notShown, refuse, TAKEN, underWay, type Setback } from './refusals.js';
import { isDuplicate, sendWrite, unnamed } from './sending.js';
import { TransactionFiler } from './transaction-filer.js';

type Create = Extract<Write, { kind: 'create' }>;
type Update = Extract<Write, { kind: 'update' }>;
type Amend = Extract<Write, { kind: 'amend' }>;

/** Files what a dialect has written: once, whatever became of earlier requests. */
@Injectable()
export class Filer {
  constructor(
    private readonly server: EhrServer,
    private readonly looks: Looks,
    private readonly transactions: TransactionFiler,
  ) {}

  /** What now stands in the EHR. `patient`: in whose chart what is created goes. HeldError, TransientError, NoEhrAnswerError. */
  async file(filing: Filing, patient: string, turn: FilingTurn): Promise<readonly KeptResource[]> {
    switch (filing.kind) {
      case 'nothing':
        return [];
      case 'one':
        return [await this.write(filing.write, patient, turn)];
      case 'each':
        return this.each(filing.writes, patient, turn);
      case 'transaction':
        return this.transactions.file(filing.writes, patient, turn);
    }
  }

  /** One that is held, locked, not answered or done later does not keep the others from being taken back: the delivery ends so once all are done. */
  private async each(writes: readonly Write[], patient: string, turn: FilingTurn): Promise<readonly KeptResource[]> {
    const filed: KeptResource[] = [];
    const left: Setback[] = [];
    for (const write of writes)
      try {
        filed.push(await this.write(write, patient, turn));
      } catch (fault) {
        if (!takesBack(writes) || !isSetback(fault)) throw fault;
        left.push(fault);
      }
    const first = firstOf(left);
    if (first !== null) throw first;
    return filed;
  }

  private async write(write: Write, patient: string, turn: FilingTurn): Promise<KeptResource> {
    switch (write.kind) {
      case 'create':
        return keptOf(write, await this.create(write, patient, turn), patient);
      case 'update':
        return keptOf(write, await this.update(write, turn), write.of.patient);
      case 'amend':
        return keptOf(write, await this.amend(write, turn), write.of.patient);
    }
  }

  private async create(write: Create, patient: string, turn: FilingTurn): Promise<Found> {
    const { resource } = write;
    const { resourceType: type } = resource;
    const hasConditions = createsOnce(turn.capability, type);
    const there = mayBeThere(turn) ? await this.looks.there(write, patient, hasConditions, turn) : 'free';
    if (there !== 'free' && there !== 'named') return there;
    // A condition would find what ended.
    const isSafe = hasConditions && there === 'free';
    const headers = isSafe ? { 'if-none-exist': onlyOnce(resource, patient) } : undefined;
    const request = {
      method: 'POST',
      path: type,
      body: resource,
      ...(headers === undefined ? {} : { headers }),
    } as const;
    const begun = { patient, kind: isSafe ? 'create-once' : 'create' } as const;
    const answer = await sendWrite(this.server, request, begun, turn);
    if (isSuccess(answer.status)) {
      const named = createdAs(answer, type) ?? (await unnamed(answer, turn));
      const created = answer.status === MADE ? named : await this.looks.confirm(named, write, patient, turn);
      await this.settle(write, created, { patient, isNew: answer.status === MADE }, turn);
      return created;
    }
    if (answer.status === 412) throw new HeldError('ehr_duplicate', answer.codes);
    const found = await this.orThere(write, answer, turn);
    turn.marks.found(patient);
    return found;
  }

  /** What was answered stands. Beside it another create may have made one that is not shown yet: only a look after a while is the end. TransientError. */
  private async settle(
    write: Create,
    created: Found,
    { patient, isNew }: { readonly patient: string; readonly isNew: boolean },
    { marks, earlier, patience }: FilingTurn,
  ): Promise<void> {
    const others = timesOf(conditionalIn(earlier.open, patient));
    // The condition has found what the one before has made.
    if (others > (isNew ? 0 : 1)) {
      await marks.placed([keptOf(write, created, patient)]);
      throw underWay(patience.lateMs);
    }
    marks.answered();
    if (!isNew && others === 1) marks.found(patient);
  }

  /** A server that says that it has this already is asked for it: an earlier request filed it, or somebody else did. */
  private async orThere(write: Create, answer: FhirAnswer, turn: FilingTurn): Promise<Found> {
    if (!isDuplicate(answer)) return refuse(answer);
    const there = await this.looks.find(write, turn);
    if (there === null || there === 'named') return refuse(answer);
    if (there === 'unclear' || there === 'carried') throw new HeldError('ehr_outcome_unknown', answer.codes);
    if (there === 'ended' || there.isSuperseded === true) throw new HeldError('ehr_changed_there', answer.codes);
    return there;
  }

  private async update(write: Update, turn: FilingTurn): Promise<Found> {
    const { resource, of } = write;
    const present = await this.looks.present(of, turn);
    if (await this.looks.isDone(write, present, turn)) return this.doneAlready(write, present, turn);
    requireNotTaken(of, turn);
    requireUnchanged(write, present);
    return this.put(write, { ...resource, ...keptThere(write, present), id: of.id }, versionOf(present), turn);
  }

  /** Whoever changed it since: only its status is set, on what stands there now. */
  private async amend(write: Amend, turn: FilingTurn): Promise<Found> {
    const { of, status } = write;
    const present = await this.looks.present(of, turn);
    if (await this.looks.isDone(write, present, turn)) return this.doneAlready(write, present, turn);
    requireNotTaken(of, turn);
    return this.put(write, { ...present, status } as FiledForm, versionOf(present), turn);
  }

  private doneAlready(write: Change, present: AnsweredResource, turn: FilingTurn): Found {
    turn.marks.done(`${write.of.type}/${write.of.id}`);
    return this.looks.changed(write, present, turn);
  }

  /** What stands there afterwards is read: not every server that says 200 has done it. */
  private async put(write: Change, resource: FiledForm, versionId: string | null, turn: FilingTurn): Promise<Found> {
    const { type, id, patient } = write.of;
    const request = {
      method: 'PUT',
      path: `${type}/${id}`,
      body: resource,
      ...(versionId === null ? {} : { headers: { 'if-match': `W/"${versionId}"` } }),
    } as const;
    const guard = versionId === null ? ({ isUnguarded: true } as const) : {};
    const begun = { patient, kind: 'change', target: `${type}/${id}`, ...guard } as const;
    const answer = await sendWrite(this.server, request, begun, turn);
    if (isSuccess(answer.status)) {
      const changed = changedAs(answer, type, id) ?? (await unnamed(answer, turn));
      const present = await this.looks.after(write, turn);
      if (present !== null && !(await this.looks.isShown(write, present, versionId, turn))) {
        await turn.marks.taken();
        throw notShown();
      }
      turn.marks.answered();
      return changed;
    }
    if (answer.status === 412) throw new HeldError('ehr_changed_there', answer.codes);
    if (isGone(answer)) throw new HeldError('ehr_removed_there', answer.codes);
    return refuse(answer);
  }
}

/** What a create was filed as; null: the answer names no resource of the type, or one that is made later. */
function createdAs(answer: FhirAnswer, type: FiledForm['resourceType']): Found | null {
  const { status, id, versionId } = answer;
  if (answer.type !== type || id === null) return null;
  return status === 200 || status === MADE ? { type, id, versionId } : null;
}

/** What a change was filed as; null: the answer does not say that it was. */
function changedAs(answer: FhirAnswer, type: FiledForm['resourceType'], id: string): Found | null {
  const { status, versionId, isEmpty } = answer;
  if (status === TAKEN) return null;
  const isNamed = answer.type === type && answer.id === id;
  return isNamed || (isEmpty && answer.type === null && versionId !== null) ? { type, id, versionId } : null;
}
