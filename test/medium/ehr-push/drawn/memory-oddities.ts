import type { EhrCall } from '../../../../src/ehrs/ehr-caller.js';
import { NoEhrAnswerError } from '../../../../src/ehrs/index.js';
import type { EhrState } from '../../../support/fake-ehr/ehr-state.js';
import type { Answer } from '../../../support/fake-ehr/index.js';
import { outcomeOf } from '../../../support/fake-ehr/outcome.js';

/** What real servers do that no strict one does, to one request. */
export type Oddity =
  /** A create is answered with 202 and its place. */
  | { readonly kind: 'taken-named'; hide(reference: string): void }
  /** Conditions and versions are looked at now, the work is done later. */
  | { readonly kind: 'parked'; hold(work: () => void): void }
  /** A transaction whose entries are answered with 202, and done later. */
  | { readonly kind: 'entries-taken'; hold(work: () => void): void }
  /** A change is answered as done, and the content stays. */
  | { readonly kind: 'ignored' };

type Request = Pick<EhrCall, 'method' | 'headers'> & { readonly body: string };
type Serve = (headers: Readonly<Record<string, string>>, body: string) => Answer;

/** What of an EHR is wrong for a while. */
export class MemoryTroubles {
  /** By `Type/id`: until when somebody has it open. */
  private readonly locked = new Map<string, number>();
  /** What a write contains that is never answered; null: none. */
  poison: { readonly texts: readonly string[]; readonly isDone: boolean } | null = null;

  constructor(private readonly now: () => number) {}

  lock(reference: string, untilMs: number): void {
    this.locked.set(reference, untilMs);
  }

  /** null: no write meets a lock. */
  lockMet({ method, body }: Request, path: string): Answer | null {
    if (method === 'GET') return null;
    const isMet = [...this.locked].some(
      ([reference, untilMs]) =>
        this.now() < untilMs && (path.endsWith(reference) || body.includes(`"url":"${reference}"`)),
    );
    if (!isMet) return null;
    return { status: 423, json: outcomeOf([{ code: 'lock-error', text: 'Somebody has it open.' }]) };
  }

  /** Of a write that is never answered. */
  meetsPoison({ method, body }: Request, serve: () => Answer): void {
    if (this.poison === null || method === 'GET') return;
    const said = decoded(body);
    if (this.poison.texts.every((text) => !said.includes(text))) return;
    if (this.poison.isDone) serve();
    throw new NoEhrAnswerError('lost', true);
  }
}

/** What a request is answered that meets an oddity; null: as it would be. */
export function oddlyAnswered(oddity: Oddity, request: Request, state: EhrState, serve: Serve): Answer | null {
  const { method, headers = {}, body } = request;
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  switch (oddity.kind) {
    case 'taken-named': {
      const before = state.chart.filed.length;
      const given = serve(own, body);
      if (given.status !== 201) return given;
      for (const { kept } of state.chart.filed.slice(before)) oddity.hide(`${kept.resourceType}/${String(kept['id'])}`);
      return { ...given, status: 202 };
    }
    case 'parked':
    case 'entries-taken': {
      if (method === 'GET') return null;
      const tried = triedOnly(state, () => serve(own, body));
      if (tried.status >= 300) return tried;
      // A create whose condition has found something makes nothing, now or later.
      if (tried.status === 201 || method === 'PUT' || isBundle(body))
        oddity.hold(() => void serve(versioned(unconditional(own), state, request), versionedBundle(body, state)));
      return oddity.kind === 'entries-taken' && isBundle(body) ? takenEntries(tried) : { status: 202 };
    }
    case 'ignored': {
      if (method !== 'PUT') return null;
      const { resourceType, id } = JSON.parse(body) as { readonly resourceType: string; readonly id: string };
      const reference = `${resourceType}/${id}`;
      const given = triedOnly(state, () => serve(own, body));
      if (given.status < 300) state.chart.amend(reference, {});
      return given;
    }
  }
}

class Undone extends Error {}

/** The answer of work that is not done. */
function triedOnly(state: EhrState, work: () => Answer): Answer {
  let answer: Answer | null = null;
  try {
    state.chart.atomically(() => {
      answer = work();
      throw new Undone();
    });
  } catch (fault) {
    if (!(fault instanceof Undone)) throw fault;
  }
  return answer!;
}

function isBundle(body: string): boolean {
  return body.startsWith('{"resourceType":"Bundle"');
}

function takenEntries({ json }: Answer): Answer {
  const bundle = json as { readonly entry: readonly { readonly response: object }[] };
  const entry = bundle.entry.map(({ response }) => ({ response: { ...response, status: '202 Accepted' } }));
  return { status: 200, json: { ...bundle, entry } };
}

function unconditional({ 'if-none-exist': _, ...others }: Readonly<Record<string, string>>): Record<string, string> {
  return others;
}

/** As it would be asked for now. */
function versioned(
  headers: Readonly<Record<string, string>>,
  state: EhrState,
  { method, body }: Request,
): Record<string, string> {
  if (method !== 'PUT' || headers['if-match'] === undefined) return { ...headers };
  const { resourceType, id } = JSON.parse(body) as { readonly resourceType: string; readonly id: string };
  return { ...headers, 'if-match': `W/"${versionOf(state, `${resourceType}/${id}`)}"` };
}

function versionedBundle(body: string, state: EhrState): string {
  if (!isBundle(body)) return body;
  const bundle = JSON.parse(body) as { entry: { request: { url: string; ifMatch?: string; ifNoneExist?: string } }[] };
  for (const { request } of bundle.entry) {
    delete request.ifNoneExist;
    if (request.ifMatch !== undefined) request.ifMatch = `W/"${versionOf(state, request.url)}"`;
  }
  return JSON.stringify(bundle);
}

function versionOf(state: EhrState, reference: string): string {
  const { meta } = (state.chart.current(reference) ?? {}) as { readonly meta?: { readonly versionId?: string } };
  return meta?.versionId ?? '';
}

/** A body with the texts of its attachments. */
function decoded(body: string): string {
  return body.replace(/"data":"([A-Za-z0-9+/=]+)"/g, (_, data: string) => Buffer.from(data, 'base64').toString('utf8'));
}
