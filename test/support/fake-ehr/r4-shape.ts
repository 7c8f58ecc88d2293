import { at, isFields, textAt, type Resource } from './json.js';
import type { Issue } from './outcome.js';

/** What R4 says of a type: all of its elements, those that must be there, and its codes. */
interface Shape {
  readonly elements: string;
  readonly required: readonly string[];
  readonly codes: Readonly<Record<string, readonly string[]>>;
}

const EVERYWHERE = 'resourceType id meta implicitRules language text contained extension modifierExtension';
const VALUES =
  'valueQuantity valueCodeableConcept valueString valueBoolean valueInteger valueRange valueRatio valueSampledData valueTime valueDateTime valuePeriod';

/** The types that a wound assessment is filed as (HL7 FHIR R4, resource pages). Of others only the elements that all have are known. */
const SHAPES: Readonly<Record<string, Shape>> = {
  DocumentReference: {
    elements:
      'masterIdentifier identifier status docStatus type category subject date author authenticator custodian relatesTo description securityLabel content context',
    required: ['status', 'content'],
    codes: {
      status: ['current', 'superseded', 'entered-in-error'],
      docStatus: ['preliminary', 'final', 'amended', 'entered-in-error'],
    },
  },
  Observation: {
    elements: `identifier basedOn partOf status category code subject focus encounter effectiveDateTime effectivePeriod effectiveTiming effectiveInstant issued performer ${VALUES} dataAbsentReason interpretation note bodySite method specimen device referenceRange hasMember derivedFrom component`,
    required: ['status', 'code'],
    codes: {
      status: [
        'registered',
        'preliminary',
        'final',
        'amended',
        'corrected',
        'cancelled',
        'entered-in-error',
        'unknown',
      ],
    },
  },
  DiagnosticReport: {
    elements:
      'identifier basedOn status category code subject encounter effectiveDateTime effectivePeriod issued performer resultsInterpreter specimen result imagingStudy media conclusion conclusionCode presentedForm',
    required: ['status', 'code'],
    codes: {
      status: [
        'registered',
        'partial',
        'preliminary',
        'final',
        'amended',
        'corrected',
        'appended',
        'cancelled',
        'entered-in-error',
        'unknown',
      ],
    },
  },
  Media: {
    elements:
      'identifier basedOn partOf status type modality view subject encounter createdDateTime createdPeriod issued operator reasonCode bodySite deviceName device height width frames duration content note',
    required: ['status', 'content'],
    codes: {
      status: [
        'preparation',
        'in-progress',
        'not-done',
        'on-hold',
        'stopped',
        'completed',
        'entered-in-error',
        'unknown',
      ],
    },
  },
  Binary: { elements: 'contentType securityContext data', required: ['contentType'], codes: {} },
  BodyStructure: {
    elements: 'identifier active morphology location locationQualifier description image patient',
    required: ['patient'],
    codes: {},
  },
};

/** What R4 itself refuses in a resource that is sent: unknown and missing elements, codes, empty values, dates and instants. */
export function shapeFaults(resource: Resource): readonly Issue[] {
  const shape = SHAPES[resource.resourceType];
  if (shape === undefined) return emptyFaults(resource, resource.resourceType);
  const known = new Set(`${EVERYWHERE} ${shape.elements}`.split(' '));
  const { resourceType: type } = resource;
  const unknown = Object.keys(resource).filter((name) => !known.has(name.startsWith('_') ? name.slice(1) : name));
  const missing = shape.required.filter((name) => resource[name] === undefined);
  const odd = Object.entries(shape.codes).filter(([name, codes]) => {
    const stated = resource[name];
    return stated !== undefined && (typeof stated !== 'string' || !codes.includes(stated));
  });
  return [
    ...unknown.map((name) => structure(`${type} has no element ${name}.`, `${type}.${name}`)),
    ...missing.map((name) => required(`${type}.${name} is missing.`, `${type}.${name}`)),
    ...odd.map(([name]) => value(`${type}.${name} is no code of its value set.`, `${type}.${name}`)),
    ...dateFaults(resource),
    ...attachmentFaults(resource),
    ...emptyFaults(resource, type),
  ];
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const DATE_TIME = /^\d{4}(-\d\d(-\d\d(T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d))?)?)?$/;
const INSTANTS: Readonly<Record<string, readonly string[]>> = {
  DocumentReference: ['date'],
  Observation: ['issued', 'effectiveInstant'],
  DiagnosticReport: ['issued'],
  Media: ['issued'],
};

/** Whether a text is a full date and time with its zone. */
export function isInstant(text: string | undefined): boolean {
  return text !== undefined && INSTANT.test(text) && !Number.isNaN(Date.parse(text));
}

function dateFaults(resource: Resource): readonly Issue[] {
  const { resourceType: type } = resource;
  const instants = (INSTANTS[type] ?? []).filter(
    (name) => resource[name] !== undefined && !isInstant(textAt(resource, name)),
  );
  const dateTimes = ['effectiveDateTime', 'createdDateTime'].filter((name) => {
    const stated = resource[name];
    return stated !== undefined && (typeof stated !== 'string' || !DATE_TIME.test(stated));
  });
  return [...instants, ...dateTimes].map((name) => value(`${type}.${name} is no such time.`, `${type}.${name}`));
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** `data` and what is said of it: base64, its size and its SHA-1 as R4 has them. */
function attachmentFaults(resource: Resource): readonly Issue[] {
  const contents = resource['content'];
  const attachments = Array.isArray(contents) ? contents.map((one) => at(one, 'attachment')) : [];
  if (Array.isArray(contents) && contents.length === 0) return [required('There is no content.', 'content')];
  return attachments.flatMap((attachment, place) => {
    const path = `${resource.resourceType}.content[${place}].attachment`;
    if (!isFields(attachment)) return [required(`${path} is missing.`, path)];
    const data = textAt(attachment, 'data');
    if (data === undefined) return [];
    if (data === '' || !BASE64.test(data)) return [value(`${path}.data is not base64.`, `${path}.data`)];
    const { size } = attachment;
    const bytes = Buffer.from(data, 'base64').length;
    if (size !== undefined && size !== bytes) return [value(`${path}.size is not that of data.`, `${path}.size`)];
    return textAt(attachment, 'contentType') === undefined
      ? [required(`${path} has data and no contentType (att-1).`, path)]
      : [];
  });
}

/** R4 has no empty objects, lists or texts, and no null but in lists beside extensions. */
function emptyFaults(node: unknown, path: string): readonly Issue[] {
  if (node === null || node === '') return [value(`${path} is empty.`, path)];
  if (Array.isArray(node))
    return node.length === 0
      ? [value(`${path} is an empty list.`, path)]
      : node.flatMap((one, place) => (one === null ? [] : emptyFaults(one, `${path}[${place}]`)));
  if (!isFields(node)) return [];
  const entries = Object.entries(node);
  if (entries.length === 0) return [value(`${path} is an empty object.`, path)];
  return entries.flatMap(([name, inner]) => emptyFaults(inner, `${path}.${name}`));
}

function structure(text: string, expression: string): Issue {
  return { code: 'structure', text, expression };
}

function required(text: string, expression: string): Issue {
  return { code: 'required', text, expression };
}

function value(text: string, expression: string): Issue {
  return { code: 'value', text, expression };
}
