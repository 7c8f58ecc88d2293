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
import type { WriteKind } from '../queue/open-writes.js';
import { HeldError } from '../settings/holds.js';
import { keptOf, keptThere, requireUnchanged } from './kept-resources.js';
import { mayBeThere, type FilingTurn } from './filing-turn.js';
import { Looks, versionOf, type Found } from './looks.js';
import { requireAlone, requireNotTaken } from './patience.js';
import { isSuccess, refuse, TAKEN } from './refusals.js';
import { sendWrite, unnamed } from './sending.js';

/** A write that the transaction still has to do, or what an earlier one left of it. */
type Step =
  | { readonly write: Write; readonly found: Found; readonly entry: null }
  /** `isSafe` false: sent once more it would make something new. */
  | { readonly write: Write; readonly found: null; readonly entry: BundleEntry; readonly isSafe: boolean };

/** Files all writes of a version in one transaction Bundle. */
@Injectable()
export class TransactionFiler {
  constructor(
    private readonly server: EhrServer,
    private readonly looks: Looks,
  ) {}

  /** HeldError, TransientError, NoEhrAnswerError. */
  async file(writes: readonly Write[], patient: string, turn: FilingTurn): Promise<readonly KeptResource[]> {
    const { steps, held } = await this.stepsOf(writes, patient, turn);
    const kept = await this.sent(steps, writes, patient, turn);
    if (held !== null) throw held;
    return kept;
  }

  private async sent(
    steps: readonly Step[],
    writes: readonly Write[],
    patient: string,
    turn: FilingTurn,
  ): Promise<readonly KeptResource[]> {
    if (steps.every(({ found }) => found !== null)) return steps.map((step) => keptBy(step, step.found!, patient));
    const request = { method: 'POST', path: '', body: bundleOf(entriesOf(steps)) } as const;
    const answer = await sendWrite(this.server, request, { patient, kind: kindOf(steps) }, turn);
    if (isSuccess(answer.status)) {
      const done =
        (answer.status === TAKEN ? null : doneBy(steps, answer)) ??
        (await unnamed(answer, turn, 'no_transaction_response'));
      return this.confirmed(done, patient, turn);
    }
    if (answer.status === 412) throw new HeldError(conflictOf(writes, answer), answer.codes);
    return refuse(answer);
  }

  private async confirmed(all: readonly Done[], patient: string, turn: FilingTurn): Promise<readonly KeptResource[]> {
    const kept: KeptResource[] = [];
    for (const { step, found, wasThere } of all) {
      const { write } = step;
      const isAnother = wasThere && write.kind === 'create';
      kept.push(keptBy(step, isAnother ? await this.looks.confirm(found, write, patient, turn) : found, patient));
    }
    requireAlone(turn, patient);
    // What it created has places now, and it created nothing beside.
    turn.marks.answered();
    return kept;
  }

  /** `held`: of what cannot be taken back, which does not keep the rest from being; else that is thrown. */
  private async stepsOf(
    writes: readonly Write[],
    patient: string,
    turn: FilingTurn,
  ): Promise<{ readonly steps: readonly Step[]; readonly held: HeldError | null }> {
    const steps: Step[] = [];
    let held: HeldError | null = null;
    for (const write of writes)
      try {
        steps.push(await this.stepOf(write, patient, turn));
      } catch (fault) {
        if (!(fault instanceof HeldError) || !takesBack(writes)) throw fault;
        held ??= fault;
      }
    return { steps, held };
  }

  /** What stands there is read before it is changed: a server may answer a conflict in many ways, and for ever. */
  private async stepOf(write: Write, patient: string, turn: FilingTurn): Promise<Step> {
    if (write.kind === 'create') {
      const found = mayBeThere(turn) ? await this.looks.there(write, patient, true, turn) : 'free';
      if (found !== 'free' && found !== 'named') return { write, found, entry: null };
      const isSafe = found === 'free';
      return { write, found: null, entry: creating(write, patient, isSafe), isSafe };
    }
    const present = await this.looks.present(write.of, turn);
    if (await this.looks.isDone(write, present, turn))
      return { write, found: this.looks.changed(write, present, turn), entry: null };
    requireNotTaken(write.of, turn);
    if (write.kind === 'update') requireUnchanged(write, present);
    return { write, found: null, entry: changing(write, present, turn), isSafe: true };
  }
}

/** What the transaction leaves where nothing is heard of it. */
function kindOf(steps: readonly Step[]): WriteKind {
  const sent = steps.flatMap((step) => (step.entry === null ? [] : [step]));
  if (sent.every(({ write }) => write.kind !== 'create')) return 'change';
  return sent.every(({ isSafe }) => isSafe) ? 'create-once' : 'create';
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
function conflictOf(writes: readonly Write[], { codes }: FhirAnswer): 'ehr_duplicate' | 'ehr_changed_there' {
  const isTwice = codes.includes('multiple-matches') || writes.every(({ kind }) => kind === 'create');
  return isTwice ? 'ehr_duplicate' : 'ehr_changed_there';
}

/** A write that was done; `wasThere`: the server says so by another status than 201. */
interface Done {
  readonly step: Step;
  readonly found: Found;
  readonly wasThere: boolean;
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
