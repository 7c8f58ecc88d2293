import { randomUUID } from 'node:crypto';
import { EhrRegister } from '../../../src/core/ehrs/ehr.register.js';
import type { Ehr } from '../../../src/core/ehrs/ehr.js';
import { isSuturaError } from '../../../src/core/errors/sutura-error.js';
import type { ClinicalReport } from '../../../src/core/report/clinical-report.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { NoEhrAnswerError } from '../../../src/ehrs/index.js';
import { EhrDeliveries } from '../../../src/exits/ehr/queue/ehr-queue.js';
import { WriteLedger, type WriteAnswer } from '../../../src/exits/ehr/queue/write-ledger.js';
import type { EhrEndpoint, EhrOutcome, EhrTransport } from '../../../src/exits/ehr/sender/ehr-transport.js';
import { judge, SENDER_TIMINGS, type Outcome } from '../../../src/exits/kit/index.js';
import { SystemStatements } from '../../../src/platform/database/statements.js';
import type { Answer, FakeEhr } from '../../support/fake-ehr/index.js';
import { WOUND } from '../../support/follow-up-context.js';
import { ChartView, type FiledDocument } from './chart-view.js';
import { PATIENTS, type FilingRow, type PushGround } from './push-ground.js';

/** Where a process ends while it files. */
export type Death = 'before it writes' | 'after it noted a write' | 'before it noted the answer';

/** A process that may end between two of its steps. */
class MortalLedger extends WriteLedger {
  death: Death | null = null;
  hasDied = false;

  override async begin(...args: Parameters<WriteLedger['begin']>): Promise<WriteAnswer> {
    this.dieIf('before it writes');
    const answer = await super.begin(...args);
    this.dieIf('after it noted a write');
    return answer;
  }

  override async keep(...args: Parameters<WriteLedger['keep']>): Promise<void> {
    this.dieIf('before it noted the answer');
    await super.keep(...args);
  }

  override file(...args: Parameters<WriteLedger['file']>): Promise<WriteAnswer> {
    this.dieIf('before it noted the answer');
    return super.file(...args);
  }

  private dieIf(death: Death): void {
    if (this.death !== death) return;
    this.hasDied = true;
    throw new NoEhrAnswerError('process ended', true);
  }
}

const PATIENCE = { lateMs: 120_000, takenMs: 7_200_000 };
const LEASE_MS = 60_000;
const ORDER = { ordering: 'lane', stopOnParked: false } as const;

interface LateWork {
  readonly isTaken: boolean;
  work(): Promise<Answer>;
}

/** One report on its way into one EHR, step by step: what happens between two attempts, and within one, is the test's to say. */
export class PushHistory {
  report!: ClinicalReport;
  /** Everything that happened, in words. */
  readonly told: string[] = [];
  readonly edited = new Set<string>();
  late: LateWork[] = [];
  private readonly refused = new Set<string>();
  private lease = randomUUID();
  private hasPatientMoved = false;
  private readonly deliveries: EhrDeliveries;

  constructor(
    private readonly ground: PushGround,
    private readonly tenant: Tenant,
    readonly ehr: FakeEhr,
    readonly registered: Ehr,
    private readonly patients: readonly [string, string],
    private readonly random: () => number,
  ) {
    const statements = ground.context.get(SystemStatements);
    this.deliveries = new EhrDeliveries(statements, new WriteLedger(statements));
  }

  /** The next EHR may get its address. */
  async end(): Promise<void> {
    await this.ehr.stop();
    await this.ground.context.get(EhrRegister).remove(this.tenant.organizationId, this.registered.id);
  }

  get chart(): ChartView {
    return new ChartView(this.ehr);
  }

  rows(): Promise<FilingRow[]> {
    return this.ground.rows(this.registered);
  }

  async assess(): Promise<void> {
    const made = await this.ground.followUp.assess(this.tenant, 0, 12, { ...WOUND, patientSystem: PATIENTS });
    this.report = made;
    await this.decide('accept');
  }

  async decide(decision: 'accept' | 'reject'): Promise<void> {
    this.told.push(decision);
    this.report = await this.ground.followUp.review(this.tenant, this.report, { decision, note: 'Seen' });
    await this.ground.tell(this.tenant, this.report);
  }

  /** One attempt of what is due, by a process that may end in it. False: nothing is due. */
  async step(death: Death | null = null): Promise<boolean> {
    const ehr = (await this.ground.pushRegister.served()).find(({ id }) => id === this.registered.id);
    if (ehr === undefined) return false;
    const statements = this.ground.context.get(SystemStatements);
    const writes = new MortalLedger(statements);
    writes.death = death;
    const transport = this.ground.transport({ ...PATIENCE, writes });
    const lease = { endpointId: this.registered.id, token: this.lease };
    if (!(await this.deliveries.hold(lease, LEASE_MS))) return false;
    const [due] = (await this.deliveries.next(lease, ORDER)).due;
    if (due === undefined || 'sealed' in due) return false;
    const outcome = await sent(transport, { id: ehr.id, ehr, collapse: false, ...ORDER, revision: '' }, due);
    this.told.push(
      `  v${due.version} #${due.attempts}${death === null ? '' : ` (ends ${death})`}: ${wordsOf(outcome)}${writes.hasDied ? ', ended' : ''}`,
    );
    this.ehr.control.mend();
    if (writes.hasDied) {
      this.steal();
      await this.expire();
      return true;
    }
    const verdict = judge(outcome, due, SENDER_TIMINGS);
    if (verdict.kind === 'delivered') return true;
    const columns = transport.columnsOf(due.id, outcome);
    const fault = outcome.kind === 'silent' ? outcome.fault : null;
    const counts = verdict.kind === 'retry' ? verdict : { failures: 0, refusals: due.refusals };
    const state = verdict.kind === 'parked' ? ('parked' as const) : ('waiting' as const);
    const time = { afterMs: 0, beganMs: performance.now(), endedMs: performance.now() };
    const { failures, refusals } = counts;
    await this.deliveries.failed(lease, due.id, { state, failures, refusals, fault, unsent: false, columns, ...time });
    return true;
  }

  /** Another process has the lease from now on. */
  steal(): void {
    this.lease = randomUUID();
  }

  async expire(): Promise<void> {
    await this.ground.query(
      `update ehr_senders set lease_until = now() - interval '1 second' where ehr_id = '${this.registered.id}' and lease_until is not null`,
    );
  }

  /** What is under way is carried out, or never will be. `isLong`: what the EHR has taken, too. */
  async wait(isLong: boolean): Promise<void> {
    this.told.push(isLong ? 'three hours pass' : 'three minutes pass');
    const over = this.late.filter(({ isTaken }) => isLong || !isTaken);
    this.late = this.late.filter((one) => !over.includes(one));
    for (const { work } of over) if (this.random() < 0.6) this.told.push(`  late: ${(await work()).status}`);
    await this.ground.query(
      `update ehr_deliveries set open_writes = (select coalesce(jsonb_agg(one || jsonb_build_object('at', (one ->> 'at')::timestamptz - interval '${isLong ? 3 * 60 : 3} minutes')), '[]')
        from jsonb_array_elements(open_writes) one) where ehr_id = '${this.registered.id}'`,
    );
  }

  /** The number goes to the other record. */
  movePatient(): void {
    this.told.push('the number moves');
    this.hasPatientMoved = !this.hasPatientMoved;
    const [first, second] = this.patients;
    const number = [{ system: PATIENTS, value: 'MRN-4711' }];
    for (const id of [first, second])
      this.ehr.control.addResource({
        resourceType: 'Patient',
        id,
        identifier: id === this.patientId ? number : [],
      });
  }

  get patientId(): string {
    return this.patients[this.hasPatientMoved ? 1 : 0];
  }

  async setEnabled(enabled: boolean): Promise<void> {
    this.told.push(enabled ? 'push on' : 'push off');
    await this.ground.setPush(this.registered, { enabled });
  }

  /** A clinician changes what stands, where nothing is under way to it. */
  async edit(): Promise<void> {
    const isUnderWay = this.late.length > 0 || (await this.rows()).some(({ unsettled }) => unsettled);
    const one = this.chart.standing()[0];
    if (isUnderWay || one === undefined) return;
    this.told.push(`edited ${one.reference}`);
    this.edited.add(one.reference);
    this.ehr.control.edit(one.reference, { description: 'Seen by hand' });
  }

  async replayDelivered(): Promise<void> {
    const rows = (await this.rows()).filter(({ state }) => state === 'delivered');
    const row = rows[Math.floor(this.random() * rows.length)];
    if (row === undefined) return;
    this.told.push(`replay of v${row.version}`);
    await unlessRefused(() => this.ground.control.replay(row.id, 'tester'));
  }

  /** Does what the hold of a delivery tells, once all that may be carried out late was. */
  async follow({ id, version, held_for: hold }: FilingRow): Promise<void> {
    if (this.late.length > 0) await this.wait(true);
    const { control } = this.ground;
    const standing = this.chart.standing();
    const before = this.told.length;
    const end = (those: readonly FiledDocument[]) => {
      for (const { reference } of those) {
        this.told.push(`  entered in error: ${reference}`);
        this.ehr.control.edit(reference, { status: 'entered-in-error' });
      }
    };
    const away = () => control.discard(id, 'tester');
    const again = async (): Promise<void> => {
      // As the refusal says.
      if ((await unlessRefused(() => control.requeue(id, 'tester'))) === 'refused') await away();
    };
    this.told.push(`person at v${version} ${hold ?? ''}`);
    switch (hold) {
      case 'ehr_outcome_unknown':
        if (standing.some((one) => one.version === version)) return away();
        end(standing.filter((one) => one.version < version));
        return again();
      case 'ehr_duplicate':
        end(standing.slice(0, -1));
        return again();
      case 'ehr_patient_changed':
        // What a later one took the place of stands there, too.
        end(
          this.chart
            .all()
            .filter(({ patient, status }) => patient !== `Patient/${this.patientId}` && status !== 'entered-in-error'),
        );
        return again();
      case 'ehr_refused':
        // Some keep a number for good, whatever became of what has it: then nothing but another version helps.
        if (this.refused.has(id)) return away();
        this.refused.add(id);
        return again();
      case 'ehr_superseded':
        end(standing.filter((one) => one.version === version));
        return away();
      case 'ehr_changed_there':
      case 'ehr_removed_there':
        return away();
      case null:
      default:
        throw new Error(`Nobody expected ${hold ?? 'a park'} after ${this.told.slice(0, before).join('\n')}`);
    }
  }
}

type Due = Parameters<Awaited<ReturnType<EhrTransport['open']>>['send']>[0];

async function sent(transport: EhrTransport, endpoint: EhrEndpoint, due: Due): Promise<Outcome<EhrOutcome>> {
  try {
    return { kind: 'answered', ...(await (await transport.open(endpoint)).send(due)) };
  } catch (error) {
    return transport.silenceOf(error);
  }
}

async function unlessRefused(work: () => Promise<void>): Promise<'done' | 'refused'> {
  try {
    await work();
    return 'done';
  } catch (fault) {
    if (isSuturaError(fault, 'ehr.superseded', 'ehr.delivery_state')) return 'refused';
    throw fault;
  }
}

function wordsOf(outcome: Outcome<EhrOutcome>): string {
  if (outcome.kind === 'silent') return outcome.fault;
  return [outcome.meaning, outcome.answer.hold ?? '', ...outcome.answer.codes].join(' ');
}
