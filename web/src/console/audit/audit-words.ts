import type { ErrorCode } from '../../../../src/core/errors/catalogue.js';
import type { AuditEvent } from '../shared/answers.js';

/** What was done, for a person; operations of the service by their `$`. */
const DONE: Readonly<Record<string, string>> = {
  read: 'read',
  vread: 'read an older version of',
  'history-instance': 'read the history of',
  'history-type': 'read the history of',
  'search-type': 'searched',
  create: 'made',
  update: 'changed',
  patch: 'changed',
  delete: 'deleted',
  transaction: 'posted a transaction with',
  batch: 'posted a batch with',
  $analyze: 'had analysed',
  $attest: 'reviewed',
  '$cds-feedback': 'told what became of cards of',
  '$cds-hook': 'was answered about',
  '$change-ehr': 'changed',
  '$change-user': 'changed',
  '$create-ehr': 'registered',
  '$create-key': 'made',
  '$create-user': 'made',
  '$delete-ehr': 'removed',
  '$dry-run': 'tried a resource or message, of which nothing was kept',
  $erase: 'erased',
  $everything: 'read everything of',
  $export: 'exported',
  '$list-keys': 'looked at the keys of',
  '$list-users': 'looked at the users',
  $park: 'parked',
  $pause: 'paused',
  $rebuild: 'made anew and sent again',
  $replay: 'sent again',
  $reprocess: 'had read once more',
  '$reset-user': 'reset the login of',
  '$restrict-key': 'changed',
  $resume: 'resumed',
  $retention: 'removed what was too old',
  '$resolve-held': 'decided about what waited:',
  '$retry-failures': 'had done again what failed for one cause:',
  '$retry-jobs': 'had analysed again',
  '$revoke-key': 'revoked',
  '$rotate-key': 'replaced',
  '$rotate-published-keys': 'replaced the keys that EHRs know',
  $test: 'tested',
  '$test-ehr': 'tested',
  $trace: 'looked at the timeline of',
  $usage: 'looked at the usage of',
  $validate: 'had checked',
};

const TYPES: Readonly<Record<string, string>> = {
  Media: 'photo',
  Binary: 'bytes',
  DiagnosticReport: 'report',
  Observation: 'finding',
  BodyStructure: 'wound',
  ServiceRequest: 'order',
  Task: 'job',
  MessageHeader: 'message',
  Device: 'key',
  Person: 'user',
  Endpoint: 'endpoint',
  Basic: 'item',
};

/** Refusals that the trail has often, for a person; others stand there by their code. */
const REFUSED = {
  'auth.missing': 'no key or login',
  'auth.invalid': 'a key or login that is not known',
  'auth.scope': 'the key lacks the scope',
  'auth.role': 'the person lacks the role',
  'auth.csrf': 'not from a page of this service',
  'auth.expired': 'the key or login has ended',
  'login.refused': 'wrong name, password or code',
  'login.locked': 'too many wrong logins',
} as const satisfies Readonly<Partial<Record<ErrorCode, string>>>;
const isRefused = (code: string): code is keyof typeof REFUSED => code in REFUSED;

/** Something that an entry is about. */
export interface ToldThing {
  /** `Type/id`. */
  readonly reference: string;
  readonly name: string | null;
}

export interface ToldEvent {
  readonly who: string;
  readonly from: string | null;
  readonly what: string;
  /** By their names where they have any, else by their ids. */
  readonly resources: readonly ToldThing[];
  readonly patient: ToldThing | null;
  /** As it was asked or changed. */
  readonly query: string | null;
  readonly refusal: string | null;
}

/** An AuditEvent in words. */
export function toldOf({ subtype, agent = [], entity = [], outcome, outcomeDesc }: Partial<AuditEvent>): ToldEvent {
  const [{ code = '', display } = {}] = subtype ?? [];
  const [first] = agent;
  const person = agent.find(({ type }) => type?.coding?.some((one) => one.code === 'humanuser') === true);
  const named = (one: (typeof agent)[number] | undefined) =>
    one?.who?.display ?? one?.who?.identifier?.value ?? 'unknown';
  const used = agent.find((one) => one !== person && one.who?.identifier?.value !== undefined) ?? first;
  const things = entity.flatMap(({ what }) =>
    what?.reference === undefined ? [] : [{ reference: what.reference, name: what.display ?? null }],
  );
  const isPatient = ({ reference }: ToldThing) => reference.startsWith('Patient/');
  const query = entity.find((one) => one.query !== undefined)?.query;
  return {
    who: person === undefined ? whoOf(named(used)) : `${named(person)}, by ${whoOf(named(used))}`,
    from: agent.find(({ network }) => network?.address !== undefined)?.network?.address ?? null,
    what: DONE[display ?? code] ?? DONE[code] ?? (display ?? code).replace(/^\$/, '').replaceAll('-', ' '),
    resources: things.filter((thing) => !isPatient(thing)),
    patient: things.find(isPatient) ?? null,
    query: query === undefined ? null : decoded(query),
    refusal: outcome === undefined || outcome === '0' ? null : refusalOf(outcomeDesc ?? ''),
  };
}

/** `photo 0199…`, `endpoint Ward EHR`. */
export function resourceInWords({ reference, name }: ToldThing): string {
  return `${typeInWords(reference)} ${name ?? reference.split('/')[1] ?? ''}`.trim();
}

/** `photo`. */
export function typeInWords(reference: string): string {
  const [type = ''] = reference.split('/');
  return TYPES[type] ?? type.toLowerCase();
}

function whoOf(name: string): string {
  if (name === 'unknown') return 'somebody without a known key';
  if (name === 'retention') return 'the service, by age';
  return name.startsWith('user:') ? name.slice('user:'.length) : name;
}

function refusalOf(text: string): string {
  const [code = '', times] = text.split(', ');
  return `${isRefused(code) ? REFUSED[code] : code}${times === undefined ? '' : `, ${times}`}`;
}

function decoded(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
  } catch {
    return '';
  }
}
