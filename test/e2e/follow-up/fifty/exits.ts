import type { DiagnosticReport, Observation } from '@medplum/fhirtypes';
import type { Course, CourseReason, Verdict } from '../../../../src/core/followup/course.js';
import type { Language } from '../../../../src/core/report/languages.js';
import { WORDINGS } from '../../../../src/reports/wording/wording.js';
import type { WebhookReceiver } from '../../../peers/webhook-receiver.js';
import { expectStatus, type Answer } from '../../../support/api-client.js';
import { eventually } from '../../../support/eventually.js';
import type { Hl7Hospital } from '../../../support/hl7-hospital.js';
import { readDocument } from '../../../support/read-document.js';

type Body = Answer['body'];

/** What one exit says of one version of a report: a code of better or worse, and a verdict where it names one. */
export interface Told {
  readonly exit: string;
  readonly verdict: Verdict | null;
  readonly code: 'B' | 'W' | 'IND' | '';
  /** `worse depth`, of an exit that tells its reasons in codes. */
  readonly reasons?: readonly string[];
  /** The English words of an exit that tells them so. */
  readonly words?: string;
}

const FLAG_OF_WORDS = 'flag.infection_signs_recorded';
type ToldReason = Pick<CourseReason, 'direction' | 'what'>;
const reasonsOf = (because: readonly ToldReason[]) =>
  because.map(({ direction, what }) => `${direction} ${what}`).sort();
const plain = (text: string) => text.replaceAll(/[\s\u00a0]+/g, ' ').toLowerCase();

/** The reasons of the verdict that an exit leaves out, or has beside them; what is better need not be told while the verdict is not known. */
export function lostReasonsOf({ verdict, because }: Course, { reasons, words }: Told): string[] {
  const wanted = reasonsOf(because);
  if (reasons !== undefined)
    return [
      ...wanted.filter((one) => !reasons.includes(one)).map((one) => `lacks ${one}`),
      ...reasons.filter((one) => !wanted.includes(one)).map((one) => `adds ${one}`),
    ];
  if (words === undefined) return [];
  const isTold = ({ direction }: ToldReason) =>
    direction === 'worse' || direction === 'persists' || (direction === 'better' && verdict !== 'unknown');
  const said = plain(words);
  const isSaid = ({ what }: ToldReason) =>
    said.includes(plain(WORDINGS.en[`reason.${what}`])) ||
    // The flag of a clinician's own words has them, and stands in place of the reason.
    (what === 'clinician_words' && said.includes(plain(WORDINGS.en[FLAG_OF_WORDS].split('{')[0]!)));
  return because
    .filter((one) => isTold(one) && !isSaid(one))
    .map(({ direction, what }) => `lacks ${direction} ${what} in words`);
}

/** From the kindest to the harshest. */
const KINDNESS: readonly (readonly Verdict[])[] = [
  ['improving'],
  ['closed'],
  ['unchanged', 'ended', 'unknown'],
  ['mixed'],
  ['worsening', 'reopened'],
];
const KINDEST_OF_CODE = { B: 0, '': 1, IND: 2, W: 3 } as const;
const HARSHEST_OF_CODE = { B: 0, '': 2, IND: 2, W: 4 } as const;

/** The first read of an organization has all of its photos written as FHIR. */
const FIRST_LOOK_MS = 200_000;

function rankOf(verdict: Verdict): number {
  return KINDNESS.findIndex((rank) => rank.includes(verdict));
}

/** Whether an exit is kinder or harsher than the verdict; null: neither. */
export function strayOf(verdict: Verdict, { verdict: said, code }: Told): 'kinder' | 'harsher' | null {
  const rank = rankOf(verdict);
  if ((said !== null && rankOf(said) < rank) || HARSHEST_OF_CODE[code] < rank) return 'kinder';
  if ((said !== null && rankOf(said) > rank) || KINDEST_OF_CODE[code] > rank) return 'harsher';
  return null;
}

/** Reads the newest version of a report at every exit, once each has it. */
export class Exits {
  constructor(
    private readonly hospital: Hl7Hospital,
    private readonly webhooks: WebhookReceiver,
  ) {}

  async report(reportId: string): Promise<Body> {
    return expectStatus(200, await this.hospital.client.request('GET', `/api/v1/reports/${reportId}`)).body;
  }

  async tell(report: Body): Promise<Told[]> {
    return (
      await Promise.all([this.byTimeline(report), this.byFhir(report), this.byHl7(report), this.byWebhook(report)])
    ).flat();
  }

  private async byTimeline({ id, subject }: Body): Promise<Told[]> {
    const path = `/api/v1/wounds/${subject.woundRef}/timeline`;
    const { assessments } = expectStatus(200, await this.hospital.client.request('GET', path)).body;
    const one = assessments.find(({ reportId }: Body) => reportId === id);
    const { verdict, because } = one.course;
    return [{ exit: 'timeline', verdict, code: codeAsOf(verdict), reasons: reasonsOf(because) }];
  }

  private async byFhir({ id, version }: Body): Promise<Told[]> {
    const resource = await eventually(
      `FHIR shows version ${version} of ${id}`,
      async () => {
        const { body } = await this.hospital.client.request('GET', `/fhir/DiagnosticReport/${id}`);
        return body.meta?.versionId === String(version) ? (body as DiagnosticReport) : undefined;
      },
      FIRST_LOOK_MS,
      200,
    );
    const has = (name: string) => resource.result!.some(({ reference }) => reference === `Observation/${id}-${name}`);
    const panel = await this.hospital.read<Observation>(`Observation/${id}-panel`);
    const progress = has('progress') ? await this.hospital.read<Observation>(`Observation/${id}-progress`) : null;
    const own = panel.component!.flatMap(({ valueCodeableConcept }) => valueCodeableConcept?.coding ?? []);
    const course = own.find(({ code }) => code?.startsWith('course-'))!.code!.replace('course-', '') as Verdict;
    const conclusions = (resource.conclusionCode ?? []).flatMap(({ coding }) => coding!.map(({ code }) => code));
    return [
      { exit: 'FHIR panel', verdict: course, code: interpretationOf(panel), words: wordsOfPanel(panel) },
      {
        exit: 'FHIR conclusion',
        verdict: null,
        code: conclusions.includes('390771008') ? 'B' : conclusions.includes('390772001') ? 'W' : '',
      },
      ...(progress === null || interpretationOf(progress) === ''
        ? []
        : [{ exit: 'FHIR progress', verdict: null, code: interpretationOf(progress) }]),
    ];
  }

  /** Every version is a message of its own. */
  private async byHl7({ id, jobId, replaces, version }: Body): Promise<Told[]> {
    const message = await eventually(`message ${version} of ${id}`, () => {
      const filler = replaces === null ? jobId : id;
      const all = this.hospital.receiver.messages.filter((one) => one.includes(filler));
      return all[version - 1];
    });
    const rows = message.split('\r').map((line) => line.split('|'));
    const course = rows.find((fields) => fields[0] === 'OBX' && fields[3]?.startsWith('course^'));
    // No row says that it is not known.
    const verdict = (course === undefined ? 'unknown' : course[5]!.split('^')[0]!.replace('course-', '')) as Verdict;
    const flagged = rows.filter((fields) => fields[0] === 'OBX' && (fields[8] === 'B' || fields[8] === 'W'));
    const conclusion = rows.find((fields) => fields[0] === 'OBX' && fields[3]?.startsWith('conclusion^'));
    return [
      { exit: 'ORU', verdict, code: (course?.[8] ?? '') as Told['code'], words: conclusion?.[5] ?? '' },
      ...flagged.map((fields) => ({ exit: `ORU ${fields[3]}`, verdict: null, code: fields[8] as 'B' | 'W' })),
    ];
  }

  private async byWebhook({ id, version }: Body): Promise<Told[]> {
    const wanted = version === 1 ? 'report.ready' : 'report.amended';
    const told = await eventually(`the webhook of version ${version} of ${id}`, () =>
      this.webhooks.received.find(
        ({ event }) => event.type === wanted && event.data.reportId === id && event.data.version === version,
      ),
    );
    const { verdict, because } = told.event.data.course;
    return [{ exit: 'webhook', verdict, code: codeAsOf(verdict), reasons: reasonsOf(because) }];
  }

  /** The words on paper. */
  async words(reportId: string, language: Language, format: 'text' | 'pdf' = 'text'): Promise<string> {
    const accept = format === 'pdf' ? 'application/pdf' : 'text/plain';
    const answer = await this.hospital.client.request('GET', `/api/v1/reports/${reportId}?lang=${language}`, {
      headers: { accept },
    });
    return readDocument(expectStatus(200, answer).bytes, format);
  }
}

/** By the table of codes, where an exit names a verdict and no code. */
function codeAsOf(verdict: Verdict): Told['code'] {
  if (verdict === 'improving') return 'B';
  return rankOf(verdict) >= KINDEST_OF_CODE.W ? 'W' : '';
}

function wordsOfPanel({ component = [] }: Observation): string {
  return component.map(({ valueCodeableConcept }) => valueCodeableConcept?.text ?? '').join(' ');
}

function interpretationOf({ interpretation }: Observation): Told['code'] {
  return (interpretation?.[0]?.coding?.at(-1)?.code ?? '') as Told['code'];
}
