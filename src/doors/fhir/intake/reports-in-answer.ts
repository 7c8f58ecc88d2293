import type { DiagnosticReport, Resource } from '@medplum/fhirtypes';
import { isStored, type FhirAnswer } from '../call/fhir-call.js';

/** The reports that an answer holds, by themselves or in Bundles and Parameters. */
export function reportsIn({ body }: FhirAnswer): DiagnosticReport[] {
  return body === null ? [] : reportsOf(isStored(body) ? body.resource : body);
}

/** The answer with each of its reports changed. */
export function withReports(answer: FhirAnswer, change: (report: DiagnosticReport) => DiagnosticReport): FhirAnswer {
  const { body } = answer;
  if (body === null) return answer;
  return {
    ...answer,
    body: isStored(body) ? { ...body, resource: changed(body.resource, change) } : changed(body, change),
  };
}

function reportsOf(resource: Resource): DiagnosticReport[] {
  return resource.resourceType === 'DiagnosticReport' ? [resource] : innerOf(resource).flatMap(reportsOf);
}

function innerOf(resource: Resource): Resource[] {
  if (resource.resourceType === 'Bundle') return (resource.entry ?? []).flatMap((entry) => entry.resource ?? []);
  if (resource.resourceType === 'Parameters')
    return (resource.parameter ?? []).flatMap((parameter) => parameter.resource ?? []);
  return [];
}

function changed<T extends Resource>(resource: T, change: (report: DiagnosticReport) => DiagnosticReport): T {
  if (reportsOf(resource).length === 0) return resource;
  const inPart = <P extends { resource?: Resource }>(part: P): P =>
    part.resource === undefined ? part : { ...part, resource: changed(part.resource, change) };
  if (resource.resourceType === 'DiagnosticReport') return change(resource) as T;
  if (resource.resourceType === 'Bundle') return { ...resource, entry: resource.entry?.map(inPart) };
  if (resource.resourceType === 'Parameters') return { ...resource, parameter: resource.parameter?.map(inPart) };
  return resource;
}
