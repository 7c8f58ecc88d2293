import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { profilesDirectory } from '../../../src/standards/fhir/profiles/profile-library.js';
import { SERVED_TYPES } from '../../../src/standards/fhir/types/served-types.js';
import { HL7_BUNDLES, hl7Resources } from '../../support/hl7-resources.js';
import { Dice } from '../../support/mutations.js';
import { R4_SAMPLES } from '../../support/r4-samples.js';
import { breakResource } from './broken-resources.js';

type Json = Record<string, unknown>;

export interface VerdictCase {
  readonly name: string;
  readonly resource: Json;
  /** What was done to it; undefined for one that is as its maker made it. */
  readonly how?: string;
}

const OFFICIAL_LIMIT = 12_000;

/** Resources as they are: our examples, samples of what hospitals send, and HL7's own of the types that are served. */
export function originals(count: number): VerdictCase[] {
  const directory = join(profilesDirectory(), 'examples');
  const examples = readdirSync(directory).map(
    (name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as Json,
  );
  const own = [...examples, ...R4_SAMPLES];
  const served: readonly string[] = SERVED_TYPES;
  const official = HL7_BUNDLES.flatMap((name) => hl7Resources(name) as unknown as Json[]).filter(
    (resource) =>
      served.includes(resource['resourceType'] as string) && JSON.stringify(resource).length < OFFICIAL_LIMIT,
  );
  const step = official.length / (count - own.length);
  const picked = Array.from({ length: count - own.length }, (_, index) => official[Math.floor(index * step)]!);
  return [...own, ...picked].map((resource, index) => ({
    name: `${String(index).padStart(4, '0')}-${resource['resourceType'] as string}`,
    resource,
  }));
}

/** Changed copies, by seed: of four, three are of examples and samples, which are of clinical types. */
export function mutations(count: number, seed: number): VerdictCase[] {
  const sources = originals(1_000).map(({ resource }) => resource);
  const clinical = sources.filter(
    (resource) => !('url' in resource) && JSON.stringify(resource).length < OFFICIAL_LIMIT,
  );
  const dice = new Dice(seed);
  return Array.from({ length: count }, (_, index) => {
    const source = dice.pick(index % 4 === 0 ? sources : clinical);
    const { resource, how } = breakResource(source, dice);
    return { name: `m${String(index).padStart(4, '0')}-${source['resourceType'] as string}`, resource, how };
  });
}
