import type { CodeableConcept, DiagnosticReport, Task } from '@medplum/fhirtypes';
import { FILTER_PARAMETERS, type FilterParameter, type SubscriptionTopic } from './subscription-topics.js';

/** One condition; it holds where any of its values does. All conditions of a subscription hold. */
export type SubscriptionFilter =
  | { readonly by: 'patient'; readonly any: readonly string[] }
  | { readonly by: 'status'; readonly any: readonly string[] }
  | { readonly by: 'code'; readonly any: readonly CodeFilter[] };

/** `system` undefined: of any system; null: of none. */
export interface CodeFilter {
  readonly system: string | null | undefined;
  readonly code: string;
}

/** Filters, or why there are none, in words that repeat nothing of what was sent. */
export type ReadFilters =
  | { readonly filters: readonly SubscriptionFilter[] }
  | { readonly fault: string; readonly filters?: undefined };

const MOST_CONDITIONS = 10;
const MOST_VALUES = 100;
const ID = /^[A-Za-z0-9\-.]{1,64}$/;

/**
 * Reads `Type?name=value,value&name=value`, the form of searches, for the topic's type. `base` is this server's, so that absolute
 * references to it are understood. The type alone is a criteria without conditions.
 */
export function readFilters(criteria: string, topic: SubscriptionTopic, base: string): ReadFilters {
  const mark = criteria.indexOf('?');
  const type = mark < 0 ? criteria : criteria.slice(0, mark);
  if (type !== topic.resourceType) return { fault: `The topic is about ${topic.resourceType} alone.` };
  const conditions = [...new URLSearchParams(mark < 0 ? '' : criteria.slice(mark + 1))];
  if (conditions.length > MOST_CONDITIONS) return { fault: `A filter has at most ${MOST_CONDITIONS} conditions.` };
  const filters: SubscriptionFilter[] = [];
  for (const [name, value] of conditions) {
    const filter = readCondition(name, value, base);
    if (typeof filter === 'string') return { fault: filter };
    filters.push(filter);
  }
  return { filters };
}

function readCondition(name: string, text: string, base: string): SubscriptionFilter | string {
  const parameter = FILTER_PARAMETERS.find((known) => known === name);
  if (parameter === undefined)
    return `Filters are ${FILTER_PARAMETERS.join(', ')}, without modifiers; others are not supported.`;
  const values = text.split(',');
  if (values.length > MOST_VALUES) return `A condition has at most ${MOST_VALUES} values.`;
  const filter = READERS[parameter](values, base);
  return filter ?? `A value of ${parameter} is not of the form that the parameter has.`;
}

const READERS: Readonly<
  Record<FilterParameter, (values: readonly string[], base: string) => SubscriptionFilter | undefined>
> = { patient: readPatients, subject: readPatients, status: readStatuses, code: readCodes };

function readPatients(values: readonly string[], base: string): SubscriptionFilter | undefined {
  const any = values.map((value) => patientOf(value, base));
  return any.every((id) => id !== undefined) ? { by: 'patient', any } : undefined;
}

function patientOf(value: string, base: string): string | undefined {
  const local = value.startsWith(`${base}/`) ? value.slice(base.length + 1) : value;
  const id = local.startsWith('Patient/') ? local.slice('Patient/'.length) : local;
  return ID.test(id) ? id : undefined;
}

function readStatuses(values: readonly string[]): SubscriptionFilter | undefined {
  // A status has one system only, which need not be said.
  const any = values.map((value) => value.slice(value.indexOf('|') + 1));
  return any.every((code) => /^[a-z-]{1,40}$/.test(code)) ? { by: 'status', any } : undefined;
}

function readCodes(values: readonly string[]): SubscriptionFilter | undefined {
  const any = values.map((value) => {
    const bar = value.indexOf('|');
    if (bar < 0) return { system: undefined, code: value };
    return { system: bar === 0 ? null : value.slice(0, bar), code: value.slice(bar + 1) };
  });
  return any.every(({ code }) => /^\S{1,256}$/.test(code)) ? { by: 'code', any } : undefined;
}

/** True where all conditions hold for the resource as it is. `joined`: ids of patients whose records are its patient's by now. */
export function meetsFilters(
  resource: DiagnosticReport | Task,
  filters: readonly SubscriptionFilter[],
  joined: readonly string[] = [],
): boolean {
  return filters.every((filter) => meets(resource, filter, joined));
}

/** The id of the patient that a resource is about; null: of none. */
export function patientIdOf(resource: DiagnosticReport | Task): string | null {
  const { reference } = (resource.resourceType === 'Task' ? resource.for : resource.subject) ?? {};
  return reference?.startsWith('Patient/') === true ? reference.slice('Patient/'.length) : null;
}

function meets(resource: DiagnosticReport | Task, filter: SubscriptionFilter, joined: readonly string[]): boolean {
  if (filter.by === 'status') return filter.any.some((status) => status === resource.status);
  if (filter.by === 'code') return filter.any.some((wanted) => hasCode(resource.code, wanted));
  const patientId = patientIdOf(resource);
  return filter.any.some((id) => id === patientId || joined.includes(id));
}

function hasCode(concept: CodeableConcept | undefined, { system, code }: CodeFilter): boolean {
  return (concept?.coding ?? []).some(
    (coding) => coding.code === code && (system === undefined || (coding.system ?? null) === system),
  );
}
