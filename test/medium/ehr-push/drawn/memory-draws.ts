import { randomNumbers } from '../../../support/card-scene.js';
import type { Dialect } from '../../../support/fake-ehr/index.js';
import { edit, shownOf, standing } from './memory-chart.js';
import { MemoryChecks } from './memory-checks.js';
import { LATENESS_MS, MemoryFaults } from './memory-faults.js';
import { MemoryHistory, MINUTE_MS, PATIENCE } from './memory-history.js';
import { MemoryPeople } from './memory-people.js';
import { PROFILES, type Act } from './memory-profiles.js';
import { AREA, OTHER_AREA, PATIENTS, type Death } from './memory-sender.js';

const DIALECTS = ['us-core-note', 'transaction', 'oracle', 'isik', 'epic'] as const satisfies readonly Dialect[];
const DEATHS: readonly Death[] = ['before it writes', 'after it noted a write', 'before it noted the answer'];
/** Of those some servers name no versions. */
const VERSIONLESS: ReadonlySet<Dialect> = new Set(['us-core-note', 'transaction', 'oracle']);
/** More than any history needs to come to its end. */
const MOST_ROUNDS = 60;
const PAUSE_MS = 180 * MINUTE_MS;

/** How an EHR keeps a moment: as it is sent, without parts of a second, by other clocks. */
const KEPT_MOMENTS: readonly ((moment: string) => string)[] = [
  (moment) => moment,
  (moment) => moment.replace(/\.\d+/, ''),
  (moment) => new Date(Date.parse(moment) + 3_600_000).toISOString().replace(/\.\d+Z/, '+01:00'),
];
const SENDS = [
  ['pdf'],
  ['observations'],
  ['pdf', 'observations'],
  ['diagnostic-report'],
  ['pdf', 'observations', 'diagnostic-report'],
] as const;

/** A random history of one report, by its seed: what happens, and what must hold. */
export class DrawnHistory {
  readonly history: MemoryHistory;
  private readonly people: MemoryPeople;
  private readonly random: () => number;
  private readonly profile: keyof typeof PROFILES;
  private readonly checks: MemoryChecks;
  private readonly faults: MemoryFaults;
  private hasConditions = true;

  constructor(seed: number) {
    this.random = randomNumbers(seed);
    this.history = new MemoryHistory(this.draw(DIALECTS));
    this.people = new MemoryPeople(this.history, {
      haveChanged: () => this.hasChanged,
    });
    this.checks = new MemoryChecks(this.history, this.people);
    if (this.random() < 0.25) this.history.chart.searchLagMs = this.draw(LATENESS_MS);
    const { state, searchLagMs } = this.history.chart;
    const hasLateConditions = searchLagMs < PATIENCE.lateMs && this.random() < 0.5;
    if (hasLateConditions) state.isIndexed = (reference) => this.history.chart.isShown(reference);
    state.keptMoment = this.draw(KEPT_MOMENTS);
    state.namesNoVersions = this.random() < 0.2 && VERSIONLESS.has(this.history.dialect);
    const { told, dialect, chart } = this.history;
    this.profile = this.draw(Object.keys(PROFILES) as (keyof typeof PROFILES)[]);
    const draws = { random: this.random, draw: <T>(list: readonly T[]): T => this.draw(list) };
    this.faults = new MemoryFaults(this.history, draws, () => this.touch(), this.profile === 'replays');
    told.push(
      `${dialect}, ${this.profile}, a search lags ${chart.searchLagMs / MINUTE_MS} minutes${hasLateConditions ? ', conditions too' : ''}${state.namesNoVersions ? ', no versions' : ''}`,
    );
    this.history.decide('final');
  }

  /** Somebody, or the history in their place, has changed what stands in a chart, or said so. */
  private get hasChanged(): boolean {
    const { edited, hasMoved } = this.checks;
    return edited.size > 0 || hasMoved || this.faults.hasConflicts;
  }

  /** @throws what does not hold, with the history in words. */
  async run(): Promise<void> {
    try {
      for (let act = 0; act < 12; act += 1) {
        await this.happen();
        this.checks.check();
      }
      await this.finish();
    } catch (fault) {
      const rows = this.history.table.rows.map(
        ({ part, version, state, hold, unsettled }) =>
          `${part} v${version} ${hold ?? state}${unsettled ? ' unsettled' : ''}`,
      );
      const shown = (['DocumentReference', 'Observation'] as const).flatMap((type) => shownOf(this.history, type));
      const seen = shown.map(
        ({ reference, mark, patient, status }) => `${reference} mark ${mark} ${patient} ${status}`,
      );
      const said = [(fault as Error).message, ...this.history.told, '', ...rows, '', ...seen].join('\n');
      throw new Error(said, { cause: fault });
    }
  }

  private draw<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)]!;
  }

  private async happen(): Promise<void> {
    const { history, people } = this;
    const parked = history.table.rows.filter(({ state }) => state === 'parked');
    const isOpen = history.versions.at(-1)!.report.status !== 'entered-in-error';
    switch (this.drawAct()) {
      case 'attempt':
        if (this.random() < 0.65) this.faults.plan();
        return void (await history.step(this.random() < 0.12 ? this.draw(DEATHS) : null));
      case 'decide':
        return isOpen && history.versions.length < 4 ? this.decide() : undefined;
      case 'pass':
        return history.pass(this.draw(LATENESS_MS));
      case 'follow':
        return parked.length > 0 ? people.follow(this.draw(parked)) : undefined;
      case 'replay':
        return this.replay();
      case 'touch':
        return this.touch();
      case 'move':
        return this.move();
      case 'declare':
        return this.declare();
      case 'backUp':
        return history.backUp();
      case 'restore':
        return void history.restore();
      case 'restate':
        return this.restate();
      case 'pause':
        history.isServed = !history.isServed;
        return void history.told.push(history.isServed ? 'resumed' : 'paused');
      case 'poison':
        return this.poison();
      case 'lock':
        return this.lock();
      case 'register':
        return history.isRegistered ? history.remove() : history.register();
    }
  }

  private drawAct(): Act {
    const weights = Object.entries(PROFILES[this.profile]) as [Act, number][];
    let rest = this.random() * weights.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [act, weight] of weights) {
      rest -= weight;
      if (rest < 0) return act;
    }
    return 'attempt';
  }

  private decide(): void {
    const { history } = this;
    if (this.random() < 0.2) history.reviewer = 'HCP-unknown';
    history.decide(this.random() < 0.4 ? 'entered-in-error' : 'final');
  }

  /** Conditional creates are declared no more, or again. */
  private declare(): void {
    const { state } = this.history.chart;
    this.hasConditions = !this.hasConditions;
    if (this.hasConditions) state.offer('DocumentReference', 'conditional-create');
    else state.withdraw('DocumentReference', 'conditional-create');
    this.history.told.push(`conditional creates: ${String(this.hasConditions)}`);
  }

  /** Another list of what is sent, or another code of the area. */
  private restate(): void {
    const { history } = this;
    const { dialect } = history;
    if ((dialect === 'epic' || dialect === 'oracle') && this.random() < 0.5) {
      const area = this.draw([AREA, OTHER_AREA]);
      history.told.push(`the code is ${area.code}`);
      return history.restate({ codes: { area } });
    }
    const sends = SENDS.filter((send) => dialect === 'transaction' || !send.includes('diagnostic-report' as never));
    if (dialect === 'isik') return;
    const send = this.draw(sends);
    history.told.push(`sent is ${send.join(', ')}`);
    history.restate({ send });
  }

  /** What the newest version has is never answered, until somebody mends it. */
  private poison(): void {
    const { history } = this;
    const { mark } = history.versions.at(-1)!;
    const isDone = this.random() < 0.3;
    history.told.push(`writes of mark ${mark} are ${isDone ? 'done, and ' : ''}never answered`);
    history.chart.troubles.poison = { texts: [`mark ${mark}.`, `"value":${10 + mark / 10},`], isDone };
  }

  /** Somebody has one open, and nobody else writes into it. */
  private lock(): void {
    const up = (['DocumentReference', 'Observation'] as const).flatMap((type) => standing(shownOf(this.history, type)));
    if (up.length === 0) return;
    const { reference } = this.draw(up);
    const ms = this.draw(LATENESS_MS);
    this.history.told.push(`${reference} is locked for ${ms / MINUTE_MS} minutes`);
    this.history.chart.troubles.lock(reference, this.history.nowMs + ms);
  }

  private replay(): void {
    const rows = this.history.table.rows.filter(({ state }) => state !== 'waiting' && state !== 'discarded');
    const known = rows.filter(({ hold }) => hold !== 'ehr_outcome_unknown');
    if (known.length === 0) return;
    const row = this.draw(known);
    this.history.told.push(`replay of ${row.part} v${row.version}: ${this.history.again(row) ? 'done' : 'refused'}`);
  }

  /** A clinician writes into what stands, or enters it in error. */
  private touch(): void {
    const up = (['DocumentReference', 'Observation'] as const).flatMap((type) => standing(shownOf(this.history, type)));
    // Where no version is named, nobody sees what a hand has changed: docs/decisions/0136.
    if (up.length === 0 || this.history.chart.state.namesNoVersions) return;
    const one = this.draw(up);
    if (this.random() < 0.3) return this.people.end([one]);
    this.history.told.push(`edited by hand: ${one.reference}`);
    this.checks.edited.add(one.reference);
    edit(this.history, one.reference);
  }

  /** Nobody has the number any more, it goes to the other record, or the two are joined there, with all that they have. */
  private move(): void {
    const { history } = this;
    const { chart } = history.chart.state;
    const from = history.patientId;
    if (this.random() < 0.25) {
      history.told.push('nobody has the number');
      return chart.amend(`Patient/${from}`, { identifier: [] });
    }
    history.holder = 1 - history.holder;
    this.checks.hasMoved = true;
    const isJoined = this.random() < 0.5;
    history.told.push(isJoined ? 'the records are joined' : 'the number moves');
    chart.amend(`Patient/${from}`, { identifier: [] });
    chart.amend(`Patient/${history.patientId}`, { identifier: [{ system: PATIENTS, value: 'MRN-4711' }] });
    if (!isJoined) return;
    for (const type of ['DocumentReference', 'Observation', 'DiagnosticReport'])
      for (const one of chart.ofType(type))
        if (JSON.stringify(one['subject']).includes(`Patient/${from}`)) {
          const encounter = chart
            .ofType('Encounter')
            .find((visit) => JSON.stringify(visit).includes(`Patient/${history.patientId}`));
          const context = one['context'] as { encounter?: unknown } | undefined;
          const visit = { reference: `Encounter/${String(encounter!['id'])}` };
          chart.amend(`${type}/${String(one['id'])}`, {
            subject: { reference: `Patient/${history.patientId}` },
            ...(context?.encounter === undefined ? {} : { context: { ...context, encounter: [visit] } }),
            ...(one['encounter'] === undefined ? {} : { encounter: visit }),
          });
        }
  }

  /** Everything that waits is sent, and people do what they are told, until nothing is left. */
  private async finish(): Promise<void> {
    const { history, people } = this;
    history.told.push('the end');
    history.isServed = true;
    if (!history.isRegistered) history.register();
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      history.pass(PAUSE_MS);
      for (let attempt = 0; attempt < 12 && (await history.step()); attempt += 1) this.checks.check();
      const isOver = history.table.rows.every(({ state }) => state !== 'waiting') && history.chart.late.length === 0;
      if (!isOver) continue;
      this.checks.checkSaid();
      const parked = history.table.rows.find(({ state }) => state === 'parked');
      if (parked === undefined) return;
      people.follow(parked);
    }
    throw new Error('It comes to no end.');
  }
}
