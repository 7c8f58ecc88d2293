import { ERROR_CATALOGUE } from '../../src/core/errors/catalogue.js';
import { WEBHOOK_EVENT_TYPES } from '../../src/core/deliveries/webhook-events.js';
import { MEASURES, MEASURE_TABLE } from '../../src/core/measurement/measures.js';
import { MODEL_TASKS } from '../../src/core/measurement/wound-result.js';
import { LANGUAGES } from '../../src/core/report/languages.js';
import { SCOPES } from '../../src/core/tenancy/api-key.js';
import { ROLES } from '../../src/core/tenancy/roles.js';
import { TISSUES } from '../../src/core/tissue/tissues.js';
import { FILES, rowsOf, textOf } from './pages.js';

/** Tables of core by what they list. Error codes have a page of their own: test/e2e/api/errors-page.spec.ts. */
const NAMES = {
  events: WEBHOOK_EVENT_TYPES,
  languages: LANGUAGES,
  scopes: SCOPES,
  roles: ROLES,
} as const satisfies Readonly<Record<string, readonly string[]>>;

type Json = { readonly [name: string]: unknown };
const OPENAPI = JSON.parse(textOf('docs/openapi.json')) as Json & {
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties: Json }>> };
};

/** Every list of allowed values in the document that has this one. */
function enumsWith(value: string, within: unknown = OPENAPI): string[][] {
  if (typeof within !== 'object' || within === null) return [];
  const own = (within as { enum?: unknown }).enum;
  const here = Array.isArray(own) && own.includes(value) ? [own as string[]] : [];
  return [...here, ...Object.values(within).flatMap((inner) => enumsWith(value, inner))];
}

/** The fields of a schema of the document. */
const fieldsOf = (schema: string): string[] => Object.keys(OPENAPI.components.schemas[schema]!.properties);

/** Names in code format in the first column of the table whose heading is this. */
function tableOf(page: string, heading: string): string[] {
  const table = textOf(page)
    .split(/\n\n/)
    .find((part) => part.startsWith(`| ${heading} |`));
  if (table === undefined) throw new Error(`${page} has no table "${heading}"`);
  return rowsOf(table).flatMap(([first]) => /^`([^`]+)`$/.exec(first!)?.[1] ?? []);
}

/** The text between two marks, which each stand once. */
function between(path: string, from: string, to: string): string {
  const [, rest] = textOf(path).split(from);
  if (rest === undefined) throw new Error(`${path} has no "${from}"`);
  return rest.split(to)[0]!;
}

const wordsIn = (text: string): string[] => text.match(/[\w:]+/g) ?? [];
const namesIn = (text: string): string[] => [...text.matchAll(/^ +(\w+)\??: /gm)].map(([, name]) => name!);
/** `areaCm2`, `lengthCm`. */
const onSkin = MEASURES.map((measure) => `${measure}${MEASURE_TABLE[measure].unit === 'cm2' ? 'Cm2' : 'Cm'}`);

describe('a table of the contract', () => {
  it.each(Object.entries(NAMES))('is the same in docs/openapi.json wherever it has %s', (_, names) => {
    const lists = enumsWith(names[0]);
    expect(lists.length).toBeGreaterThan(0);
    for (const list of lists) expect(list).toEqual([...names]);
  });

  it('has a row for each scope in docs/organizations.md, and no other', () => {
    expect(tableOf('docs/organizations.md', 'Scope')).toEqual([...SCOPES]);
  });

  it('has a row for each role in docs/people.md, and no other, and the glossary names them', () => {
    expect(tableOf('docs/people.md', 'Role')).toEqual([...ROLES]);
    const listed = /what a user may do in one organization: (.+?) \|/.exec(textOf('docs/glossary.md'))?.[1] ?? '';
    expect(listed.split(/, | or /)).toEqual([...ROLES]);
  });
});

describe('the measures', () => {
  it('are figures of a wound in docs/openapi.json, and of a timeline by their unit', () => {
    expect(fieldsOf('WoundMeasurement')).toEqual(expect.arrayContaining([...MEASURES]));
    expect(fieldsOf('TimelineAssessment')).toEqual(expect.arrayContaining(onSkin));
  });

  it('are those of the client libraries', () => {
    const javascript = between('sdk/javascript/src/result.ts', 'export interface WoundMeasurement {', '\n}');
    expect(namesIn(javascript)).toEqual(expect.arrayContaining([...MEASURES]));
    expect(namesIn(between('sdk/python/src/sutura_sdk/measures.py', 'class Figures(TypedDict):', '\n\n\n'))).toEqual([
      ...MEASURES,
    ]);
  });
});

describe('the tissues', () => {
  it('are shares in docs/openapi.json, and no other', () => {
    expect(fieldsOf('TissueShares')).toEqual([...TISSUES]);
    expect(fieldsOf('TissueComposition')).toEqual([...TISSUES, 'method']);
  });

  it('are those of the client libraries, and no other', () => {
    expect(wordsIn(between('sdk/javascript/src/result.ts', 'export type Tissue = ', ';'))).toEqual([...TISSUES]);
    expect(
      namesIn(between('sdk/python/src/sutura_sdk/measures.py', 'class TissueShares(TypedDict):', '\n\n\n')),
    ).toEqual([...TISSUES]);
  });
});

describe('the tasks of models', () => {
  it('are those of docs/models.md and docs/openapi.json', () => {
    expect(/^\| `task` \| (.+?) \|$/m.exec(textOf('docs/models.md'))?.[1]).toBe(
      MODEL_TASKS.map((task) => `\`${task}\``).join(' or '),
    );
    expect(JSON.stringify(OPENAPI.components.schemas['Model'])).toContain(MODEL_TASKS.join(' or '));
  });

  it('are named by the client libraries', () => {
    for (const path of ['sdk/javascript/src/result.ts', 'sdk/python/src/sutura_sdk/measures.py'])
      expect(MODEL_TASKS.filter((task) => !textOf(path).includes(task))).toEqual([]);
  });
});

describe('the error codes', () => {
  it('are the only ones that client libraries ask for', () => {
    const areas = new Set(Object.keys(ERROR_CATALOGUE).map((code) => code.split('.')[0]!));
    const code = /\bcode\b[^\n]{0,40}?['"]([a-z]+\.[a-z_]+)['"]/g;
    const asked = FILES.filter((path) => /^sdk\/(?:javascript|python)\/src\/.*\.(?:ts|mts|py)$/.test(path)).flatMap(
      (path) => [...textOf(path).matchAll(code)].map(([, name]) => name!),
    );
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((name) => areas.has(name.split('.')[0]!) && !(name in ERROR_CATALOGUE))).toEqual([]);
  });
});
