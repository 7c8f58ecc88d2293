import { Injectable } from '@nestjs/common';
import { createsOnce } from '../calls/capability.js';
import { EhrServer } from '../calls/ehr-server.js';
import { isGone, type FhirAnswer } from '../calls/fhir-answer.js';
import { onlyOnce, takesBack, type FiledForm, type Filing, type Write } from '../dialects/filing.js';
import type { KeptResource } from '../queue/kept-resource.js';
import { HeldError } from '../settings/holds.js';
import { mayBeThere, type FilingTurn } from './filing-turn.js';
import { keptOf, keptThere, requireUnchanged } from './kept-resources.js';
import { Looks, versionOf, type Found } from './looks.js';
import { requireAlone, requireNotTaken } from './patience.js';
import { isSuccess, isTakenLater, MADE, refuse, TAKEN, TransientError } from './refusals.js';
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

  /** One that is held, or that the EHR does later, does not keep the others from being taken back: the delivery ends so once all are done. */
  private async each(writes: readonly Write[], patient: string, turn: FilingTurn): Promise<readonly KeptResource[]> {
    const filed: KeptResource[] = [];
    const left: (HeldError | TransientError)[] = [];
    for (const write of writes)
      try {
        filed.push(await this.write(write, patient, turn));
      } catch (fault) {
        if (!takesBack(writes) || !(fault instanceof HeldError || isTakenLater(fault))) throw fault;
        left.push(fault);
      }
    // What the EHR does later is looked for once more before a person is asked about the others.
    const first = left.find((fault) => fault instanceof TransientError) ?? left[0];
    if (first !== undefined) throw first;
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
      requireAlone(turn, patient);
      turn.marks.answered();
      return created;
    }
    if (answer.status === 412) throw new HeldError('ehr_duplicate', answer.codes);
    const found = await this.orThere(write, answer, turn);
    turn.marks.found(patient);
    return found;
  }

  /** A server that says that it has this already is asked for it: an earlier request filed it, or somebody else did. */
  private async orThere(write: Create, answer: FhirAnswer, turn: FilingTurn): Promise<Found> {
    if (!isDuplicate(answer)) return refuse(answer);
    const there = await this.looks.find(write, turn);
    if (there === null || there === 'named') return refuse(answer);
    if (there === 'unclear') throw new HeldError('ehr_outcome_unknown', answer.codes);
    if (there === 'ended') throw new HeldError('ehr_changed_there', answer.codes);
    return there;
  }

  private async update(write: Update, turn: FilingTurn): Promise<Found> {
    const { resource, of } = write;
    const present = await this.looks.present(of, turn);
    if (await this.looks.isDone(write, present, turn)) return this.looks.changed(write, present, turn);
    requireNotTaken(of, turn);
    requireUnchanged(write, present);
    return this.put({ ...resource, ...keptThere(write, present), id: of.id }, of.patient, versionOf(present), turn);
  }

  /** Whoever changed it since: only its status is set, on what stands there now. */
  private async amend(write: Amend, turn: FilingTurn): Promise<Found> {
    const { of, status } = write;
    const present = await this.looks.present(of, turn);
    if (await this.looks.isDone(write, present, turn)) return this.looks.changed(write, present, turn);
    requireNotTaken(of, turn);
    return this.put({ ...present, status } as FiledForm, of.patient, versionOf(present), turn);
  }

  private async put(resource: FiledForm, patient: string, versionId: string | null, turn: FilingTurn): Promise<Found> {
    const { resourceType: type, id } = resource;
    const request = {
      method: 'PUT',
      path: `${type}/${id!}`,
      body: resource,
      ...(versionId === null ? {} : { headers: { 'if-match': `W/"${versionId}"` } }),
    } as const;
    const target = `${type}/${id!}`;
    const answer = await sendWrite(this.server, request, { patient, kind: 'change', target }, turn);
    if (isSuccess(answer.status)) return changedAs(answer, type, id!) ?? unnamed(answer, turn);
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
