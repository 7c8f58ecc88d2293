import { Injectable } from '@nestjs/common';
import { NoEhrAnswerError } from '../../../ehrs/index.js';
import { EhrServer } from '../calls/ehr-server.js';
import { isGone, listOf, type AnsweredResource } from '../calls/fhir-answer.js';
import { endedBy, type Change, type FiledForm, type FiledResource } from '../dialects/filing.js';
import type { FiledType, Look, Write } from '../dialects/filing.js';
import { FiledLedger } from '../queue/filed-ledger.js';
import { HeldError } from '../settings/holds.js';
import { createsIn } from '../queue/open-writes.js';
import { asFiled, type FilingTurn, type LookTurn } from './filing-turn.js';
import { conditionalIn, requireOver, requireShown, timesOf } from './patience.js';
import {
  hasBeenEnded,
  isInError,
  isNamed,
  isOfAnotherTime,
  isText,
  namesOf,
  newestOf,
  requireChart,
  requireStanding,
  statusOf,
  versionOf,
} from './read-resources.js';
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
   * What a write has left, where an earlier request has done it; null: nothing. `ended`: it was entered in error since; `carried`: a later version has
   * changed it, which knows of it. `besides`: ids of what is known to stand of it. `ehr_outcome_unknown`, `ehr_duplicate`, as `present`.
   */
  async done(write: Write, turn: LookTurn, besides?: ReadonlySet<string>): Promise<Found | 'ended' | 'carried' | null> {
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
        // Something that the ledger does not know of has taken its place.
        if (statusOf(present) === 'superseded') throw new HeldError('ehr_changed_there');
        await this.requireAlone(kept.id, write, patient, turn);
        return asFiled({ type: look.type, id: kept.id, versionId: versionOf(present) }, turn);
      }
      // It may be out of our sight alone, or shown later.
      if (present === null && !turn.isAskedAnew) throw new HeldError('ehr_outcome_unknown');
      turn.marks.forget(kept);
    }
    const found = await this.told(write, turn);
    if (found === 'ended') throw new HeldError('ehr_changed_there');
    // By a version that the ledger has forgotten.
    if (found === 'carried') throw new HeldError('ehr_outcome_unknown', RESTORED);
    const creates = createsIn(open, patient);
    if (found !== null && found !== 'named') {
      // Something that this service does not know of has taken its place.
      if (found.isSuperseded === true) throw new HeldError('ehr_changed_there');
      // Another one may stand beside it, and not be shown yet.
      const conditional = conditionalIn(open, patient);
      if (timesOf(conditional) > 1) requireShown(conditional, turn);
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

  /**
   * What the EHR has named stands alone: a search shows it, and nothing beside it, once it shows all that came before. `ehr_duplicate`;
   * `ehr_outcome_unknown` where it does not show it by then; TransientError.
   */
  private async requireAlone(id: string, write: Create, patient: string, turn: FilingTurn): Promise<void> {
    const others = conditionalIn(turn.earlier.open, patient);
    if (others.length === 0) return;
    const found = await this.find(write, turn);
    const isShown = found !== null && typeof found !== 'string';
    if (isShown && found.id !== id) throw new HeldError('ehr_duplicate');
    if (isShown) requireShown(others, turn);
    else requireOver(others, turn);
    turn.marks.alone(patient);
  }

  /** As `find`; `ehr_outcome_unknown` where that cannot be told and no person has looked. */
  private async told(
    write: Create,
    turn: LookTurn,
    besides?: ReadonlySet<string>,
  ): Promise<Found | 'ended' | 'named' | 'carried' | null> {
    const found = await this.find(write, turn, besides);
    if (found !== 'unclear') return found;
    if (turn.isAskedAnew) return null;
    throw new HeldError('ehr_outcome_unknown');
  }

  /**
   * `ended`: it is there, entered in error alone; `named`: what has its name was made at another time, by this service before its database came back,
   * and ended; `carried`: a later version of the report has changed what this one had made. `ehr_outcome_unknown` where one of another time stands. `ehr_duplicate` where it stands more than once; `ehr_patient_changed` where it stands in a chart
   * that was not asked for. `besides` are passed over.
   */
  async find(
    { look, resource: sent }: Create,
    turn: LookTurn,
    besides: ReadonlySet<string> = new Set(),
  ): Promise<Found | 'unclear' | 'ended' | 'named' | 'carried' | null> {
    const { ehr, reportId, signal } = turn;
    const { resources, isWhole } = await this.server.search(ehr, look.type, look.parameters, { signal, refuse });
    const nameless = resources.filter((one) => !isNamed(one, look.value)).flatMap(({ id }) => (isText(id) ? id : []));
    const ofOthers = await this.ledger.ofOthers(ehr.id, reportId, look.type, nameless);
    const patient = `Patient/${look.parameters.patient}`;
    const ours: AnsweredResource[] = [];
    let hasEnded = false;
    let hasNamed = false;
    let hasCarried = false;
    let isClear = isWhole;
    for (const resource of resources) {
      if (isText(resource.id) && (ofOthers.has(resource.id) || besides.has(resource.id))) continue;
      const isOurs = await this.isOurs(look, resource, sent, turn);
      isClear &&= isOurs !== null;
      if (isOurs === 'other' && !hasBeenEnded(resource)) throw new HeldError('ehr_outcome_unknown', RESTORED);
      hasNamed ||= isOurs === 'other';
      hasCarried ||= isOurs === false && isNamed(resource, look.value);
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
    if (only === undefined && isClear && hasCarried) return 'carried';
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

  /** What stands there after a change that the EHR calls done. null: it shows nothing that is entered in error, as this was to be. As `present`. */
  async after(write: Change, turn: LookTurn): Promise<AnsweredResource | null> {
    const { type, id, patient } = write.of;
    const present = await this.read(type, id, turn);
    if (present === null && endedBy(write) === 'entered-in-error') return null;
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
    if (statusOf(present) === 'superseded') throw new HeldError('ehr_changed_there');
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

  /** Whether a change that the EHR calls done shows in what stands there now. `before`: the version that stood there then. */
  async isShown(write: Change, present: AnsweredResource, before: string | null, turn: LookTurn): Promise<boolean> {
    if (await this.isDone(write, present, turn)) return true;
    if (write.kind === 'amend' || endedBy(write) !== undefined || isInError(present)) return false;
    // Servers that keep no identifier of ours, and no time of issue or other bytes: by its value, and as it is another version now.
    const isNew = before !== versionOf(present) && !isOfAnotherTime(present, write.resource);
    return (
      isNew &&
      isSameValue(present, write.resource) &&
      (await this.isOurs(write.look, present, write.resource, turn)) === null
    );
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

function foundAs(present: AnsweredResource, { type, id }: Pick<Found, 'type' | 'id'>, sent: FiledForm): Found {
  return {
    type,
    id,
    versionId: versionOf(present),
    mayDiffer: !isAsSent(present, sent),
    isSuperseded: statusOf(present) === 'superseded',
  };
}

/** Of an Observation; others have none. */
function isSameValue(present: object, sent: object): boolean {
  const valueOf = (one: object): unknown =>
    (one as { readonly valueQuantity?: { readonly value?: unknown } | null }).valueQuantity?.value;
  return valueOf(present) === valueOf(sent);
}

function placeOf(present: AnsweredResource, write: Change): Found {
  const { type, id } = write.of;
  return write.kind === 'update'
    ? foundAs(present, { type, id }, write.resource)
    : { type, id, versionId: versionOf(present) };
}

/** Of a hold: another version of this number may stand there. */
const RESTORED = ['restored'] as const;
