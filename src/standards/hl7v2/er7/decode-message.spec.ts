import { decodeMessage, type DecodedMessage } from './decode-message.js';
import { peekHeader } from './message-header.js';
import { processorMs } from '../../../../test/support/processor-time.js';

const HEADER = 'MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260315094003+0100||ORU^R01|MSG1|T|2.5.1|||||DEU|UNICODE UTF-8';

describe('decoding a message', () => {
  it.each([
    ['nothing', ''],
    ['other text', 'hello'],
    ['no field separator', 'MSH'],
    ['a letter as separator', 'MSHAB'],
    ['no encoding characters', 'MSH||EHR'],
    ['the same delimiter twice', 'MSH|^^\\&|EHR'],
    ['a segment before MSH', 'PID|1\rMSH|^~\\&|EHR'],
    ['UTF-16', Buffer.from('\ufeffMSH|^~\\&|', 'utf16le').toString('latin1')],
    ['a header without an end', `MSH|^~\\&|${'x'.repeat(100_000)}`],
  ])('takes %s for no message, so that nothing can be answered', (_name, bytes) => {
    expect(decode(bytes)).toMatchObject({
      kind: 'undecodable',
      header: null,
      outcome: 'AR',
      problem: { code: 'message.unreadable' },
    });
  });

  it.each([
    ['KOI8-R', 'AR', '103', 'message.character_set'],
    ['UNICODE', 'AR', '207', 'message.character_set_wide'],
    ['UTF-16', 'AR', '207', 'message.character_set_wide'],
    ['ASCII', 'AE', '102', 'message.characters'],
    ['UNICODE UTF-8', 'AE', '102', 'message.characters'],
  ])('refuses bytes under MSH-18 %s with %s %s', (characterSet, outcome, condition, code) => {
    const refused = decode(`${HEADER.replace('UNICODE UTF-8', characterSet)}\rPID|1||W\xfcrzburg`);
    expect(refused).toMatchObject({
      kind: 'undecodable',
      outcome,
      header: { controlId: 'MSG1', characterSet },
      problem: { condition, code, severity: 'error' },
    });
  });

  it.each([
    ['separators', `OBX|${'~'.repeat(300_000)}`],
    ['segments', 'OBX\r'.repeat(30_000)],
  ])('refuses a message of %s alone, which would become an object each', (_name, rest) => {
    expect(decode(`${HEADER}\r${rest}`)).toMatchObject({
      kind: 'undecodable',
      outcome: 'AR',
      header: { controlId: 'MSG1' },
      problem: { condition: '104' },
    });
  });

  it.each([
    ['bytes that are half a pair', 'M\\X00d\\ller'],
    ['bytes that are none of the character set', 'M\\XFC\\ller'],
    ['what is no hexadecimal', 'M\\Xg1\\ller'],
    ['a foreign sequence behind one that is read', 'M\\T\\\\Zq\\ller'],
  ])('says that a broken sequence was kept: %s', (_name, text) => {
    const { warnings } = decoded(`${HEADER}\rPID|1||1||${text}`);
    expect(warnings).toMatchObject([{ code: 'escape.kept', place: { segment: 'PID', sequence: 1 } }]);
  });

  it.each(['M\\XC3BC\\ller', 'a\\T\\C1234\\T\\b', 'a\\E\\Xg1\\E\\b', 'a\\.br\\Xg\\.br\\b', 'x\\'])(
    'says nothing of %s, which is read',
    (text) => expect(decoded(`${HEADER}\rPID|1||1||${text}`).warnings).toEqual([]),
  );

  it('says that a sequence which means something to two systems only was kept', () => {
    const { warnings, message } = decoded(`${HEADER}\rNTE|1||a \\C2842\\ b\rNTE|2||c \\Zxy\\\rNTE|3||plain`);
    expect(warnings).toMatchObject([
      { severity: 'warning', code: 'escape.kept', place: { segment: 'NTE', sequence: 1 } },
      { place: { sequence: 2 } },
    ]);
    expect(message.all('NTE')[0]?.field(3).text).toBe('a \\C2842\\ b');
  });

  it.each([
    ['CR', '\r'],
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ])('reads segments that end in %s, the last one with its end and without', (_name, end) => {
    for (const tail of ['', end, `${end}${end}`]) {
      const { message } = decoded([HEADER, 'PID|1||M1', 'ZZZ|own|segment', 'OBX|1', 'OBX|2|ST|a'].join(end) + tail);
      expect(message.segments.map(({ name, sequence, place }) => `${name}${sequence}@${place}`)).toEqual([
        'MSH1@0',
        'PID1@1',
        'ZZZ1@2',
        'OBX1@3',
        'OBX2@4',
      ]);
      expect(message.all('OBX')[1]?.field(3).text).toBe('a');
    }
  });

  it('keeps wrapped Base64 and line feeds of a text in their field', () => {
    const { message } = decoded(
      `${HEADER}\rOBX|1|ED|||EHR^IM^JPEG^Base64^AAAA\r\nBBBB\r\nCC==||||||F\rNTE|1||one\ntwo\rPID|1`,
    );
    expect(message.segments.map(({ name }) => name)).toEqual(['MSH', 'OBX', 'NTE', 'PID']);
    expect(message.segment('OBX')?.field(5).repetitions[0]?.text(5)).toBe('AAAA\r\nBBBB\r\nCC==');
    expect(message.segment('OBX')?.field(11).text).toBe('F');
    expect(message.segment('NTE')?.field(3).text).toBe('one\ntwo');
  });

  it('takes MSH within a text for text', () => {
    const { message } = decoded(`${HEADER}\rNTE|1||see XMSH|F`);
    expect(message.segment('NTE')?.field(3).text).toBe('see XMSH');
  });

  it('derives the structure where the sender leaves it out', () => {
    const structureOf = (type: string) => decoded(HEADER.replace('ORU^R01', type)).header.structure;
    expect(
      ['ORU^R01', 'ADT^A08', 'ADT^A31', 'ADT^A40', 'MDM^T06', 'OMG^O19^OMG_O19', 'ACK', ''].map(structureOf),
    ).toEqual(['ORU_R01', 'ADT_A01', 'ADT_A05', 'ADT_A39', 'MDM_T02', 'OMG_O19', 'ACK', '']);
  });

  it('reads names of the header in their own characters, and without decoding as ISO 8859-1', () => {
    const bytes = Buffer.from(`\ufeff\r\n${HEADER.replace('|HOSP|', '|Höchst|')}\r`, 'utf8');
    const found = decodeMessage(bytes, { characterSet: null });
    expect(found).toMatchObject({
      kind: 'message',
      encoding: 'utf-8',
      header: { sendingFacility: 'Höchst', versionId: '2.5.1', processingId: 'T' },
    });
    expect(peekHeader(bytes)?.header).toMatchObject({
      controlId: 'MSG1',
      sendingFacility: 'HÃ¶chst',
      sentAt: '20260315094003+0100',
    });
  });

  it.each([
    ['valid UTF-8', null, Buffer.from('grün', 'utf8'), 'grün'],
    ['else windows-1252', null, Buffer.from('gr\xfcn \x80', 'latin1'), 'grün €'],
    ['the source’s own', '8859/2', Buffer.of(0xa3), 'Ł'],
  ])('reads an empty MSH-18 as %s', (_name, characterSet, value, text) => {
    const bytes = Buffer.concat([Buffer.from(`${HEADER.replace('UNICODE UTF-8', '')}\rNTE|1||`), value]);
    expect((decodeMessage(bytes, { characterSet }) as DecodedMessage).message.segment('NTE')?.field(3).text).toBe(text);
  });

  it('reads a set that is stated after ASCII', () => {
    const bytes = Buffer.from(
      `${HEADER.replace('UNICODE UTF-8', 'ASCII~ISO IR87')}\rNTE|1||\x1b$B\x30\x21\x1b(B end`,
      'latin1',
    );
    const found = decodeMessage(bytes, { characterSet: null }) as DecodedMessage;
    expect(found.message.segment('NTE')?.field(3).text).toBe('亜 end');
    expect(found.header.characterSet).toBe('ASCII');
  });
});

describe('reading by position', () => {
  it('reads delimiters from MSH, not from habit', () => {
    const { message, header } = decoded(
      'MSH#*!?+#EHR#HOSP#S#S#2026##ORU*R01*ORU_R01#C?F?1#T#2.5.1\rPID#1##A*B+C!D?S?E',
    );
    expect(header).toMatchObject({ messageCode: 'ORU', triggerEvent: 'R01', controlId: 'C#1' });
    const field = message.segment('PID')!.field(3);
    expect(field.repetitions.map(({ raw }) => raw)).toEqual(['A*B+C', 'D?S?E']);
    expect([field.repetitions[0]!.text(2), field.repetitions[0]!.text(2, 2), field.repetitions[1]!.text(1)]).toEqual([
      'B+C',
      'C',
      'D*E',
    ]);
    expect([message.segments[0]!.field(1).text, message.segments[0]!.field(2).text]).toEqual(['#', '*!?+']);
  });

  it('takes & for text where MSH-2 states no subcomponents, and knows the truncation character', () => {
    expect(decoded('MSH|^~\\|EHR\rPID|1||A&B^C').message.segment('PID')?.field(3).repetitions[0]?.text(1, 1)).toBe(
      'A&B',
    );
    const { message } = decoded('MSH|^~\\&#|EHR\rNTE|1||6 \\P\\ cm');
    expect([
      message.delimiters.truncation,
      message.segment('NTE')?.field(3).text,
      message.segments[0]?.field(3).text,
    ]).toEqual(['#', '6 # cm', 'EHR']);
  });

  it.each([
    ['', 'absent'],
    ['^^&~', 'absent'],
    ['""', 'null'],
    ['0', 'valued'],
    ['""^X', 'valued'],
  ])('tells of %p that it is %s', (raw, state) => {
    const field = decoded(`${HEADER}\rPID|1||${raw}|after`).message.segment('PID')!.field(3);
    expect([field.state, field.raw]).toEqual([state, raw]);
    expect(field.repetitions.length).toBe(state === 'valued' ? 1 : 0);
  });

  it('counts components without empty ones at the end, and answers "" for what is not there', () => {
    const pid = decoded(`${HEADER}\rPID|1||a^^c^^~^b`).message.segment('PID')!;
    expect(pid.field(3).repetitions.map(({ componentCount }) => componentCount)).toEqual([3, 2]);
    expect([
      pid.field(3).repetitions[0]!.text(9),
      pid.field(3).repetitions[0]!.text(3, 2),
      pid.field(99).text,
      pid.field(0).text,
      pid.field(-1).text,
    ]).toEqual(['', '', '', '', '']);
  });

  it('unescapes after it has split, each sequence once', () => {
    const cases: [string, string][] = [
      [
        'Line one\\.br\\Line two; pipe \\F\\ caret \\S\\ tilde \\R\\ backslash \\E\\ amp \\T\\',
        'Line one\nLine two; pipe | caret ^ tilde ~ backslash \\ amp &',
      ],
      ['\\E\\F\\E\\', '\\F\\'],
      ['\\X41C3BC0D\\', 'Aü\r'],
      ['\\H\\bold\\N\\ \\.in+4\\x\\.sp2\\y\\.ce\\z\\.sk3\\', 'bold x\ny\nz'],
      ['C:\\dir\\F\\x', 'C:\\dir|x'],
      ['\\XZZ\\ \\XFF\\ \\', '\\XZZ\\ \\XFF\\ \\'],
      ['50 \\', '50 \\'],
    ];
    for (const [raw, text] of cases)
      expect(decoded(`${HEADER}\rNTE|1||${raw}`).message.segment('NTE')?.field(3).text).toBe(text);
  });

  it('reads bytes of an escape sequence in the character set of the message', () => {
    const { message } = decoded(`${HEADER.replace('UNICODE UTF-8', '8859/1')}\rNTE|1||W\\XFC\\rzburg`);
    expect(message.segment('NTE')?.field(3).text).toBe('Würzburg');
    expect(message.unescape('\\XE9\\')).toBe('é');
  });
});

describe('more than a message may have', () => {
  const MIB = 1024 * 1024;
  const obx = (value: string) => `${HEADER}\rPID|1||A\rOBX|1|ED|X|1|${value}`;
  it.each([
    [
      '10 MB of ~',
      () => obx('~'.repeat(10 * MIB)),
      { segment: 'OBX', sequence: 1, field: 5 },
      'A field has at most 1,000 repetitions.',
    ],
    [
      '10 MB of ^',
      () => obx('^'.repeat(10 * MIB)),
      { segment: 'OBX', sequence: 1, field: 5, repetition: 1 },
      'A repetition has at most 1,000 components.',
    ],
    [
      '10 MB of &',
      () => obx(`A~B^${'&'.repeat(10 * MIB)}`),
      { segment: 'OBX', sequence: 1, field: 5, repetition: 2, component: 2 },
      'A component has at most 1,000 subcomponents.',
    ],
    [
      '10 MB of \\E\\',
      () => obx('\\E\\'.repeat((10 * MIB) / 3)),
      { segment: 'OBX', sequence: 1 },
      'A message has at most 1,000,000 escape characters.',
    ],
    [
      '10 MB of |',
      () => obx('|'.repeat(10 * MIB)),
      { segment: 'OBX', sequence: 1 },
      'A message has at most 200,000 separators.',
    ],
    ['10 MB of lines', () => `${HEADER}\r${'a\r'.repeat(5 * MIB)}`, null, 'A message has at most 1,000,000 lines.'],
    ['10 MB of line ends', () => `${HEADER}${'\r'.repeat(10 * MIB)}`, null, 'A message has at most 1,000,000 lines.'],
    [
      '20,001 segments',
      () => `${HEADER}${'\rNTE|1||a'.repeat(20_000)}`,
      { segment: 'NTE', sequence: 20_000 },
      'A message has at most 20,000 segments.',
    ],
    [
      '1,001 numbers of a patient',
      () => `${HEADER}\rPID|1||${'4711^^^HOSP^MR~'.repeat(1000)}4711`,
      { segment: 'PID', sequence: 1, field: 3 },
      'A field has at most 1,000 repetitions.',
    ],
    [
      '25,001 line breaks in a comment',
      () => `${HEADER}\rNTE|1||${'\\.br\\'.repeat(25_001)}`,
      { segment: 'NTE', sequence: 1 },
      'A segment has at most 50,000 escape characters outside of its files.',
    ],
    [
      'as many beside a file',
      () => `${HEADER}\rOBX|1|ED|${'\\.br\\'.repeat(25_001)}||EHR^IM^JPEG^Base64^AAAA`,
      { segment: 'OBX', sequence: 1 },
      'A segment has at most 50,000 escape characters outside of its files.',
    ],
    [
      'repetitions in MSH',
      () => HEADER.replace('|EHR|', `|EHR${'~'.repeat(1000)}|`),
      { segment: 'MSH', sequence: 1, field: 3 },
      'A field has at most 1,000 repetitions.',
    ],
  ])('%s is refused by its place and the limit, and nobody waits for it', (_, text, place, told) => {
    const message = text();
    expect(processorMs(() => decode(message))).toBeLessThan(1000);
    expect(decode(message)).toMatchObject({
      kind: 'undecodable',
      outcome: 'AR',
      problem: { code: 'message.too_long', condition: '104', place, text: told },
    });
  });

  it('as much as it may have is read', () => {
    const { message } = decoded(`${HEADER}\rPID|1||${Array.from({ length: 1000 }, (_, at) => `N-${at}`).join('~')}`);
    expect(message.segment('PID')?.field(3).repetitions.at(-1)?.text(1)).toBe('N-999');
    expect(decoded(`${HEADER}\rOBX|1|ED|a||EHR^IM^JPEG^Base64^${'AAAA\\.br\\'.repeat(30_000)}`).kind).toBe('message');
  });
});

describe('text that is called 8859/1 and is windows-1252 [H20]', () => {
  const told = (bytes: string) => decode(`${HEADER.replace('UNICODE UTF-8', '8859/1')}\rNTE|1||${bytes}`);
  it('is read as that, with a warning: quotes, dashes and the euro are no control codes', () => {
    const found = told('5 \x80 \x96 \x84Wunde\x93');
    expect(found).toMatchObject({
      kind: 'message',
      encoding: 'windows-1252',
      warnings: [{ severity: 'warning', code: 'message.character_set_assumed', place: { segment: 'MSH', field: 18 } }],
    });
    expect(found.kind === 'message' && found.message.segment('NTE')?.field(3).text).toBe('5 € – „Wunde“');
  });

  it('is read as what it says where it has no such character', () => {
    expect(told('gr\xfcn \x85')).toMatchObject({ kind: 'message', encoding: 'iso-8859-1', warnings: [] });
  });

  it('is read as windows-1252 without a warning where the source says so, or where nobody says anything and it is no UTF-8', () => {
    const unstated = Buffer.from(`${HEADER.replace('UNICODE UTF-8', '')}\rNTE|1||5 \x80`, 'latin1');
    for (const characterSet of ['windows-1252', null])
      expect(decodeMessage(unstated, { characterSet })).toMatchObject({
        kind: 'message',
        encoding: 'windows-1252',
        warnings: [],
      });
  });
});

function decode(bytes: string) {
  return decodeMessage(Buffer.from(bytes, 'latin1'), { characterSet: null });
}

function decoded(text: string): DecodedMessage {
  const found = decode(text);
  if (found.kind !== 'message') throw new Error(found.problem.code);
  return found;
}
