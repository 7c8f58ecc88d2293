import type { Media } from '@medplum/fhirtypes';
import { hl7Sample, judgeHl7, plannedOf, writtenPlace, type Judged } from '../../../../test/support/hl7-inbound.js';

/** The photo of the samples. */
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46, 0x49, 0x46]).toString('base64');

const named = ({ problems }: Judged) =>
  problems.map((problem) => `${problem.severity === 'error' ? 'E' : 'W'} ${problem.code} ${writtenPlace(problem)}`);

describe('what is written otherwise than HL7 has it', () => {
  const photo = JPEG;
  it.each([
    ['a photo without an encoding', [['^Base64^', '^^']], 'W data.assumed_base64 OBX^1^5^1^4'],
    [
      'a photo behind a data: prefix',
      [['^Base64^', '^Base64^data:image/jpeg;base64,']],
      'W data.assumed_base64 OBX^1^5^1^5',
    ],
    ['a photo padded too much', [[photo, `${photo.replace(/=+$/, '')}====`]], 'W data.assumed_base64 OBX^1^5^1^5'],
    [
      'a photo in the alphabet for addresses',
      [[photo, photo.replaceAll('/', '_').replaceAll('+', '-')]],
      'W data.assumed_base64 OBX^1^5^1^5',
    ],
    [
      'a time with seven decimals',
      [['F|||20260315094000+0100', 'F|||20260315094000.1234567+0100']],
      'W value.date OBX^1^14^1',
    ],
    ['a time with Z', [['F|||20260315094000+0100', 'F|||20260315084000Z']], 'W value.date OBX^1^14^1'],
    ['a time with a colon', [['F|||20260315094000+0100', 'F|||20260315094000+01:00']], 'W value.date OBX^1^14^1'],
    ['a name with a broken sequence', [['Beispiel^Anna', 'Beispiel^An\\X00d\\na']], 'W escape.kept PID^1'],
  ] as [string, [string, string][], string][])('is read, with a warning: %s', async (_name, changes, warning) => {
    const judged = await judgeHl7(hl7Sample('2.5.1/omg-o19-photo', ...changes));
    expect([judged.code, named(judged)]).toEqual(['AA', expect.arrayContaining([warning]) as string[]]);
    const [media] = plannedOf<Media>(judged.plan, 'Media');
    expect(media?.resource.content).toMatchObject({ contentType: 'image/jpeg', data: photo });
    expect(media?.resource.createdDateTime).toMatch(/^2026-03-15T0[89]:40:00/);
  });

  it.each([
    ['the version', [['|T|2.5.1|', '|T| 2.5.1 |']]],
    ['the processing id', [['|T|2.5.1|', '| T |2.5.1|']]],
    ['the character set', [['|UNICODE UTF-8', '| UNICODE UTF-8 ']]],
    ['the type', [['OMG^O19^OMG_O19', 'OMG ^ O19^OMG_O19']]],
  ] as [string, [string, string][]][])('is read where blanks stand around %s', async (_name, changes) => {
    expect((await judgeHl7(hl7Sample('2.5.1/omg-o19-photo', ...changes))).code).toBe('AA');
  });
});
