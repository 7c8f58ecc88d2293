import { createHash } from 'node:crypto';
import type { Chart, Filed } from './chart.js';
import { at, codingsOf, identifiersOf, isFields, listAt, referencesIn, textAt, type Resource } from './json.js';
import { encountersOf, LOCAL, patientOf, replacedBy } from './rules/base.js';

/** By what a version of a report is known among what was filed: the value of an identifier, or a question. */
export type VersionMark = string | ((sent: Resource) => boolean);

/** A report that should be in the EHR by now. */
export interface ExpectedReport {
  /** The EHR's id of the patient in whose chart it belongs. */
  readonly patientId: string;
  /** Its versions in the order in which they arose. */
  readonly versions: readonly VersionMark[];
  /** The type that it is filed as: DocumentReference if not stated. */
  readonly type?: string;
  /** How a later version does away with the one before: stated by `relatesTo`, an update of the same resource, or only in words, where the EHR takes neither. Any of the first two if not stated. */
  readonly corrects?: 'replaces' | 'in-words';
}

/** What in the EHR is not as it must be, in words; empty when all is well. */
export function findViolations(chart: Chart, expected: readonly ExpectedReport[]): readonly string[] {
  return [
    ...chart.filed.flatMap((one) => chartFaults(one, chart)),
    ...twiceFiled(chart),
    ...replacementFaults(chart),
    ...revivals(chart),
    ...orderFaults(chart),
    ...expected.flatMap((report) => reportFaults(report, chart)),
    ...unexpected(chart, expected),
  ];
}

function nameOf(resource: Resource): string {
  return `${resource.resourceType}/${textAt(resource, 'id') ?? '?'}`;
}

/** Nothing lies in a foreign chart, or points into one. */
function chartFaults({ kept }: Filed, chart: Chart): readonly string[] {
  const patient = patientOf(kept);
  const foreign = [...referencesIn(kept)].filter(({ reference }) => {
    const [, type, id] = LOCAL.exec(reference) ?? [];
    const found = type === undefined ? undefined : chart.current(`${type}/${id!}`);
    const theirs = found === undefined ? undefined : patientOf(found);
    return theirs !== undefined && patient !== undefined && theirs !== patient;
  });
  const visits = encountersOf(kept).filter((reference) => {
    const visit = chart.current(reference);
    return visit !== undefined && patientOf(visit) !== patient;
  });
  return [
    ...foreign.map(({ path }) => `${nameOf(kept)} is in the chart of ${patient!} and points by ${path} into another.`),
    ...visits.map((visit) => `${nameOf(kept)} stands in ${visit}, which is no visit of its patient.`),
  ];
}

/** Each own number, and in a chart each content, is there once. */
function twiceFiled(chart: Chart): readonly string[] {
  const creates = chart.filed.filter(({ interaction }) => interaction === 'create');
  return [
    ...repeated(creates, ({ sent }) =>
      identifiersOf(sent).map(({ system, value }) => `${sent.resourceType} with the number ${system}|${value}`),
    ),
    ...repeated(creates, ({ sent }) => {
      const print = contentPrint(sent);
      return print === null ? [] : [`${sent.resourceType} of ${patientOf(sent) ?? 'nobody'} with content ${print}`];
    }),
  ];
}

function repeated(creates: readonly Filed[], keysOf: (filed: Filed) => readonly string[]): readonly string[] {
  const found = new Map<string, string[]>();
  for (const one of creates)
    for (const key of keysOf(one)) found.set(key, [...(found.get(key) ?? []), nameOf(one.kept)]);
  return [...found]
    .filter(([, names]) => names.length > 1)
    .map(([key, names]) => `Filed ${names.length} times: ${key} (${names.join(', ')}).`);
}

/** What a document or finding says, without its numbers and times of sending; null for types that say nothing by themselves. */
function contentPrint(sent: Resource): string | null {
  const said =
    sent.resourceType === 'DocumentReference'
      ? [codingsOf(sent['type']), listAt(sent, 'content').map((one) => textAt(one, 'attachment', 'data'))]
      : sent.resourceType === 'Observation'
        ? [
            codingsOf(sent['code']),
            textAt(sent, 'effectiveDateTime'),
            valuesOf(sent),
            textAt(sent, 'focus', 'reference'),
          ]
        : null;
  if (said === null) return null;
  return createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 12);
}

function valuesOf(sent: Resource): unknown {
  const names = Object.keys(sent).filter((name) => name.startsWith('value'));
  return [names.map((name) => at(sent, name)), at(sent, 'component'), at(sent, 'bodySite'), listAt(sent, 'focus')];
}

/** A correction replaces a document of its patient that was filed before it, and each is replaced once. */
function replacementFaults(chart: Chart): readonly string[] {
  const documents = chart.filed.filter(({ interaction }) => interaction === 'create');
  const replacers = new Map<string, string[]>();
  const faults = documents.flatMap(({ kept, sequence }) =>
    replacedBy(kept).flatMap((target) => {
      replacers.set(target, [...(replacers.get(target) ?? []), nameOf(kept)]);
      const before = chart.filed.find((one) => nameOf(one.kept) === target);
      if (before === undefined) return [`${nameOf(kept)} replaces ${target}, which nobody filed.`];
      if (before.sequence >= sequence) return [`${nameOf(kept)} replaces ${target}, which was filed after it.`];
      return patientOf(before.kept) === patientOf(kept)
        ? []
        : [`${nameOf(kept)} replaces ${target} of another patient.`];
    }),
  );
  const forks = [...replacers].filter(([, names]) => names.length > 1);
  return [...faults, ...forks.map(([target, names]) => `${target} is replaced by ${names.join(' and ')}.`)];
}

/** What was entered in error stays so. */
function revivals(chart: Chart): readonly string[] {
  const errors = new Set<string>();
  return chart.filed.flatMap(({ kept }) => {
    const isError = textAt(kept, 'status') === 'entered-in-error';
    const wasError = errors.has(nameOf(kept));
    if (isError) errors.add(nameOf(kept));
    return wasError && !isError ? [`${nameOf(kept)} was entered in error and came back.`] : [];
  });
}

/** In one chart, documents and reports come in the order of their own times. */
function orderFaults(chart: Chart): readonly string[] {
  const last = new Map<string, { readonly name: string; readonly timeMs: number }>();
  return chart.filed.flatMap(({ kept, interaction }) => {
    const stated = textAt(kept, 'date') ?? textAt(kept, 'issued');
    if (interaction !== 'create' || stated === undefined) return [];
    const key = `${patientOf(kept) ?? ''} ${kept.resourceType}`;
    const timeMs = Date.parse(stated);
    const before = last.get(key);
    last.set(key, { name: nameOf(kept), timeMs });
    return before !== undefined && before.timeMs > timeMs
      ? [`${nameOf(kept)} is older than ${before.name}, and was filed after it.`]
      : [];
  });
}

function carries(sent: Resource, mark: VersionMark): boolean {
  return typeof mark === 'string' ? identifiersOf(sent).some(({ value }) => value === mark) : mark(sent);
}

/** Each version is there exactly once, in its patient's chart, in order, and does away with the one before. */
function reportFaults(report: ExpectedReport, chart: Chart): readonly string[] {
  const { patientId, versions, type = 'DocumentReference' } = report;
  const ofType = chart.filed.filter(({ sent }) => sent.resourceType === type);
  const found = versions.map((mark) => ofType.filter(({ sent }) => carries(sent, mark)));
  const label = (place: number): string => {
    const mark = versions[place];
    return `version ${place + 1}${typeof mark === 'string' ? ` (${mark})` : ''} of a report of Patient/${patientId}`;
  };
  const counts = found.flatMap((filed, place) =>
    filed.length === 1 ? [] : [`There are ${filed.length} ${type} of ${label(place)}.`],
  );
  const charts = found.flatMap((filed, place) =>
    filed
      .filter(({ sent }) => patientOf(sent) !== `Patient/${patientId}`)
      .map(({ kept }) => `${nameOf(kept)}, ${label(place)}, is in the chart of ${patientOf(kept) ?? 'nobody'}.`),
  );
  const chain = found.slice(1).flatMap((filed, place) => {
    const [before, after] = [found[place]![0], filed[0]];
    return before === undefined || after === undefined ? [] : chainFaults(before, after, report, label(place + 1));
  });
  return [...counts, ...charts, ...chain];
}

function chainFaults(before: Filed, after: Filed, { corrects }: ExpectedReport, label: string): readonly string[] {
  if (after.sequence <= before.sequence) return [`${label} was filed before the version that it corrects.`];
  const isSame = nameOf(before.kept) === nameOf(after.kept) && after.interaction === 'update';
  if (corrects === 'in-words' || isSame || replacedBy(after.sent).includes(nameOf(before.kept))) return [];
  return [`${label} does not replace ${nameOf(before.kept)}.`];
}

/** Where reports are expected, their type holds no others in these charts. */
function unexpected(chart: Chart, expected: readonly ExpectedReport[]): readonly string[] {
  return chart.filed.flatMap(({ sent, kept, interaction }) => {
    const ofChart = expected.filter(
      ({ patientId, type = 'DocumentReference' }) =>
        type === sent.resourceType && patientOf(sent) === `Patient/${patientId}`,
    );
    const isWithdrawal = textAt(sent, 'status') === 'entered-in-error';
    if (ofChart.length === 0 || isWithdrawal || interaction === 'update') return [];
    const isExpected = ofChart.some(({ versions }) => versions.some((mark) => carries(sent, mark)));
    return isExpected ? [] : [`${nameOf(kept)} is no version of a report that is expected there.`];
  });
}

/** The text of a note, by which a version is known where the EHR keeps no number of it. */
export function noteText(sent: Resource): string {
  return listAt(sent, 'content')
    .map((one) => at(one, 'attachment'))
    .flatMap((attachment) =>
      isFields(attachment) && textAt(attachment, 'contentType')?.startsWith('text/') === true
        ? [Buffer.from(textAt(attachment, 'data') ?? '', 'base64').toString('utf8')]
        : [],
    )
    .join('\n');
}
