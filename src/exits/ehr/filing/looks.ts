import { Injectable } from '@nestjs/common';
import { NoEhrAnswerError } from '../../../ehrs/index.js';
import { EhrServer } from '../calls/ehr-server.js';
import { isGone, listOf, type AnsweredResource } from '../calls/fhir-answer.js';
import { endedBy, FILED_SYSTEM, type Change, type FiledForm, type FiledResource } from '../dialects/filing.js';
import type { FiledType, Look, Write } from '../dialects/filing.js';
import { FiledLedger } from '../queue/filed-ledger.js';
import { HeldError } from '../settings/holds.js';
import { createsIn } from '../queue/open-writes.js';
import { asFiled, type FilingTurn, type LookTurn } from './filing-turn.js';
import { requireOver, requireShown } from './patience.js';
import { refuse } from './refusals.js';
import { isAsSent } from './as-sent.js';
import { subjectOf } from './subject.js';

/** A resource that an earlier request made. */
export interface Found {
  readonly type: FiledType;
  readonly id: string;
  readonly versionId: string | null;
  /** What stands there is not what was sent. */
  readonly mayDiffer?: boolean;
  readonly isSuperseded?: boolean;
}

type Create = Extract<Write, { kind: 'create' }>;

/** Looks for what earlier requests may have filed, and at what is to be changed. */
@Injectable()
export class Looks {
  constructor(
    private readonly server: EhrServer,
    private readonly ledger: FiledLedger,
  ) {}

  /**
   * What a write has left, where an earlier request has done it; null: nothing. `ended`: it was entered in error since. `besides`: ids of what is
   * known to stand of it. `ehr_outcome_unknown`, `ehr_duplicate`, as `present`.
   */
  async done(write: Write, turn: LookTurn, besides?: ReadonlySet<string>): Promise<Found | 'ended' | null> {
    if (write.kind === 'create') {
      const told = await this.told(write, turn, besides);
      return told === 'named' ? null : told;
    }
    const present = await this.present(write.of, turn);
    return (await this.isDone(write, present, turn)) ? placeOf(present, write) : null;
  }

  /**
   * What is there of a create that may have been sent before; `free`: nothing, and it is sent; `named`: the same without a condition, as what has its
   * name was another one and ended. What may be carried out yet is waited for; where a further one could be there beside it (`isSafe` false), and where
   * the EHR has taken it, a person is asked then. As `settle`; `ehr_outcome_unknown`; TransientError.
   */
  async there(write: Create, patient: string, isSafe: boolean, turn: FilingTurn): Promise<Found | 'free' | 'named'> {
    const { look, part } = write;
    const { open, filed } = turn.earlier;
    const kept = filed.find(
      (one) => one.version === undefined && one.part === part && one.type === look.type && one.patient === patient,
    );
    if (kept !== undefined && kept.id !== null) {
      const present = await this.read(look.type, kept.id, turn);
      // In another chart it was entered in error as the hold has asked for.
      const isOver = present !== null && isInError(present) && subjectOf(present, turn.ehr) !== patient;
      if (present !== null && !isOver) {
        requireStanding(present, patient, turn.ehr);
        return asFiled({ type: look.type, id: kept.id, versionId: versionOf(present) }, turn);
      }
      // It may be out of our sight alone, or shown later.
      if (present === null && !turn.isAskedAnew) throw new HeldError('ehr_outcome_unknown');
      turn.marks.forget(kept);
    }
    const found = await this.told(write, turn);
    if (found === 'ended') throw new HeldError('ehr_changed_there');
    const creates = createsIn(open, patient);
    if (found !== null && found !== 'named') {
      // Something that this service does not know of has taken its place.
      if (found.isSuperseded === true) throw new HeldError('ehr_changed_there');
      // Another one may stand beside it, and not be shown yet.
      const conditional = creates.filter(({ kind }) => kind === 'create-once');
      if (conditional.reduce((sum, { times }) => sum + times, 0) > 1) requireShown(conditional, turn);
      if (creates.length > 0) turn.marks.found(patient);
      return asFiled(found, turn);
    }
    const once = creates.filter((one) => isSafe && one.kind === 'create-once' && !one.isTaken);
    requireOver(
      creates.filter((one) => !once.includes(one)),
      turn,
    );
    requireShown(once, turn);
    return found ?? 'free';
  }

  /** As `find`; `ehr_outcome_unknown` where that cannot be told and no person has looked. */
  private async told(
    write: Create,
    turn: LookTurn,
    besides?: ReadonlySet<string>,
  ): Promise<Found | 'ended' | 'named' | null> {
    const found = await this.find(write, turn, besides);
    if (found !== 'unclear') return found;
    if (turn.isAskedAnew) return null;
    throw new HeldError('ehr_outcome_unknown');
  }

  /**
   * `ended`: it is there, entered in error alone; `named`: what has its name was made at another time, by this service before its database came back,
   * and ended. `ehr_outcome_unknown` where such a one stands. `ehr_duplicate` where it stands more than once; `ehr_patient_changed` where it stands in a chart
   * that was not asked for. `besides` are passed over.
   */
  async find(
    { look, resource: sent }: Create,
    turn: LookTurn,
    besides: ReadonlySet<string> = new Set(),
  ): Promise<Found | 'unclear' | 'ended' | 'named' | null> {
    const { ehr, reportId, signal } = turn;
    const { resources, isWhole } = await this.server.search(ehr, look.type, look.parameters, { signal, refuse });
    const nameless = resources.filter((one) => !isNamed(one, look.value)).flatMap(({ id }) => (isText(id) ? id : []));
    const ofOthers = await this.ledger.ofOthers(ehr.id, reportId, look.type, nameless);
    const patient = `Patient/${look.parameters.patient}`;
    const ours: AnsweredResource[] = [];
    let hasEnded = false;
    let hasNamed = false;
    let isClear = isWhole;
    for (const resource of resources) {
      if (isText(resource.id) && (ofOthers.has(resource.id) || besides.has(resource.id))) continue;
      const isOurs = await this.isOurs(look, resource, sent, turn);
      isClear &&= isOurs !== null;
      if (isOurs === 'other' && !hasBeenEnded(resource)) throw new HeldError('ehr_outcome_unknown', RESTORED);
      hasNamed ||= isOurs === 'other';
      if (isOurs !== true) continue;
      if (isInError(resource)) {
        hasEnded ||= subjectOf(resource, ehr) === patient;
        continue;
      }
      requireChart(resource, patient, ehr);
      ours.push(resource);
    }
    if (ours.length > 1) throw new HeldError('ehr_duplicate');
    const [only] = ours;
    if (only === undefined) return !isClear ? 'unclear' : hasEnded ? 'ended' : hasNamed ? 'named' : null;
    return isText(only.id) ? foundAs(only, { type: look.type, id: only.id }, sent) : 'unclear';
  }

  /** The resource as it stands there; null: it does not any more. */
  async read(
    type: FiledType,
    id: string,
    { ehr, signal }: Pick<LookTurn, 'ehr' | 'signal'>,
  ): Promise<AnsweredResource | null> {
    const answer = await this.server.ask(ehr, { method: 'GET', path: `${type}/${id}`, signal });
    if (isGone(answer)) return null;
    if (answer.status === 404) throw new NoEhrAnswerError('no_resource', false);
    if (answer.status !== 200) return refuse(answer);
    const { resource } = answer;
    if (resource?.resourceType !== type || resource.id !== id) throw new NoEhrAnswerError('no_resource', false);
    return resource;
  }

  /** What is to be changed, in the chart that it is known to be in. `ehr_removed_there`, `ehr_patient_changed`. */
  async present({ type, id, patient }: FiledResource, turn: LookTurn): Promise<AnsweredResource> {
    const present = await this.read(type, id, turn);
    if (present === null) throw new HeldError('ehr_removed_there');
    requireChart(present, patient, turn.ehr);
    return present;
  }

  /**
   * What the EHR says that it has already must be ours, in this chart, and stand. `ehr_outcome_unknown` where that cannot be told,
   * `ehr_patient_changed`, `ehr_changed_there`.
   */
  async confirm({ type, id }: Found, { look, resource }: Create, patient: string, turn: LookTurn): Promise<Found> {
    const present = await this.read(type, id, turn);
    if (present === null) throw new NoEhrAnswerError('no_resource', true);
    const isOurs = await this.isOurs(look, present, resource, turn);
    if (isOurs !== true) throw new HeldError('ehr_outcome_unknown', isOurs === 'other' ? RESTORED : []);
    requireStanding(present, patient, turn.ehr);
    return foundAs(present, { type, id }, resource);
  }

  /** What a change finds done already. */
  changed(write: Change, present: AnsweredResource, turn: FilingTurn): Found {
    return asFiled(placeOf(present, write), turn);
  }

  /** Whether what stands there is what the write would make of it. */
  async isDone(write: Change, present: AnsweredResource, turn: LookTurn): Promise<boolean> {
    // What was entered in error stays so.
    if (write.kind === 'amend') return isInError(present) || statusOf(present) === write.status;
    // By its status first: who set that may have left our identifier, or our bytes.
    if (endedBy(write) === 'entered-in-error') return isInError(present);
    if (isInError(present)) return false;
    return (await this.isOurs(write.look, present, write.resource, turn)) === true;
  }

  /** null: that cannot be told; `other`: it has the name, and was made from a version of this number that this service has forgotten. */
  private async isOurs(
    look: Look,
    resource: AnsweredResource,
    sent: FiledForm,
    { ehr, signal }: Pick<LookTurn, 'ehr' | 'signal'>,
  ): Promise<boolean | 'other' | null> {
    const name = newestOf(namesOf(resource));
    // With the name of another version or part it is that one.
    if (name !== null) return name !== look.value ? false : isOfAnotherTime(resource, sent) ? 'other' : true;
    const form = resource as FiledForm & AnsweredResource;
    const said = look.isOurs(form, null);
    if (said !== null || !look.readsContent) return said;
    const [content] = listOf((resource as { readonly content?: unknown }).content);
    const { data, url } = ((content as { readonly attachment?: unknown } | undefined)?.attachment ?? {}) as {
      readonly data?: unknown;
      readonly url?: unknown;
    };
    if (isText(data)) return look.isOurs(form, Buffer.from(data, 'base64'));
    return isText(url) ? look.isOurs(form, await this.server.bytesOf(ehr, url, signal)) : null;
  }
}

/** `ehr_patient_changed` for what is in another chart than that of `Patient/id`. */
export function requireChart(resource: AnsweredResource, patient: string, ehr: FilingTurn['ehr']): void {
  if (subjectOf(resource, ehr) !== patient) throw new HeldError('ehr_patient_changed');
}

/** In the chart of the patient, and not entered in error there. `ehr_patient_changed`, `ehr_changed_there`. */
export function requireStanding(resource: AnsweredResource, patient: string, ehr: FilingTurn['ehr']): void {
  requireChart(resource, patient, ehr);
  if (isInError(resource)) throw new HeldError('ehr_changed_there');
}

function foundAs(present: AnsweredResource, { type, id }: Pick<Found, 'type' | 'id'>, sent: FiledForm): Found {
  return {
    type,
    id,
    versionId: versionOf(present),
    mayDiffer: !isAsSent(present, sent),
    isSuperseded: statusOf(present) === 'superseded',
  };
}

/** Whether it has our identifier of this value. */
function isNamed(resource: AnsweredResource, value: string): boolean {
  return namesOf(resource).includes(value);
}

/** Values of our identifiers. */
function namesOf(resource: AnsweredResource): readonly unknown[] {
  return listOf((resource as { readonly identifier?: unknown }).identifier).flatMap((one) => {
    const { system, value } = one as { readonly system?: unknown; readonly value?: unknown };
    return system === FILED_SYSTEM ? [value] : [];
  });
}

/** The name of the newest version of those that a resource has: a change keeps those before. */
function newestOf(names: readonly unknown[]): unknown {
  const versionIn = (name: unknown): number => Number(/\/v(\d+)$/.exec(String(name))?.[1] ?? 0);
  return names.reduce((newest, name) => (newest === null || versionIn(name) > versionIn(newest) ? name : newest), null);
}

/** Of a hold: another version of this number may stand there. */
const RESTORED = ['restored'] as const;
const SECOND_MS = 1000;

/** Whether both state when they were issued, and not as the same second. */
function isOfAnotherTime(present: object, sent: object): boolean {
  const momentOf = (one: object): number => {
    const { issued, date } = one as { readonly issued?: unknown; readonly date?: unknown };
    const text = issued ?? date;
    return isText(text) && text.includes('T') ? Date.parse(text) : Number.NaN;
  };
  return Math.abs(momentOf(present) - momentOf(sent)) >= SECOND_MS;
}

/** Nobody relies on it any more. */
export function hasBeenEnded(resource: AnsweredResource): boolean {
  return isInError(resource) || statusOf(resource) === 'superseded';
}

function statusOf(resource: AnsweredResource): unknown {
  return (resource as { readonly status?: unknown }).status;
}

/** Whether somebody, or we, have said that it is no finding of this patient. */
export function isInError(resource: AnsweredResource): boolean {
  return statusOf(resource) === 'entered-in-error';
}

function placeOf(present: AnsweredResource, write: Change): Found {
  const { type, id } = write.of;
  return write.kind === 'update'
    ? foundAs(present, { type, id }, write.resource)
    : { type, id, versionId: versionOf(present) };
}

/** The version of what stands there; null: the EHR states none. */
export function versionOf({ meta }: AnsweredResource): string | null {
  return isText(meta?.versionId) ? meta.versionId : null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
