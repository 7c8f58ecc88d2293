import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

const ROOT = resolve(__dirname, '../..');
const PYTHON = join(ROOT, 'sdk/python/src/sutura_sdk');
const REF = '#/components/schemas/';

/** Schemas that go by another name in a client library. */
const OTHER_NAMES: Readonly<Record<'javascript' | 'python', Readonly<Record<string, string>>>> = {
  javascript: {
    MeasuredValue: 'Measured',
    AnalysisJobList: 'JobPage',
    WoundList: 'WoundPage',
    EventList: 'EventPage',
    ReportList: 'ReportPage',
  },
  python: {
    AssessmentFindings: 'Findings',
    AnalysisJob: 'Job',
    AnalysisJobList: 'JobPage',
    WoundList: 'WoundPage',
    EventList: 'EventPage',
    ReportList: 'ReportPage',
    JobSubject: 'Subject',
    ClinicalReport: 'ReportVersion',
    HeldList: 'HeldPage',
    WebhookDeliveryList: 'DeliveryPage',
  },
};
/** Answers that no library reads: problems become errors, a course report and evidence come as documents, versions as a list. */
const NOT_READ = [
  'ClinicalReportVersions',
  'CourseReport',
  'EvidenceAssessment',
  'EvidenceGap',
  'Problem',
  'TreatmentStep',
  'WoundEvidence',
];
/** Answers that a library does not read besides: JavaScript leaves the setting up of webhooks, and what people decide, to `fetch`; Python hands a whole list on as a tuple. */
const NOT_READ_BY: Readonly<Record<'javascript' | 'python', readonly string[]>> = {
  javascript: [
    'CalibrationCard',
    'CalibrationCards',
    'Held',
    'HeldList',
    'Model',
    'ModelList',
    'Webhook',
    'WebhookDelivery',
    'WebhookDeliveryDetail',
    'WebhookDeliveryList',
    'WebhookList',
    'WebhookReplayed',
    'WebhookTrial',
    'WebhookWithSecret',
  ],
  python: ['CalibrationCards', 'ModelList', 'WebhookList', 'WebhookReplayed'],
};
/** Without a type of their own: parts of another type, or handed on as plain JSON. */
const UNTYPED: Readonly<Record<'javascript' | 'python', readonly string[]>> = {
  javascript: ['MarkerFinding', 'ReportSubject', 'ReviewStamp'],
  python: ['CourseReason', 'ReportHeading', 'WaitingReport'],
};

/** Of `items`; no library reads them. */
const OLDER_NAMES = ['deliveries'];

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

const openapi = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses?: unknown }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};
const { schemas } = openapi.components;

/** Every schema that an answer of the contract may hold. */
function answered(): string[] {
  const found = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      const name = key === '$ref' && String(inner).startsWith(REF) ? String(inner).slice(REF.length) : null;
      if (name === null || found.has(name)) walk(name === null ? inner : null);
      else walk(schemas[found.add(name) && name]);
    }
  };
  for (const [path, operations] of Object.entries(openapi.paths))
    if (path.startsWith('/api/v1')) for (const { responses } of Object.values(operations)) walk(responses);
  return [...found].filter((name) => !NOT_READ.includes(name)).sort();
}

/** The fields of an object; those of its parts that have no type of their own as `outer.inner`. */
function fieldsOf(schema: Schema, untyped: readonly string[] = [], prefix = ''): string[] {
  const named = schema.$ref?.slice(REF.length);
  if (named !== undefined) return untyped.includes(named) ? fieldsOf(schemas[named]!, untyped, prefix) : [];
  const parts = [...(schema.anyOf ?? []), ...(schema.allOf ?? []), ...(schema.items ? [schema.items] : [])];
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [
    `${prefix}${name}`,
    ...fieldsOf(inner, untyped, `${prefix}${name}.`),
  ]);
  return [...own, ...parts.flatMap((part) => fieldsOf(part, untyped, prefix))];
}

/** Fields of these schemas that a library's type lacks. `has`: null where there is no such type. */
function lackedBy(
  library: 'javascript' | 'python',
  has: (type: string, field: string) => boolean | null,
): readonly string[] {
  return answered().flatMap((schema) => {
    if (UNTYPED[library].includes(schema) || NOT_READ_BY[library].includes(schema)) return [];
    const type = OTHER_NAMES[library][schema] ?? schema;
    const fields = fieldsOf(schemas[schema]!, UNTYPED[library]).filter((field) => !OLDER_NAMES.includes(field));
    if (fields.some((field) => has(type, field) === null)) return [`${schema}: no type ${type}`];
    return fields.filter((field) => has(type, field) === false).map((field) => `${type}.${field}`);
  });
}

type Has = (type: string, field: string) => boolean | null;
let javascript: Has | undefined;

/** The compiler reads the library once. */
function javascriptTypes(): Has {
  return (javascript ??= readJavascript());
}

function readJavascript(): Has {
  const file = join(ROOT, 'sdk/javascript/src/index.ts');
  // Without what @types declares of all that is installed.
  const program = ts.createProgram([file], { strict: true, noEmit: true, module: ts.ModuleKind.NodeNext, types: [] });
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!;
  const exported = new Map(
    checker.getExportsOfModule(module).map((symbol) => [symbol.name, checker.getDeclaredTypeOfSymbol(symbol)]),
  );
  const within = (type: ts.Type, steps: readonly string[]): boolean => {
    const [step, ...rest] = steps;
    const plain = checker.getNonNullableType(type);
    const parts = plain.isUnion() ? plain.types : [plain];
    return parts.some((part) => {
      const element = checker.getIndexTypeOfType(part, ts.IndexKind.Number);
      if (element !== undefined && checker.isArrayLikeType(part)) return within(element, steps);
      if (step === undefined || checker.getIndexTypeOfType(part, ts.IndexKind.String) !== undefined) return true;
      const property = checker.getPropertyOfType(part, step);
      return property !== undefined && within(checker.getTypeOfSymbol(property), rest);
    });
  };
  return (type, field) => {
    const declared = exported.get(type);
    return declared === undefined ? null : within(declared, field.split('.'));
  };
}

interface PythonClass {
  readonly bases: readonly string[];
  /** By name without underscores, in lower case; the text of each one's type. */
  readonly fields: ReadonlyMap<string, string>;
}

function pythonTypes(): (type: string, field: string) => boolean | null {
  const classes = new Map<string, PythonClass>();
  for (const file of readdirSync(PYTHON).filter((name) => name.endsWith('.py'))) {
    const text = readFileSync(join(PYTHON, file), 'utf8');
    for (const [, name, bases, body] of text.matchAll(/^class (\w+)(?:\(([^)]*)\))?:\n((?:[ \t]+.*\n|\n)*)/gm)) {
      const fields = [...body!.matchAll(/^ {4}(\w+): ((?:[^=\n]|\n {8}| {4}\])+)/gm)];
      classes.set(name!, {
        bases: (bases ?? '').split(',').map((base) => base.replace(/\[.*/, '').trim()),
        fields: new Map(fields.map(([, field, type]) => [plainName(field!), type!])),
      });
    }
  }
  const typeOf = (name: string, field: string): string | undefined =>
    classes.get(name)?.fields.get(field) ??
    classes
      .get(name)
      ?.bases.map((base) => typeOf(base, field))
      .find((type) => type !== undefined);
  const within = (name: string, [step, ...rest]: readonly string[]): boolean => {
    const type = typeOf(name, plainName(step!));
    if (type === undefined || rest.length === 0) return type !== undefined;
    const inner = [...type.matchAll(/\w+/g)].map(([word]) => word).filter((word) => classes.has(word));
    return inner.length === 0 ? /JsonObject|Dict|Mapping/.test(type) : inner.some((one) => within(one, rest));
  };
  return (type, field) => (classes.has(type) ? within(type, field.split('.')) : null);
}

function plainName(field: string): string {
  return field.replaceAll('_', '').toLowerCase();
}

describe('a client library’s types', () => {
  it.each([
    ['javascript', javascriptTypes],
    ['python', pythonTypes],
  ] as const)('have every field of every answer: %s', (library, typesOf) => {
    expect(lackedBy(library, typesOf())).toEqual([]);
  });

  it('are asked for fields that are there, and miss one that is not', () => {
    for (const [has, type] of [
      [javascriptTypes(), 'AssessmentFindings'],
      [pythonTypes(), 'Findings'],
    ] as const) {
      expect(fieldsOf(schemas['AssessmentFindings']!)).toContain('photo.widthPx');
      expect([has(type, 'photo.widthPx'), has(type, 'photo.depthPx'), has(type, 'colour')]).toEqual([
        true,
        false,
        false,
      ]);
      expect(has('Nothing', 'id')).toBeNull();
    }
  });
});
