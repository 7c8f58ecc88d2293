import { Injectable } from '@nestjs/common';
import { endedBy, isWithdrawn, writesOf, type FiledPart, type FiledResource, type Write } from '../dialects/filing.js';
import { FiledLedger, type LedgerEntry } from '../queue/filed-ledger.js';
import type { KeptResource } from '../queue/kept-resource.js';
import { createsIn, withFound, type OpenWrite } from '../queue/open-writes.js';
import { HeldError, type Hold } from '../settings/holds.js';
import type { FilingTurn } from './filing-turn.js';
import { isInError, Looks, requireOver, type Found } from './looks.js';
import { PeopleFinder } from './people-finder.js';
import { isMarked, ReportFacts, type VersionToFile } from './report-facts.js';
import { subjectOf } from './subject.js';

/** What stands in an EHR of a report: by the ledger, by a look where that does not know, and in whose chart. */
@Injectable()
export class Standings {
  constructor(
    private readonly ledger: FiledLedger,
    private readonly facts: ReportFacts,
    private readonly looks: Looks,
    private readonly people: PeopleFinder,
  ) {}

  /**
   * Of earlier versions of the part, each resource once, oldest first. `today`: who has the patient's number now; null: nobody, or several.
   * `ehr_outcome_unknown`, `ehr_patient_changed`, `ehr_duplicate`; what marks what stands is given them beside the rest. TransientError while a write
   * of theirs may be carried out yet.
   */
  async before(part: FiledPart, round: VersionToFile, today: string | null, turn: FilingTurn): Promise<Standing> {
    const { id: reportId, version } = round.local.report;
    const holds = new Holds(isMarked(part, round));
    const standing = new Map<string, FiledResource>();
    const { entries, begun } = await this.ledger.before(turn.ehr.id, { part, reportId, version });
    turn.marks.sawBefore(begun);
    for (const entry of entries)
      for (const one of await this.left(entry, round, [...standing.values()], { today, turn, holds })) {
        const key = `${one.type}/${one.id}`;
        // Newer ones come last, as nothing is held back that was filed later.
        standing.delete(key);
        if (one.ended !== 'entered-in-error')
          standing.set(key, { ...one, isSuperseded: one.ended === 'superseded', version: entry.version });
      }
    // What is gone keeps nothing else from being taken back.
    const gone = new Holds(isWithdrawn(round.local.report) ? 'ehr_removed_there' : holds.areCollected);
    const charted: (FiledResource | null)[] = [];
    const newest = new Map([...standing.values()].filter((one) => !one.isSuperseded).map((one) => [one.part, one]));
    for (const one of standing.values()) {
      const isNewest = newest.get(one.part) === one;
      charted.push(await holds.collect(() => gone.collect(() => this.charted(one, round, today, turn, isNewest))));
    }
    return { standing: charted.filter((one) => one !== null), held: holds.first ?? gone.first };
  }

  /** What attempts of this delivery left in another chart than the one where it goes now. As `before`. */
  async elsewhere(
    part: FiledPart,
    round: VersionToFile,
    before: readonly FiledResource[],
    patient: string,
    turn: FilingTurn,
  ): Promise<readonly KeptResource[]> {
    const { open: own, filed: kept } = turn.earlier;
    const filed = kept.filter((one) => one.patient !== patient && one.ended === undefined);
    const open = own.filter((one) => one.patient !== null && one.patient !== patient);
    const { version } = round.local.report;
    const entry = { part, version, filed, open, isDiscarded: false };
    const left: KeptResource[] = [];
    for (const one of await this.left(entry, round, before, { today: patient, turn, holds: new Holds(false) })) {
      const there = await this.charted({ ...one, version, isSuperseded: false }, round, patient, turn);
      if (there === null) continue;
      if (filed.every(({ id }) => id !== one.id)) turn.marks.found(one.patient);
      left.push({ ...one, patient: there.patient });
    }
    return left;
  }

  /** What a delivery left in the EHR: what is known, and in each chart where writes of it may stand, what is found there. */
  private async left(
    entry: LedgerEntry,
    round: VersionToFile,
    before: readonly FiledResource[],
    asked: Asked,
  ): Promise<readonly Left[]> {
    const known = entry.filed.flatMap(({ id, ...one }) => (id === null ? [] : [{ ...one, id }]));
    const charts = new Set(entry.open.map(({ patient }) => patient ?? asked.today));
    const all: Left[] = [...known];
    for (const patient of charts)
      all.push(...(await this.leftIn(patient, { ...entry, filed: known }, round, before, asked)));
    return all;
  }

  private async leftIn(
    patient: string | null,
    { part, version, filed: known, open, isDiscarded }: LedgerEntry,
    round: VersionToFile,
    before: readonly FiledResource[],
    { turn, holds }: Asked,
  ): Promise<readonly Left[]> {
    const report = round.local.versions.find((one) => one.version === version);
    if (report === undefined || patient === null) {
      // Nowhere to look: a person has, or is asked to.
      if (!turn.isAskedAnew) await holds.collect(() => Promise.reject(new HeldError('ehr_outcome_unknown')));
      return [];
    }
    const creates = createsIn(open, patient);
    const then = { ...round, local: { ...round.local, report } };
    const encounter = await this.encounterOf(then, patient, turn);
    const facts = await this.facts.of(part, then, { patient, encounter, author: null, before });
    const found: Left[] = [];
    for (const write of writesOf(round.dialect.filingOf(part, facts))) {
      // What it may have changed stands by an earlier version, and is taken back by that.
      if (write.kind === 'create' ? creates.length === 0 : holds.areCollected) continue;
      const besides = holds.areCollected === true ? idsOf(known) : NONE;
      const there = await holds.collect(() => this.looks.done(write, turn, besides));
      const isNew =
        there !== null && (there === 'ended' || !known.some(({ type, id }) => type === there.type && id === there.id));
      if (isNew && there !== 'ended') found.push({ part: write.part, patient, ...leftBy(write, there) });
      // One of them is that, and any other may be carried out yet. Whoever discards what nobody knew may have seen it there.
      const others = isNew ? withFound(creates, patient) : creates;
      if (write.kind === 'create')
        await holds.collect(async () => requireOver(isDiscarded ? doubted(others) : others, turn));
    }
    return found;
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

  /**
   * The resource with the chart that it is in now; null: nothing is to be done about it. A correction in another chart would leave what it corrects
   * where it is wrong; a withdrawal goes to where it is.
   */
  private async charted(
    one: FiledResource,
    { local, ehr }: VersionToFile,
    today: string | null,
    turn: FilingTurn,
    isNewest = true,
  ): Promise<FiledResource | null> {
    const present = await this.looks.read(one.type, one.id, turn);
    // A correction takes the place of the newest alone.
    if (present === null && !isNewest && !isWithdrawn(local.report)) return null;
    // What is there no more may be out of our sight alone, or not shown yet: a person says what stands.
    if (present === null) throw new HeldError('ehr_removed_there');
    const subject = subjectOf(present, ehr);
    if (subject === today && one.patient === today) return { ...one, isInError: isInError(present) };
    if (isInError(present)) turn.marks.forget(one);
    if (isInError(present)) return null;
    // The EHR has joined the two records, and says so by the resource.
    if (subject !== null && subject === today) return { ...one, patient: subject };
    if (isWithdrawn(local.report) && subject === one.patient) return one;
    throw new HeldError('ehr_patient_changed');
  }
}

/** What stands, and why there may be more of it. */
export interface Standing {
  readonly standing: readonly FiledResource[];
  /** null: nothing is in doubt. */
  readonly held: HeldError | null;
}

/** Holds met while looking; what is not to be collected is thrown at once. `areCollected`: all of them, none, or one kind. */
class Holds {
  first: HeldError | null = null;

  constructor(readonly areCollected: boolean | Hold) {}

  /** null: it was held. */
  async collect<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (fault) {
      if (!(fault instanceof HeldError) || this.areCollected === false) throw fault;
      if (this.areCollected !== true && this.areCollected !== fault.hold) throw fault;
      this.first ??= fault;
      return null;
    }
  }
}

type Left = Omit<KeptResource, 'id'> & { readonly id: string };

/** `today`: who has the number now. */
interface Asked {
  readonly today: string | null;
  readonly turn: FilingTurn;
  readonly holds: Holds;
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

const NONE: ReadonlySet<string> = new Set();

function idsOf(known: readonly KeptResource[]): ReadonlySet<string> {
  return new Set(known.flatMap(({ id }) => id ?? []));
}

/** Not found, and asked of a person at once. */
function doubted(creates: readonly OpenWrite[]): readonly OpenWrite[] {
  return creates.map((one) => ({ ...one, isTaken: true, ageMs: Infinity }));
}
