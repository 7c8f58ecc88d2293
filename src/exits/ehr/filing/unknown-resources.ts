import { Injectable } from '@nestjs/common';
import type { PushContent } from '../../../core/ehrs/ehr.js';
import { DIALECTS } from '../dialects/dialects.js';
import { endedBy, writesOf, type FiledPart, type FiledResource, type Write } from '../dialects/filing.js';
import type { LedgerEntry } from '../queue/filed-ledger.js';
import type { KeptResource } from '../queue/kept-resource.js';
import { createsIn, isBy, mayUndo, withOneFound, type OpenWrite, type WriteTerms } from '../queue/open-writes.js';
import { HeldError } from '../settings/holds.js';
import type { FilingTurn } from './filing-turn.js';
import { Looks, type Found } from './looks.js';
import { Holds } from './held-back.js';
import { requireNoOther, requireOver, undoingBeside } from './patience.js';
import { PeopleFinder } from './people-finder.js';
import { ReportFacts, type VersionToFile } from './report-facts.js';

/** A resource that a delivery left in the EHR. */
export type Left = Omit<KeptResource, 'id'> & {
  readonly id: string;
  /** By a look: its delivery does not know of it. */
  readonly isFound?: true;
};

/** `today`: who has the number now. */
export interface Asked {
  readonly today: string | null;
  readonly turn: FilingTurn;
  readonly holds: Holds;
}

/** Writes to one chart that were made by the same settings. `patient` null: nobody knows which chart. */
interface OpenGroup {
  readonly patient: string | null;
  readonly terms: WriteTerms | undefined;
}

/** What writes of a group may have left, and what is known of that. */
interface GroupLook {
  readonly patient: string;
  readonly open: readonly OpenWrite[];
  readonly known: readonly KeptResource[];
  /** Its delivery is filed: what is open besides is no write that was seen done. */
  readonly isSettled: boolean;
  /** Whether what the group was sent by says that this went, too. */
  isSent(write: Write): boolean;
}

/** What a delivery may have left in an EHR of which it does not know. */
@Injectable()
export class UnknownResources {
  constructor(
    private readonly facts: ReportFacts,
    private readonly looks: Looks,
    private readonly people: PeopleFinder,
  ) {}

  /** What is known of it, and in each chart where writes of it may stand, what is found there by the settings that they were made by. */
  async of(
    entry: LedgerEntry,
    round: VersionToFile,
    before: readonly FiledResource[],
    asked: Asked,
  ): Promise<readonly Left[]> {
    const all: Left[] = entry.filed.flatMap(({ id, ...one }) => (id === null ? [] : [{ ...one, id }]));
    for (const group of groupsOf(entry.open, asked.today))
      all.push(...(await this.in(group, { ...entry, filed: all }, round, before, asked)));
    return all;
  }

  private async in(
    { patient, terms }: OpenGroup,
    { part, version, filed: known, open, isDiscarded, isFiled: isSettled }: LedgerEntry,
    round: VersionToFile,
    before: readonly FiledResource[],
    asked: Asked,
  ): Promise<readonly Left[]> {
    const { turn, holds } = asked;
    const report = round.local.versions.find((one) => one.version === version);
    if (report === undefined || patient === null) {
      // Nowhere to look: a person has, or is asked to.
      if (open.some(({ isLookedFor }) => isLookedFor !== true))
        await holds.collect(() => Promise.reject(new HeldError('ehr_outcome_unknown')));
      return [];
    }
    const ofGroup = open.filter((one) => one.patient === null || (one.patient === patient && isBy(one, terms)));
    const then = { ...roundBy(terms, round), local: { ...round.local, report } };
    const writes = await this.writesOf(part, then, patient, before, turn);
    const isSent = (write: Write): boolean =>
      terms !== undefined || round.ehr.push.send.includes(contentOf(write.part));
    const group = { patient, open: isDiscarded ? doubted(ofGroup) : ofGroup, known, isSettled, isSent };
    const created = await this.created(writes, group, asked);
    return [...created, ...(await this.changed(writes, group, asked))];
  }

  private async created(all: readonly Write[], group: GroupLook, { turn, holds }: Asked): Promise<readonly Left[]> {
    const { patient, known } = group;
    const creates = createsIn(group.open, patient);
    const found: Left[] = [];
    const made = creates.length === 0 ? [] : all.filter(({ kind }) => kind === 'create');
    for (const write of made) {
      const besides = holds.areCollected === true ? idsOf(known) : NONE;
      const there = await holds.collect(() => this.looks.done(write, turn, besides));
      const isNew = there === 'ended' || (isFound(there) && !isKnown(there, known));
      if (isFound(there) && isNew) found.push({ part: write.part, patient, ...leftBy(write, there), ...FOUND });
      if (!group.isSent(write)) continue;
      // One of them is that, and any other may be carried out yet. Whoever discards what nobody knew may have seen it there.
      await holds.collect(async () => {
        if (there === null) requireOver(creates, turn);
        else requireNoOther(isNew ? withOneFound(creates, patient) : creates, turn);
        return Promise.resolve(null);
      });
    }
    if (made.length === 0) await holds.collect(async () => Promise.resolve(requireOver(creates, turn)));
    return found;
  }

  /** Beside what is marked, what it may have changed stands by an earlier version; but it may go over the mark. */
  private async changed(all: readonly Write[], group: GroupLook, { turn, holds }: Asked): Promise<readonly Left[]> {
    const { patient, known } = group;
    const undoing = group.open.filter((one) => one.kind === 'change' && mayUndo(one));
    if (holds.areCollected !== false && undoing.length === 0) return [];
    const found: Left[] = [];
    const done = new Set<string>();
    const changes = all.flatMap((write) => (write.kind === 'create' ? [] : [write]));
    for (const write of changes) {
      const there = await holds.collect(() => unlessMoved(() => this.looks.done(write, turn)));
      if (!isFound(there)) continue;
      done.add(`${there.type}/${there.id}`);
      if (holds.areCollected === false && !isKnown(there, known))
        found.push({ part: write.part, patient, ...leftBy(write, there) });
    }
    const areAllDone = changes.length > 0 && changes.every(({ of }) => done.has(`${of.type}/${of.id}`));
    const left = group.isSettled ? undoing : undoingBeside(undoing, done, areAllDone);
    await holds.collect(async () => Promise.resolve(requireOver(left, turn)));
    return found;
  }

  /** What the version may have written: on what stands of it now, or where nothing did. */
  private async writesOf(
    part: FiledPart,
    round: VersionToFile,
    patient: string,
    before: readonly FiledResource[],
    turn: FilingTurn,
  ): Promise<readonly Write[]> {
    const encounter = await this.encounterOf(round, patient, turn);
    const facts = await this.facts.of(part, round, { patient, encounter, author: null, before });
    const writes = writesOf(round.dialect.filingOf(part, facts));
    const alone = writesOf(round.dialect.filingOf(part, { ...facts, before: [] }));
    const isKnown = (write: Write): boolean =>
      write.kind !== 'create' || writes.some((one) => one.kind === 'create' && one.look.value === write.look.value);
    return [...writes, ...alone.filter((write) => !isKnown(write))];
  }

  /** In which a note is looked for; null: in the whole chart. */
  private async encounterOf(
    { local, ehr }: VersionToFile,
    patient: string,
    { signal }: FilingTurn,
  ): Promise<string | null> {
    try {
      return await this.people.encounterOf(ehr, local.people, patient, signal);
    } catch (fault) {
      if (fault instanceof HeldError) return null;
      throw fault;
    }
  }
}

/** What is in another chart now is not looked at here: whoever changes it asks where it is. null: it is. */
async function unlessMoved<T>(look: () => Promise<T>): Promise<T | null> {
  try {
    return await look();
  } catch (fault) {
    if (fault instanceof HeldError && fault.hold === 'ehr_patient_changed') return null;
    throw fault;
  }
}

function isFound(there: Found | string | null): there is Found {
  return there !== null && typeof there !== 'string';
}

function isKnown({ type, id }: Found, known: readonly KeptResource[]): boolean {
  return known.some((one) => one.type === type && one.id === id);
}

function groupsOf(open: readonly OpenWrite[], today: string | null): readonly OpenGroup[] {
  const groups: OpenGroup[] = [];
  for (const one of open) {
    const patient = one.patient ?? today;
    if (!groups.some((group) => group.patient === patient && isBy(one, group.terms)))
      groups.push({ patient, terms: one.terms });
  }
  return groups;
}

/** The registration as it was. Where that is not known, everything is looked for that it may have sent. */
function roundBy(terms: WriteTerms | undefined, round: VersionToFile): VersionToFile {
  const { push } = round.ehr;
  if (terms === undefined) return { ...round, ehr: { ...round.ehr, push: { ...push, send: EVERYTHING } } };
  return { ...round, dialect: DIALECTS[terms.dialect], ehr: { ...round.ehr, push: { ...push, ...terms } } };
}

const EVERYTHING: readonly PushContent[] = ['pdf', 'observations', 'diagnostic-report'];

function contentOf(part: FiledPart): PushContent {
  return part === 'document' ? 'pdf' : part === 'report' ? 'diagnostic-report' : 'observations';
}

function leftBy(write: Write, { type, id, versionId, mayDiffer, isSuperseded }: Found): Omit<Left, 'part' | 'patient'> {
  const ended = isSuperseded === true ? 'superseded' : endedBy(write);
  return {
    type,
    id,
    versionId,
    ...(mayDiffer === true ? { mayDiffer } : {}),
    ...(ended === undefined ? {} : { ended }),
  };
}

const FOUND = { isFound: true } as const;
const NONE: ReadonlySet<string> = new Set();

function idsOf(known: readonly KeptResource[]): ReadonlySet<string> {
  return new Set(known.flatMap(({ id }) => id ?? []));
}

/** Not found, and asked of a person at once. */
function doubted(creates: readonly OpenWrite[]): readonly OpenWrite[] {
  return creates.map((one) => ({ ...one, isTaken: true, ageMs: Infinity }));
}
