import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeSystem, ConceptMap, StructureDefinition, ValueSet } from '@medplum/fhirtypes';
import { MEASURE_TABLE, MEASURES } from '../../core/measurement/measures.js';
import { TISSUE_TABLE, TISSUES } from '../../core/tissue/tissues.js';
import { INFECTION_SIGNS } from '../../core/analysis/infection-sign-codes.js';
import { OBSERVABLE, OBSERVED_MEASURES, TISSUE_SHARE, TISSUE_TERMS, UNIT, type Code } from './codes.js';
import { SIGN_CODES } from './sign-codes.js';
import { stageCodeOf, STAGES } from './stage-codes.js';
import {
  CLINICIAN_CODES,
  CLINICIAN_FIELDS,
  CLINICIAN_VALUES,
  type CodedField,
  type ClinicianValue,
} from './clinician-codes.js';

const ROOT = join(__dirname, '../../..');
const text = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const resource = <Type>(path: string) => JSON.parse(text(`fhir-profiles/${path}.json`)) as Type;
const openapi = JSON.parse(text('docs/openapi.json')) as {
  components: { schemas: Record<string, { properties: Record<string, unknown>; required: string[] }> };
};
const schema = (name: string) => openapi.components.schemas[name]!;

/** Names quoted in the part of a text that a pattern captures, or its field names. */
function namesIn(path: string, part: RegExp, name: RegExp): string[] {
  const [, body] = part.exec(text(path)) ?? [];
  return [...(body ?? '').matchAll(name)].map(([, found]) => found!);
}

function filesBelow(path: string): string[] {
  return readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|mts|mjs|py|json|md)$/.test(name) && !/node_modules|dist\/|\.cache|build\//.test(name))
    .map((name) => `${path}/${name}`);
}

describe('each tissue', () => {
  it('is a field of the published contract', () => {
    expect(Object.keys(schema('TissueComposition').properties)).toEqual([...TISSUES, 'method']);
    expect(schema('TissueShares').required).toEqual(TISSUES);
  });

  it('is in the types of both client libraries', () => {
    expect(namesIn('sdk/javascript/src/result.ts', /export type Tissue = ([^;]*);/, /'(\w+)'/g)).toEqual(TISSUES);
    expect(
      namesIn(
        'sdk/python/src/sutura_sdk/measures.py',
        /class TissueShares[^\n]*\n([\s\S]*?)\n\n\n/,
        /^ {4}(\w+): float/gm,
      ),
    ).toEqual(TISSUES);
  });

  it('is stated wherever the client libraries state shares', () => {
    const statements = filesBelow('sdk').flatMap((path) =>
      [...text(path).matchAll(/\{[^{}\n]*\bgranulation\b[^{}\n]*\}/g)].map(([shares]) => `${path}: ${shares}`),
    );
    expect(statements.length).toBeGreaterThan(4);
    const lacking = statements.filter((shares) =>
      TISSUES.some((tissue) => !new RegExp(`\\b${tissue}\\b`).test(shares)),
    );
    expect(lacking).toEqual([]);
  });

  it('has its code and its words in the code system', () => {
    const { concept } = resource<CodeSystem>('CodeSystem/wound-observation');
    const defined = concept!.map(({ code, display }) => ({ code, display }));
    for (const { code, display } of Object.values(TISSUE_SHARE)) expect(defined).toContainEqual({ code, display });
  });

  it('is mapped to the finding that the reports send without a clinician, or to none', () => {
    const { group } = resource<ConceptMap>('ConceptMap/tissue-to-snomed');
    for (const tissue of TISSUES) {
      const { finding, share } = TISSUE_TERMS[tissue];
      const expected = TISSUE_TABLE[tissue].needsClinician ? undefined : finding?.code;
      const mapped = group![0]!.element!.find(({ code }) => code === share);
      expect([tissue, mapped?.target?.[0]?.code]).toEqual([tissue, expected]);
      expect(mapped?.target).toHaveLength(1);
    }
  });

  it('is a component of the profile, and counts in its sum', () => {
    const profile = resource<StructureDefinition>('StructureDefinition/sutura-wound-tissue-composition');
    const elements = profile.differential!.element!;
    const codes = elements.flatMap(({ patternCodeableConcept }) => patternCodeableConcept?.coding ?? []);
    const { expression } = elements[0]!.constraint!.find(({ key }) => key === 'sutura-tissue-1')!;
    for (const { system, code } of Object.values(TISSUE_SHARE)) {
      expect(codes).toContainEqual({ system, code });
      expect(expression).toContain(`code = '${code}'`);
    }
  });

  it('is described where people read of it', () => {
    const numbers = TISSUES.map((tissue) => `1.${TISSUE_TABLE[tissue].number} ${tissue}`).join(', ');
    expect(text('src/exits/mllp/README.md')).toContain(`Tissues keep their numbers: ${numbers}.`);
    expect(TISSUES.filter((tissue) => !text('docs/measurement.md').includes(`\`${tissue}\``))).toEqual([]);
    const ofModels = TISSUES.filter((tissue) => TISSUE_TABLE[tissue].inWoundBed);
    expect(ofModels.filter((tissue) => !text('docs/models.md').includes(`\`${tissue}\``))).toEqual([]);
  });
});

describe('each measure', () => {
  it('is a field of the published contract', () => {
    expect(Object.keys(schema('WoundMeasurement').properties)).toEqual(expect.arrayContaining([...MEASURES]));
    const fields = MEASURES.map((measure) => `${measure}${MEASURE_TABLE[measure].unit === 'cm2' ? 'Cm2' : 'Cm'}`);
    expect(Object.keys(schema('TimelineAssessment').properties)).toEqual(expect.arrayContaining(fields));
  });

  it('is in the types of both client libraries', () => {
    const wound = /interface WoundMeasurement \{([\s\S]*?)\n\}/;
    const figures = /class Figures[^\n]*\n([\s\S]*?)\n\n\n/;
    expect(namesIn('sdk/javascript/src/result.ts', wound, /^ {2}(\w+): Measured/gm)).toEqual(MEASURES);
    expect(
      namesIn('sdk/javascript/src/wound-in-photo.ts', /interface WoundFigures \{([^}]*)\}/, /(\w+): Measured/g),
    ).toEqual(MEASURES);
    expect(namesIn('sdk/python/src/sutura_sdk/measures.py', figures, /^ {4}(\w+): Measured/gm)).toEqual(MEASURES);
  });

  it('that has an Observation of its own has a profile with its code and unit', () => {
    for (const measure of OBSERVED_MEASURES) {
      const { differential } = resource<StructureDefinition>(`StructureDefinition/sutura-wound-${measure}`);
      const element = (id: string) => differential!.element!.find((one) => one.id === id)!;
      const { system, code } = OBSERVABLE[measure];
      expect(element('Observation.code').patternCodeableConcept!.coding).toEqual([{ system, code }]);
      expect(element('Observation.value[x]').patternQuantity!.code).toBe(UNIT[MEASURE_TABLE[measure].unit].code);
    }
  });

  it('is described where people read of it', () => {
    expect(MEASURES.filter((measure) => !text('docs/measurement.md').includes(`\`${measure}\``))).toEqual([]);
  });
});

describe('each value that a clinician may state', () => {
  const FIELDS = Object.keys(CLINICIAN_VALUES) as CodedField[];
  const contract = schema('ClinicianObservations').properties as Record<
    string,
    { enum?: string[]; items?: { enum?: string[]; $ref?: string } }
  >;
  const named = (reference = ''): string[] =>
    (schema(reference.split('/').at(-1)!) as { readonly enum?: string[] }).enum ?? [];

  it.each(FIELDS)('of %s is in the contract and in the types of both client libraries', (field) => {
    const values = Object.keys(CLINICIAN_VALUES[field]);
    const { enum: ofOne, items } = contract[field]!;
    expect(ofOne ?? items!.enum ?? named(items!.$ref)).toEqual(values);
    const javascript = new RegExp(`  ${field}\\?: ([^;]*);`);
    expect(namesIn('sdk/javascript/src/resources.ts', javascript, /'(\w+)'/g)).toEqual(values);
    const python = new RegExp(`^    ${field}: (?:Sequence\\[\\s*)?Literal\\[([^\\]]*)\\]`, 'm');
    expect(namesIn('sdk/python/src/sutura_sdk/models.py', python, /"(\w+)"/g)).toEqual(values);
  });

  it.each(FIELDS)('of %s has its code and its words in the code system', (field) => {
    const { concept } = resource<CodeSystem>('CodeSystem/wound-observation');
    const defined = concept!.map(({ code, display }) => ({ code, display }));
    for (const { own } of Object.values<ClinicianValue>(CLINICIAN_VALUES[field]))
      expect(defined).toContainEqual({ code: own.code, display: own.display });
  });

  it('is of a field that the contract has, with a code of the published value set', () => {
    expect(Object.keys(contract).sort()).toEqual([...CLINICIAN_FIELDS].sort());
    const { compose } = resource<ValueSet>('ValueSet/wound-clinician-finding');
    const published = compose!.include.flatMap(({ system, concept }) =>
      concept!.map(({ code, display }) => ({ system, code, display })),
    );
    for (const field of CLINICIAN_FIELDS) expect(published).toContainEqual({ ...CLINICIAN_CODES[field] });
  });
});

describe('each sign of infection and each stage', () => {
  const codesOf = (id: string) =>
    resource<ValueSet>(`ValueSet/${id}`).compose!.include.flatMap(({ concept }) =>
      concept!.map(({ code, display }) => ({ code, display })),
    );
  const defined = () =>
    resource<CodeSystem>('CodeSystem/wound-observation').concept!.map(({ code, display }) => ({ code, display }));
  const words = (code: Code) => ({ code: code.code, display: code.display });

  it('has its code in the code system and in its value set', () => {
    const signs = Object.values(SIGN_CODES).map(words);
    const stages = STAGES.map((stage) => words(stageCodeOf(stage)));
    expect([codesOf('wound-infection-sign'), codesOf('wound-stage')]).toEqual([signs, stages]);
    expect(defined()).toEqual(expect.arrayContaining([...signs, ...stages]));
  });

  it('is in the contract and in the types of both client libraries', () => {
    const stages = [...new Set(STAGES.map(({ value }) => value))];
    for (const [name, values] of [
      ['InfectionSign', [...INFECTION_SIGNS]],
      ['WoundStageValue', stages],
    ] as const) {
      expect((schema(name) as { readonly enum?: string[] }).enum).toEqual(values);
      const javascript = new RegExp(`export type ${name} =([^;]*);`);
      expect(namesIn('sdk/javascript/src/resources.ts', javascript, /'(\w+)'/g)).toEqual(values);
      const python = new RegExp(`^${name} = Literal\\[([^\\]]*)\\]`, 'm');
      expect(namesIn('sdk/python/src/sutura_sdk/models.py', python, /"(\w+)"/g)).toEqual(values);
    }
  });

  it('of infection is described where people read of it', () => {
    expect(INFECTION_SIGNS.filter((sign) => !text('docs/follow-up.md').includes(`\`${sign}\``))).toEqual([]);
  });
});
