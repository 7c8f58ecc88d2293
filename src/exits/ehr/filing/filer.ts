import { Injectable } from '@nestjs/common';
import { NoEhrAnswerError } from '../../../ehrs/index.js';
import { createsOnce } from '../calls/capability.js';
import { EhrServer } from '../calls/ehr-server.js';
import type { AnsweredResource, FhirAnswer } from '../calls/fhir-answer.js';
import {
  filedIdentifier,
  type FiledForm,
  type FiledPart,
  type FiledType,
  type Filing,
  type Look,
  type Write,
} from '../dialects/filing.js';
import { HeldError } from '../settings/holds.js';
import type { Filed, FilingTurn } from './filing-turn.js';
import { Looks } from './looks.js';
import { refuse } from './refusals.js';
import { TransactionFiler } from './transaction-filer.js';

/** Files what a dialect has written: once, whatever became of earlier requests. */
@Injectable()
export class Filer {
  constructor(
    private readonly server: EhrServer,
    private readonly looks: Looks,
    private readonly transactions: TransactionFiler,
  ) {}

  /** What now stands in the EHR. HeldError, TransientError, NoEhrAnswerError. */
  async file(filing: Filing, turn: FilingTurn): Promise<readonly Filed[]> {
    switch (filing.kind) {
      case 'nothing':
        return [];
      case 'one':
        return [await this.write(filing.write, turn)];
      case 'transaction':
        return this.transactions.file(filing.writes, turn);
    }
  }

  private write(write: Write, turn: FilingTurn): Promise<Filed> {
    switch (write.kind) {
      case 'create':
        return this.create(write, turn);
      case 'update':
        return this.update(write, turn);
      case 'amend':
        return this.amend(write, turn);
    }
  }

  private async create(write: Extract<Write, { kind: 'create' }>, turn: FilingTurn): Promise<Filed> {
    const { resource, look, part } = write;
    const isSafe = createsOnce(turn.capability, resource.resourceType);
    if (turn.mayBeThere && !isSafe) {
      const there = await this.looks.settle(look, turn);
      if (there !== null) return { part, ...there };
    }
    const identifier = filedIdentifier(resource);
    const answer = await this.server.ask(turn.ehr, {
      method: 'POST',
      path: resource.resourceType,
      body: resource,
      headers: isSafe ? { 'if-none-exist': `identifier=${encodeURIComponent(identifier)}` } : {},
      signal: turn.signal,
    });
    if (answer.status === 200 || answer.status === 201 || answer.status === 202)
      return { part, type: resource.resourceType, id: answer.id, versionId: answer.versionId };
    if (answer.status === 412) throw new HeldError('ehr_duplicate', answer.codes);
    return this.orThere(write, answer, turn);
  }

  /** A server that says that it has this already is asked for it: an earlier request filed it, or somebody else did. */
  private async orThere(
    { look, part }: { readonly look: Look; readonly part: FiledPart },
    answer: FhirAnswer,
    turn: FilingTurn,
  ): Promise<Filed> {
    if (!answer.codes.some((code) => DUPLICATE.has(code))) return refuse(answer);
    const there = await this.looks.find(look, turn);
    if (there === null) return refuse(answer);
    if (there === 'unclear') throw new HeldError('ehr_outcome_unknown', answer.codes);
    return { part, ...there };
  }

  private async update(write: Extract<Write, { kind: 'update' }>, turn: FilingTurn): Promise<Filed> {
    const { resource, of, part, look } = write;
    const present = await this.present(of.type, of.id, turn);
    const isDone =
      isFiledAs(present, filedIdentifier(resource)) ||
      (look !== undefined && (await this.looks.isOurs(look, present, turn)) === true);
    if (isDone) return { part, ...placeOf(present, of.type) };
    const versionId = versionOf(present);
    // Only where both are known: some servers name no version of some types.
    if (of.versionId !== null && versionId !== null && of.versionId !== versionId)
      throw new HeldError('ehr_changed_there');
    return this.put(part, { ...resource, id: of.id }, versionId, turn);
  }

  /** Whoever changed it since: only its status is set, on what stands there now. */
  private async amend({ of, part, status }: Extract<Write, { kind: 'amend' }>, turn: FilingTurn): Promise<Filed> {
    const present = await this.present(of.type, of.id, turn);
    if ((present as { readonly status?: unknown }).status === status) return { part, ...placeOf(present, of.type) };
    return this.put(part, { ...present, status } as FiledForm, versionOf(present), turn);
  }

  private async put(part: FiledPart, resource: FiledForm, versionId: string | null, turn: FilingTurn): Promise<Filed> {
    const { resourceType: type, id } = resource;
    const answer = await this.server.ask(turn.ehr, {
      method: 'PUT',
      path: `${type}/${id!}`,
      body: resource,
      headers: versionId === null ? {} : { 'if-match': `W/"${versionId}"` },
      signal: turn.signal,
    });
    if (answer.status === 200 || answer.status === 201) return { part, type, id: id!, versionId: answer.versionId };
    if (answer.status === 412) throw new HeldError('ehr_changed_there', answer.codes);
    if (answer.status === 404 || answer.status === 410) throw new HeldError('ehr_removed_there', answer.codes);
    return refuse(answer);
  }

  private async present(type: FiledType, id: string, { ehr, signal }: FilingTurn): Promise<AnsweredResource> {
    const answer = await this.server.ask(ehr, { method: 'GET', path: `${type}/${id}`, signal });
    if (answer.status === 404 || answer.status === 410) throw new HeldError('ehr_removed_there', answer.codes);
    if (answer.status !== 200) return refuse(answer);
    if (answer.resource?.resourceType !== type) throw new NoEhrAnswerError('no_resource', false);
    return answer.resource;
  }
}

/** Epic's number of a row that is there, and FHIR's own code. */
const DUPLICATE: ReadonlySet<string> = new Set(['59141', 'duplicate']);

function isFiledAs(resource: AnsweredResource, identifier: string): boolean {
  return filedIdentifier(resource as FiledForm, '') === identifier;
}

function placeOf(resource: AnsweredResource, type: FiledType): Omit<Filed, 'part'> {
  return { type, id: typeof resource.id === 'string' ? resource.id : null, versionId: versionOf(resource) };
}

function versionOf({ meta }: AnsweredResource): string | null {
  const versionId = meta?.versionId;
  return typeof versionId === 'string' ? versionId : null;
}
