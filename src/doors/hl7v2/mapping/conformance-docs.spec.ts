import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DESTINATION_SETTINGS } from '../../../exits/mllp/settings/hl7-destination.js';
import { PROBLEM_CATALOGUE } from '../../../standards/hl7v2/problems/problem-catalogue.js';
import { hl7SourceOf } from '../../../../test/support/hl7-inbound.js';

const DOCS = readFileSync(resolve(__dirname, '../../../../docs/conformance/hl7v2.md'), 'utf8');
/** What a source has besides its settings. */
const IDENTITY = ['organizationId', 'environment', 'id', 'name'];

describe('the interface specification', () => {
  it('lists every problem with its condition, in the order of the catalogue', () => {
    const listed = [...DOCS.matchAll(/^\| `([a-z_]+\.[a-z_0-9]+)` \| (\d{3}) \| (.*) \|$/gm)].map(
      ([, code, condition, title]) => [code, condition, title],
    );
    expect(listed).toEqual(
      Object.entries(PROBLEM_CATALOGUE).map(([code, { condition, title }]) => [code, condition, title]),
    );
  });

  it('lists every setting of a destination in the words of its description', () => {
    const listed = [...DOCS.matchAll(/^\| `(\w+)` \| .*? \| (.*) \|$/gm)].map(
      ([, name, text]) => `${name}: ${text!.replaceAll('\\|', '|')}`,
    );
    const known = Object.entries(DESTINATION_SETTINGS.shape).map(([name, schema]) => `${name}: ${schema.description}`);
    expect(known.filter((each) => !listed.includes(each))).toEqual([]);
  });

  it('explains every setting of a source', () => {
    const settings = Object.keys(hl7SourceOf()).filter((name) => !IDENTITY.includes(name));
    expect(settings.filter((name) => !new RegExp(`^\\| .*\`${name}\`.* \\|`, 'm').test(DOCS))).toEqual([]);
  });
});
