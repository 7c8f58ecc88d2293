import type { BundleEntry } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { EhrServer } from '../calls/ehr-server.js';
import {
  listOf,
  placeOf as placeInUrl,
  versionOf as versionOfTag,
  type AnsweredResource,
  type FhirAnswer,
} from '../calls/fhir-answer.js';
import {
  bundleOf,
  onlyOnce,
  takesBack,
  type Change,
  type FiledForm,
  type FiledType,
  type Write,
} from '../dialects/filing.js';
import type { KeptResource } from '../queue/kept-resource.js';
import type { BegunWrite, WriteKind } from '../queue/open-writes.js';
import { HeldError } from '../settings/holds.js';
import { keptOf, keptThere, requireUnchanged } from './kept-resources.js';
import { mayBeThere, type FilingTurn } from './filing-turn.js';
import { Looks, type Found } from './looks.js';
import { conditionalIn, requireNotTaken, timesOf } from './patience.js';
import { versionOf } from './read-resources.js';
import { firstOf, isOfAll, isSetback, isSuccess, notShown, refuse, TAKEN, underWay, type Setback } from './refusals.js';
import { sendWrite, unnamed } from './sending.js';

/** A write that the transaction still has to do, or what an earlier one left of it. */
type Step =
  | { readonly write: Write; readonly found: Found; readonly entry: null }
  /** `isSafe` false: sent once more it would make something new. `before`: the version that a change is of; null: none is named. */
  | {
      readonly write: Write;
      readonly found: null;
      readonly entry: BundleEntry;
      readonly isSafe: boolean;
      readonly before: string | null;
    };

/** Files all writes of a version in one transaction Bundle. */
@Injectable()
export class TransactionFiler {
  constructor(
    private readonly server: EhrServer,
    private readonly looks: Looks,
  ) {}

  /** HeldError, TransientError, NoEhrAnswerError. */
  async file(writes: readonly Write[], patient: string, turn: FilingTurn): Promise<readonly KeptResource[]> {
    const setbacks: Setback[] = [];
    const steps = await this.stepsOf(writes, patient, turn, setbacks);
    const isBack = takesBack(writes);
    const kept = await (isBack ? this.takenBack(steps, patient, turn, setbacks) : this.sent(steps, patient, turn));
    const first = firstOf(setbacks);
    if (first !== null) throw first;
    return kept;
  }

  /** Where the EHR refuses them together for the sake of one, each goes alone: that one keeps no other from being taken back. */
  private async takenBack(
    steps: readonly Step[],
    patient: string,
    turn: FilingTurn,
    setbacks: Setback[],
  ): Promise<readonly KeptResource[]> {
    const kept: KeptResource[] = [];
    let isDone = false;
    const attempt = async (some: readonly Step[]): Promise<Setback | null> => {
      try {
        kept.push(...(await this.sent(some, patient, turn, () => (isDone = true))));
        return null;
      } catch (fault) {
        if (!isSetback(fault)) throw fault;
        return fault;
      }
    };
    const ofAll = await attempt(steps);
    if (ofAll === null) return kept;
    const isAlone = steps.filter(({ entry }) => entry !== null).length < 2;
    // What the EHR has carried out is not sent again because a look at it failed.
    if (isAlone || isDone || !isOfAll(ofAll)) setbacks.push(ofAll);
    else
      for (const step of steps) {
        const setback = await attempt([step]);
        if (setback !== null) setbacks.push(setback);
      }
    return kept;
  }

  private async sent(
    steps: readonly Step[],
    patient: string,
    turn: FilingTurn,
    onSuccess: () => void = () => undefined,
  ): Promise<readonly KeptResource[]> {
    if (steps.every(({ found }) => found !== null)) {
      // One transaction does all of them, or none.
      if (steps.every(({ write }) => write.kind !== 'create')) turn.marks.done(null);
      return steps.map((step) => keptBy(step, step.found!, patient));
    }
    const request = { method: 'POST', path: '', body: bundleOf(entriesOf(steps)) } as const;
    const answer = await sendWrite(this.server, request, begunBy(steps, patient), turn);
    if (isSuccess(answer.status)) {
      onSuccess();
      const isTaken = answer.status === TAKEN || hasTaken(answer);
      const done =
        (isTaken ? null : doneBy(steps, answer)) ??
        (await unnamed(isTaken ? { ...answer, status: TAKEN } : answer, turn, 'no_transaction_response'));
      return this.confirmed(done, patient, turn);
    }
    if (answer.status === 412) throw new HeldError(conflictOf(steps, answer), answer.codes);
    return refuse(answer);
  }

  private async confirmed(all: readonly Done[], patient: string, turn: FilingTurn): Promise<readonly KeptResource[]> {
    const kept: KeptResource[] = [];
    for (const { step, found, wasThere } of all) {
      const { write } = step;
      const isAnother = wasThere && write.kind === 'create';
      if (write.kind !== 'create' && step.entry !== null) await this.requireShown(write, step.before, turn);
      kept.push(keptBy(step, isAnother ? await this.looks.confirm(found, write, patient, turn) : found, patient));
    }
    const created = all.filter(({ step: { write, entry } }) => write.kind === 'create' && entry !== null);
    const isNew = created.some(({ wasThere }) => !wasThere);
    const others = created.length === 0 ? 0 : timesOf(conditionalIn(turn.earlier.open, patient));
    // Beside what it created that of another request may stand, which is not shown yet.
    if (others > (isNew ? 0 : 1)) {
      await turn.marks.placed(kept);
      throw underWay(turn.patience.lateMs);
    }
    // What it created has places now, and it created nothing beside.
    turn.marks.answered();
    if (!isNew && others === 1) turn.marks.found(patient);
    return kept;
  }

  /** As `Filer.put`. */
  private async requireShown(write: Change, before: string | null, turn: FilingTurn): Promise<void> {
    const present = await this.looks.after(write, turn);
    if (present === null || (await this.looks.isShown(write, present, before, turn))) return;
    await turn.marks.taken();
    throw notShown();
  }

  /** `setbacks`: of what cannot be taken back, which does not keep the rest from being; else that is thrown. */
  private async stepsOf(
    writes: readonly Write[],
    patient: string,
    turn: FilingTurn,
    setbacks: Setback[],
  ): Promise<readonly Step[]> {
    const steps: Step[] = [];
    for (const write of writes)
      try {
        steps.push(await this.stepOf(write, patient, turn));
      } catch (fault) {
        if (!isSetback(fault) || !takesBack(writes)) throw fault;
        setbacks.push(fault);
      }
    return steps;
  }

  /** What stands there is read before it is changed: a server may answer a conflict in many ways, and for ever. */
  private async stepOf(write: Write, patient: string, turn: FilingTurn): Promise<Step> {
    if (write.kind === 'create') {
      const found = mayBeThere(turn) ? await this.looks.there(write, patient, true, turn) : 'free';
      if (found !== 'free' && found !== 'named') return { write, found, entry: null };
      const isSafe = found === 'free';
      return { write, found: null, entry: creating(write, patient, isSafe), isSafe, before: null };
    }
    const present = await this.looks.present(write.of, turn);
    if (await this.looks.isDone(write, present, turn)) {
      turn.marks.done(`${write.of.type}/${write.of.id}`);
      return { write, found: this.looks.changed(write, present, turn), entry: null };
    }
    requireNotTaken(write.of, turn);
    if (write.kind === 'update') requireUnchanged(write, present);
    return { write, found: null, entry: changing(write, present, turn), isSafe: true, before: versionOf(present) };
  }
}

/** What the transaction leaves where nothing is heard of it. */
function begunBy(steps: readonly Step[], patient: string): BegunWrite {
  const sent = steps.flatMap((step) => (step.entry === null ? [] : [step]));
  const changes = sent.flatMap(({ write, before }) => (write.kind === 'create' ? [] : [{ ...write.of, before }]));
  const isUnguarded = changes.some(({ before }) => before === null);
  const [only] = changes;
  const target = only === undefined || sent.length > 1 ? {} : { target: `${only.type}/${only.id}` };
  const kind: WriteKind =
    changes.length === sent.length ? 'change' : sent.every(({ isSafe }) => isSafe) ? 'create-once' : 'create';
  return { patient, kind, ...target, ...(isUnguarded ? { isUnguarded } : {}) };
}

/** `isSafe` false: without a condition, which would find what ended. */
function creating(
  { resource, fullUrl }: Extract<Write, { kind: 'create' }>,
  patient: string,
  isSafe: boolean,
): BundleEntry {
  return {
    ...(fullUrl === undefined ? {} : { fullUrl }),
    resource,
    request: {
      method: 'POST',
      url: resource.resourceType,
      ...(isSafe ? { ifNoneExist: onlyOnce(resource, patient) } : {}),
    },
  };
}

/** What is to be sent, with the places of what is there already in the references to it. */
function entriesOf(steps: readonly Step[]): BundleEntry[] {
  let text = JSON.stringify(steps.flatMap(({ entry }) => entry ?? []));
  for (const { write, found } of steps)
    if (found !== null && write.kind === 'create' && write.fullUrl !== undefined)
      text = text.replaceAll(`"reference":"${write.fullUrl}"`, `"reference":"${found.type}/${found.id}"`);
  return JSON.parse(text) as BundleEntry[];
}

function changing(write: Change, present: AnsweredResource, { ehr }: FilingTurn): BundleEntry {
  const { type, id } = write.of;
  const versionId = versionOf(present);
  const resource =
    write.kind === 'amend'
      ? ({ ...present, status: write.status } as FiledForm)
      : ({ ...write.resource, ...keptThere(write, present), id } as FiledForm);
  return {
    fullUrl: `${ehr.fhirBaseUrl}/${type}/${id}`,
    resource,
    request: { method: 'PUT', url: `${type}/${id}`, ...(versionId === null ? {} : { ifMatch: `W/"${versionId}"` }) },
  };
}

/** A condition of a create that several fulfil, or a change of what was changed in between. */
function conflictOf(steps: readonly Step[], { codes }: FhirAnswer): 'ehr_duplicate' | 'ehr_changed_there' {
  const isTwice = codes.includes('multiple-matches') || steps.every(({ write }) => write.kind === 'create');
  return isTwice ? 'ehr_duplicate' : 'ehr_changed_there';
}

/** A write that was done; `wasThere`: the server says so by another status than 201. */
interface Done {
  readonly step: Step;
  readonly found: Found;
  readonly wasThere: boolean;
}

/** Whether it has taken one of the entries, to be done later. */
function hasTaken({ resource }: FhirAnswer): boolean {
  const { entry } = (resource ?? {}) as { readonly entry?: unknown };
  return listOf(entry).some((one) => statusOf(one).startsWith(String(TAKEN)));
}

/** What the server says of each entry, in their order; null: it does not say of every one that it was done, and as what. */
function doneBy(steps: readonly Step[], { resource }: FhirAnswer): readonly Done[] | null {
  const { type, entry } = (resource ?? {}) as { readonly type?: unknown; readonly entry?: unknown };
  const isAnswer = resource?.resourceType === 'Bundle' && type === 'transaction-response';
  const answered = isAnswer ? [...listOf(entry)] : [];
  const done = steps.map((step): Done | null => {
    if (step.entry === null) return { step, found: step.found, wasThere: false };
    const said = answered.shift();
    const found = placedBy(said, step.write);
    return found === null ? null : { step, found, wasThere: !statusOf(said).startsWith('201') };
  });
  // What was done is looked for by the next attempt.
  return done.every((one) => one !== null) ? done : null;
}

function statusOf(entry: object | undefined): string {
  const { response } = (entry ?? {}) as { readonly response?: { readonly status?: unknown } | null };
  return textOf(response?.status) ?? '';
}

function placedBy(entry: object | undefined, write: Write): Found | null {
  const { response, resource } = (entry ?? {}) as { readonly response?: unknown; readonly resource?: unknown };
  const said = (response ?? {}) as { readonly status?: unknown; readonly location?: unknown; readonly etag?: unknown };
  if (typeof said.status !== 'string' || !/^2\d\d\b/.test(said.status)) return null;
  const place = placeInUrl(textOf(said.location)) ?? placeOfResource(resource);
  const tag = versionOfTag(textOf(said.etag));
  const type: FiledType = write.kind === 'create' ? write.resource.resourceType : write.of.type;
  if (write.kind === 'create')
    return place?.type === type ? { type, id: place.id, versionId: place.versionId ?? tag } : null;
  const { id } = write.of;
  const isOther = place !== null && (place.type !== type || place.id !== id);
  return isOther ? null : { type, id, versionId: place?.versionId ?? tag };
}

function placeOfResource(resource: unknown): ReturnType<typeof placeInUrl> {
  const { resourceType, id, meta } = (resource ?? {}) as AnsweredResource;
  return typeof resourceType === 'string' && typeof id === 'string'
    ? { type: resourceType, id, versionId: versionOf(meta === undefined ? {} : { meta }) }
    : null;
}

function keptBy({ write }: Step, found: Found, patient: string): KeptResource {
  return keptOf(write, found, write.kind === 'create' ? patient : write.of.patient);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
