import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { hl7Sample, hl7SourceOf, judgeHl7, writtenPlace } from '../../../../test/support/hl7-inbound.js';
import type { Hl7Problem } from '../../../standards/hl7v2/problems/hl7-problem.js';
import type { Hl7Source } from './reading/hl7-source.js';

interface ContentRow {
  readonly title: string;
  readonly level: 'content';
  /** A sample with pieces of its text replaced, or bytes as they are. */
  readonly sample?: string;
  readonly changes?: readonly [from: string, to: string][];
  readonly raw?: string;
  readonly source?: Partial<Hl7Source>;
  /** MSA-1 of original mode, and ERR-3 with ERR-2 of each error and each warning. */
  readonly msa: string;
  readonly errors: readonly [condition: string, place: string][];
  readonly warnings?: readonly [condition: string, place: string][];
}

/** Rows of the other level are about connections and the service; the specs of the inbox and the listener hold them. */
const ROWS = (
  JSON.parse(readFileSync(resolve(__dirname, '../../../../test/fixtures/bad-input/hl7v2.json'), 'utf8')) as (
    | ContentRow
    | { readonly title: string; readonly level: 'socket' }
  )[]
).filter((row): row is ContentRow => row.level === 'content');

const written = (problems: readonly Hl7Problem[], wanted: Hl7Problem['severity']) =>
  problems.filter(({ severity }) => severity === wanted).map((problem) => [problem.condition, writtenPlace(problem)]);

describe('a message', () => {
  it.each(ROWS.map((row) => [row.title, row] as const))(
    'with %s',
    async (_title, { sample, changes = [], raw, source, msa, errors, warnings }) => {
      const bytes = raw === undefined ? hl7Sample(sample!, ...changes) : Buffer.from(raw);
      const { code, problems, plan } = await judgeHl7(bytes, hl7SourceOf(source));
      expect([code, written(problems, 'error')]).toEqual([msa, errors]);
      if (warnings !== undefined)
        expect(written(problems, 'warning')).toEqual(expect.arrayContaining(warnings as unknown[]));
      if (msa !== 'AA') expect(plan).toMatchObject({ bundle: null, places: [], joins: [] });
    },
  );
});
