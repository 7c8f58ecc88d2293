import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { R4Definitions } from '../../src/standards/fhir/definitions/r4-definitions.js';
import { ProfileLibrary } from '../../src/standards/fhir/profiles/profile-library.js';
import { ResourceValidator } from '../../src/standards/fhir/validation/resource-validator.js';
import { describeWith } from './toolchain.js';
import { buildHapi, hapi, LACKS_MAVEN, type Validated } from './hapi-program.js';
import { counts } from './verdicts/known-differences.js';
import { mutations, originals, type VerdictCase } from './verdicts/verdict-cases.js';

const PROFILES = resolve(__dirname, '../../fhir-profiles');
/** Language tags are refused here by their form; HAPI has no list of them offline, and looks at none. */
const TAGS = /\/ValueSet\/all-languages/;
const ORIGINALS = 1_000;
const MUTATIONS = 2_000;
const SEED = 20_261_129;

interface Compared {
  readonly name: string;
  readonly how: string;
  readonly ours: readonly string[];
  readonly hapis: readonly string[];
}

describeWith(LACKS_MAVEN)("HAPI's validator and ours", () => {
  const compared: Compared[] = [];

  beforeAll(async () => {
    await buildHapi();
    const definitions = new R4Definitions();
    const validator = new ResourceValidator(definitions, new ProfileLibrary(definitions));
    const cases = [...originals(ORIGINALS), ...mutations(MUTATIONS, SEED)];
    const verdicts = await askHapi(cases);
    for (const { name, resource, how } of cases) {
      const verdict = verdicts.get(name)!;
      // A resource that it cannot read for a reason of its own says nothing.
      if (verdict.thrown !== undefined) continue;
      // What is taken with a warning is told, too.
      const errors = validator.validate(resource).issues.filter(({ severity }) => severity !== 'information');
      const ours = errors.map(({ expression, details }) => `${expression}: ${details}`);
      const hapis = verdict.issues!.filter(counts).map(({ location, message }) => `${location}: ${message}`);
      const differsByTags = hapis.length === 0 && ours.length > 0 && ours.every((error) => TAGS.test(error));
      if (!differsByTags) compared.push({ name, how: how ?? 'as it is', ours, hapis });
    }
  }, 1_800_000);

  it('both read nearly all of the resources, of which many are valid and many are not', () => {
    expect(compared.length).toBeGreaterThan((ORIGINALS + MUTATIONS) * 0.98);
    const valid = compared.filter(({ hapis }) => hapis.length === 0).length;
    expect(Math.min(valid, compared.length - valid)).toBeGreaterThan(compared.length / 5);
  });

  it('agree on at least 99 of 100', () => {
    const apart = compared.filter(({ ours, hapis }) => (ours.length === 0) !== (hapis.length === 0));
    // The list says what to look at.
    expect(apart.length > compared.length / 100 ? apart : []).toEqual([]);
  });

  it('take nothing here that HAPI refuses', () => {
    expect(compared.filter(({ ours, hapis }) => ours.length === 0 && hapis.length > 0)).toEqual([]);
  });
});

async function askHapi(cases: readonly VerdictCase[]): Promise<Map<string, Validated>> {
  const folder = await mkdtemp(join(tmpdir(), 'verdicts-'));
  try {
    for (const { name, resource } of cases) await writeFile(join(folder, `${name}.json`), JSON.stringify(resource));
    const verdicts = await hapi<Validated>('validate', '--definitions', PROFILES, folder);
    return new Map(verdicts.map((verdict) => [basename(verdict.file, '.json'), verdict]));
  } finally {
    await rm(folder, { recursive: true });
  }
}
