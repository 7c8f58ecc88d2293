import type { DiagnosticReport, Resource } from '@medplum/fhirtypes';
import { isStored, type FhirAnswer } from '../call/fhir-call.js';

/** The resources that an answer holds, by themselves or in Bundles and Parameters. */
export function resourcesIn({ body }: FhirAnswer): Resource[] {
  return body === null ? [] : leavesOf(isStored(body) ? body.resource : body);
}

/** The reports among them. */
export function reportsIn(answer: FhirAnswer): DiagnosticReport[] {
  return resourcesIn(answer).filter((resource) => resource.resourceType === 'DiagnosticReport');
}

/** The answer with each of its resources changed; `change` gives back what it leaves as it is. */
export function withResources(answer: FhirAnswer, change: (resource: Resource) => Resource): FhirAnswer {
  const { body } = answer;
  if (body === null) return answer;
  return {
    ...answer,
    body: isStored(body) ? { ...body, resource: changed(body.resource, change) } : changed(body, change),
  };
}

/** The answer with each of its reports changed. */
export function withReports(answer: FhirAnswer, change: (report: DiagnosticReport) => DiagnosticReport): FhirAnswer {
  if (reportsIn(answer).length === 0) return answer;
  return withResources(answer, (resource) =>
    resource.resourceType === 'DiagnosticReport' ? change(resource) : resource,
  );
}

function leavesOf(resource: Resource): Resource[] {
  if (resource.resourceType === 'Bundle')
    return (resource.entry ?? []).flatMap((entry) => (entry.resource === undefined ? [] : leavesOf(entry.resource)));
  if (resource.resourceType === 'Parameters')
    return (resource.parameter ?? []).flatMap((parameter) =>
      parameter.resource === undefined ? [] : leavesOf(parameter.resource),
    );
  return [resource];
}

function changed<T extends Resource>(resource: T, change: (resource: Resource) => Resource): T {
  const inPart = <P extends { resource?: Resource }>(part: P): P =>
    part.resource === undefined ? part : { ...part, resource: changed(part.resource, change) };
  if (resource.resourceType === 'Bundle' && resource.entry !== undefined)
    return { ...resource, entry: resource.entry.map(inPart) };
  if (resource.resourceType === 'Parameters' && resource.parameter !== undefined)
    return { ...resource, parameter: resource.parameter.map(inPart) };
  return change(resource) as T;
}
