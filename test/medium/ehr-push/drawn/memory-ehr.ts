import { EhrCaller, NoEhrAnswerError, type EhrAnswer } from '../../../../src/ehrs/index.js';
import type { EhrCall } from '../../../../src/ehrs/ehr-caller.js';
import type { Dialect } from '../../../support/fake-ehr/dialects.js';
import { EhrState } from '../../../support/fake-ehr/ehr-state.js';
import { urlsOf } from '../../../support/fake-ehr/ehr-urls.js';
import { FhirServer } from '../../../support/fake-ehr/fhir-server.js';
import { PlannedFaults, type Fault } from '../../../support/fake-ehr/faults.js';
import type { Answer } from '../../../support/fake-ehr/index.js';
import { MemoryTroubles, oddlyAnswered, type Oddity } from './memory-oddities.js';

const ORIGIN = 'https://ehr.example';
const URLS = urlsOf(ORIGIN, ORIGIN);

/** Something that the EHR does at a time of its own. */
interface LateWork {
  readonly atMs: number;
  work(): unknown;
}

/** The strict fake EHR without a network, whose time is the test's: what it does late, and what it shows late. */
export class MemoryEhr extends EhrCaller {
  readonly fhirBaseUrl = URLS.fhirBaseUrl;
  readonly state: EhrState;
  readonly faults = new PlannedFaults();
  readonly troubles: MemoryTroubles;
  /** What the next write meets, whichever it is. */
  oddity: Oddity | null = null;
  late: LateWork[] = [];
  /** What is created is found by a search so long after. */
  searchLagMs = 0;
  /** By `Type/id`: from when on a search, or anybody at all, sees it. */
  private readonly hidden = new Map<string, { readonly untilMs: number; readonly isRead: boolean }>();
  private readonly server: FhirServer;
  private seen = 0;

  constructor(
    dialect: Dialect,
    private readonly now: () => number,
  ) {
    super({ guard: null as never, timeoutMs: 0, limitBytes: 0 });
    this.state = new EhrState(dialect, now);
    this.state.isOpen = true;
    this.troubles = new MemoryTroubles(now);
    this.server = new FhirServer(this.state, URLS);
  }

  override async ask(_ehr: unknown, call: EhrCall): Promise<EhrAnswer> {
    const { pathname, searchParams } = new URL(call.url);
    const fault = this.faults.take(call.method, pathname);
    if (fault?.kind === 'drop-before') throw lost();
    if (fault?.kind === 'answer') return toAnswer(fault.answer);
    if (fault?.kind === 'before') await fault.act();
    const headers = Object.fromEntries(Object.entries(call.headers ?? {}));
    const request = { method: call.method, path: pathname, query: searchParams };
    const path = pathname.slice('/fhir'.length);
    const sent = { method: call.method, headers, body: String(call.body ?? '') };
    const serve = (own: Readonly<Record<string, string>>, text: string): Answer =>
      this.serve({ ...request, headers: own, body: Buffer.from(text) }, path);
    const work = (): Answer => serve(headers, sent.body);
    const locked = this.troubles.lockMet(sent, path);
    if (locked !== null) return toAnswer(locked);
    this.troubles.meetsPoison(sent, work);
    if (fault?.kind === 'late') {
      fault.hold(() => Promise.resolve(work()));
      if (fault.answer === null) throw lost();
      return toAnswer(fault.answer);
    }
    const odd = this.oddity === null ? null : oddlyAnswered(this.oddity, sent, this.state, serve);
    if (odd !== null) this.oddity = null;
    return odd === null ? answered(work(), fault) : toAnswer(odd);
  }

  /** Everything whose time has come is done. */
  run(): readonly string[] {
    const over = this.late.filter(({ atMs }) => atMs <= this.now());
    this.late = this.late.filter((one) => !over.includes(one));
    return over.map(({ work }) => String(work()));
  }

  hide(reference: string, untilMs: number, isRead: boolean): void {
    this.hidden.set(reference, { untilMs, isRead });
  }

  /** What was created last; null: nothing since it was asked. */
  lastMade(): string | null {
    const { filed } = this.state.chart;
    const last = filed.length > this.seen ? filed.at(-1)!.kept : null;
    this.seen = filed.length;
    return last === null ? null : `${last.resourceType}/${String(last['id'])}`;
  }

  private serve(call: Parameters<FhirServer['answer']>[0], path: string): Answer {
    const before = this.state.chart.filed.length;
    if (call.method === 'GET' && this.isHidden(path.slice(1), true))
      return { status: 404, json: { resourceType: 'OperationOutcome', issue: [{ code: 'not-found' }] } };
    const answer = this.server.answer(call, path);
    if (this.searchLagMs > 0)
      for (const { interaction, kept } of this.state.chart.filed.slice(before))
        if (interaction === 'create')
          this.hide(`${kept.resourceType}/${String(kept['id'])}`, this.now() + this.searchLagMs, false);
    const bundle = answer.json as { entry?: { resource: { resourceType: string; id: string } }[] } | undefined;
    if (call.method !== 'GET' || bundle?.entry === undefined) return answer;
    const shown = bundle.entry.filter(({ resource: { resourceType, id } }) => !this.isHidden(`${resourceType}/${id}`));
    return { ...answer, json: { ...bundle, entry: shown } };
  }

  /** By a search. */
  isShown(reference: string): boolean {
    return !this.isHidden(reference);
  }

  private isHidden(reference: string, isRead = false): boolean {
    const one = this.hidden.get(reference);
    return one !== undefined && this.now() < one.untilMs && (one.isRead || !isRead);
  }
}

function answered(given: Answer, fault: Fault | undefined): EhrAnswer {
  if (fault?.kind === 'drop-after') throw lost();
  if (fault?.kind === 'accepted') return toAnswer(given.status < 300 ? { status: 202 } : given);
  if (fault?.kind === 'garbage')
    return toAnswer({ ...given, json: undefined, bytes: Buffer.from('<html>proxy</html>') });
  return toAnswer(given);
}

function lost(): NoEhrAnswerError {
  return new NoEhrAnswerError('lost', true);
}

function toAnswer({ status, headers = {}, json, bytes }: Answer): EhrAnswer {
  const body = bytes ?? Buffer.from(json === undefined ? '' : JSON.stringify(json));
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { status, headers: Object.fromEntries(named) as EhrAnswer['headers'], body };
}
