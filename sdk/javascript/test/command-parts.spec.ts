import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { refuseKeys, openAccess, requireSaid, requireTest } from '../src/command/access.js';
import { bodyOf, keyOfSecret, receiverAddress, signedHeaders } from '../src/command/forwarding.js';
import { lineOf, plain } from '../src/command/printing.js';
import { gapBefore } from '../src/command/listen.js';
import { PlaceFile, type Place } from '../src/command/place.js';
import { withOwnPixels } from '../src/command/sample-photos.js';
import { linesOf } from '../src/command/told-job.js';
import type { LoggedEvent } from '../src/event-log.js';
import type { EndedJob } from '../src/resources.js';
import { Webhook } from '../../../test/support/standard-webhooks.js';

const event = {
  id: '5d1e6a0e-3a53-8b1c-9c57-7d3f0b0a2c11',
  type: 'analysis.completed',
  timestamp: '2026-03-15T08:40:05.120Z',
  recordedAt: '2026-03-15T08:40:05.180Z',
  data: { jobId: 'J', imageId: 'I', reportId: 'R', woundDetected: true },
} as unknown as LoggedEvent;

describe('a key of the sutura command', () => {
  const before = process.env.SUTURA_API_KEY;
  const accessOf = (key: string) => {
    process.env.SUTURA_API_KEY = key;
    return openAccess('http://127.0.0.1:1');
  };
  afterAll(() => {
    if (before === undefined) delete process.env.SUTURA_API_KEY;
    else process.env.SUTURA_API_KEY = before;
  });

  it.each(['sut_test_abc', '--url=http://x/?key=sut_live_abc', 'SUTURA_API_KEY=sut_test_1'])(
    'is refused among its words, and not repeated: %s',
    (word) => {
      expect(() => refuseKeys(['listen', word])).toThrow(/revoke that key/);
      expect(() => refuseKeys(['listen', word])).not.toThrow(/abc/);
    },
  );

  it('that does not say it is of the test environment makes no records, and shows real patients’ events only where that was said', () => {
    for (const key of ['sut_live_abcdef', 'a-token-of-another-kind', 'xsut_test_abc']) {
      const access = accessOf(key);
      expect(() => requireTest(access, 'upload makes records')).toThrow(/There is no option that allows it/);
      expect(() => requireSaid(access, false, 'events tell')).toThrow(/Add --live/);
      expect(() => requireSaid(access, true, 'events tell')).not.toThrow();
    }
    const test = accessOf('sut_test_abcdef');
    expect(() => requireTest(test, 'upload makes records')).not.toThrow();
    expect(() => requireSaid(test, false, 'events tell')).not.toThrow();
  });

  it('gives the same signing secret each time, another key another one, and stands in neither secret nor fingerprint', () => {
    const [one, again, other] = [accessOf('sut_test_one'), accessOf('sut_test_one'), accessOf('sut_test_two')];
    const url = new URL('http://localhost:8080/sutura?token=hidden');
    expect([again.signingSecret, again.fingerprintOf(url)]).toEqual([one.signingSecret, one.fingerprintOf(url)]);
    expect(other.signingSecret).not.toBe(one.signingSecret);
    expect(other.fingerprintOf(url)).not.toBe(one.fingerprintOf(url));
    expect(one.fingerprintOf(new URL('http://localhost:8081/sutura'))).not.toBe(one.fingerprintOf(url));
    expect(one.fingerprintOf(url)).toMatch(/^[0-9a-f]{16}$/);
    expect(keyOfSecret(one.signingSecret)).toHaveLength(32);
    expect(one.signingSecret).not.toContain('sut_test');
  });
});

describe('where events are forwarded to', () => {
  it.each([
    [undefined, true],
    ['localhost:8080', true],
    ['ftp://localhost/', true],
    ['http://user:word@localhost/', true],
    ['http://192.168.1.4/', false],
    ['http://localhost.example.org/', false],
    ['http://127.0.0.1.example.org/', false],
  ])('is not %s (test key: %s)', (text, isTest) => {
    expect(() => receiverAddress(text, isTest)).toThrow(/forward/);
  });

  it.each([
    ['http://192.168.1.4/', true],
    ['http://localhost:8080/sutura', false],
    ['http://127.0.0.1:8080/', false],
    ['http://[::1]:8080/', false],
    ['https://ward.example.org/sutura', false],
  ])('may be %s (test key: %s)', (text, isTest) => {
    expect(receiverAddress(text, isTest).href).toBe(text);
  });

  it.each(['', 'whsec_', 'whsec_c2hvcnQ=', 'whpk_MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0', `whsec_${'A'.repeat(100)}`])(
    'takes no secret like "%s"',
    (secret) => {
      expect(() => keyOfSecret(secret)).toThrow(/SUTURA_WEBHOOK_SECRET/);
    },
  );
});

describe('a forwarded event', () => {
  it('has the body of a webhook, and a signature by Standard Webhooks', () => {
    const body = bodyOf(event, 3);
    expect(JSON.parse(body)).toEqual({
      type: event.type,
      timestamp: event.timestamp,
      data: { ...event.data, sequence: 3 },
    });
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const headers = signedHeaders(event.id, body, keyOfSecret(secret), 1_773_564_005_900);
    expect(headers).toMatchObject({ 'webhook-id': event.id, 'webhook-timestamp': '1773564005' });
    expect(headers['webhook-signature']).toBe(new Webhook(secret).sign(event.id, new Date(1_773_564_005_000), body));
  });

  it('is one line, whose texts move no terminal', () => {
    expect(lineOf(event)).toBe(
      `${event.recordedAt} analysis.completed ${event.id} jobId=J imageId=I reportId=R woundDetected=true`,
    );
    expect(plain('a\u001b[2Jb\u0007\u009b')).toBe('a?[2Jb??');
  });
});

describe('the place of a listener', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sutura-place-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const place: Place = {
    fingerprint: 'f',
    type: null,
    cursor: 'c',
    since: null,
    taken: ['e'],
    sequence: 2,
    lastAt: null,
  };

  it('is nothing where there is no file, and refused where it is another one’s or no place', async () => {
    expect(await new PlaceFile(join(folder, 'none')).read('f', null)).toBeNull();
    const file = new PlaceFile(join(folder, 'place'));
    await file.write(place);
    await expect(file.read('g', null)).rejects.toThrow(/another service, key, receiver or type.*--since TIME to go on/);
    await expect(file.read('f', 'report.ready')).rejects.toThrow(/another service, key, receiver or type/);
    const [lastAt, readTo] = ['2026-03-15T08:40:05.180Z', '2026-03-16T09:00:00.000Z'];
    await file.write({ ...place, readTo });
    await expect(file.read('g', null)).rejects.toThrow(`--since ${readTo} to go on where that one was left`);
    await file.write({ ...place, readTo, lastAt });
    await expect(file.read('g', null)).rejects.toThrow(`--since ${lastAt} to go on where that one was left`);
    await file.write({ ...place, lastAt: '\u001b[2J' });
    await expect(file.read('g', null)).rejects.toThrow('--since TIME to go on');
    for (const text of ['', 'null', '[]', '{"fingerprint":"f"}', 'key = 1']) {
      await writeFile(join(folder, 'odd'), text);
      await expect(new PlaceFile(join(folder, 'odd')).read('f', null)).rejects.toThrow(/no file of sutura listen/);
    }
  });

  it('is read as it was written, by this user alone', async () => {
    const file = new PlaceFile(join(folder, 'mine'));
    await file.write(place);
    expect(await file.read('f', null)).toEqual(place);
    expect((await stat(file.path)).mode & 0o077).toBe(0);
  });
});

describe('what a listener missed', () => {
  const [before, after] = ['2026-03-15T08:00:00.000Z', '2026-03-17T20:00:00.000Z'];

  it.each([
    ['never read', { lastAt: null }, after],
    ['read within what the log keeps, though nothing happened for long', { lastAt: before, readTo: after }, after],
    ['of an older release, read within it', { lastAt: after }, before],
  ])('is nothing where the log was %s', (_, place, keptSince) => {
    expect(gapBefore(place, keptSince)).toBeNull();
  });

  it.each([
    ['nothing ever happened', { lastAt: null, readTo: before }],
    ['of an older release', { lastAt: before }],
  ])('is said with its length and with how to go on: %s', (_, place) => {
    expect(gapBefore(place, after)).toBe(
      `NOT FORWARDED: what happened between ${before} and ${after} (3 days) has left the log and cannot be told any more. Read the records of that time, as by GET /api/v1/analysis/jobs?createdAfter=2026-03-15T08%3A00%3A00.000Z; what happened later is forwarded.`,
    );
    expect(gapBefore(place, '2026-03-15T09:00:01.000Z')).toContain('(2 h)');
  });
});

describe('a sample with pixels of its own', () => {
  it('has other pixels each time, which nobody tells apart', async () => {
    const sample = await readFile(resolve(__dirname, '../../../samples/clean-wound.jpg'));
    const pixelsOf = (jpeg: Buffer) => sharp(jpeg).raw().toBuffer();
    const [before, one, other] = await Promise.all(
      [sample, withOwnPixels(sample), withOwnPixels(sample)].map(pixelsOf),
    );
    expect([one!.equals(before!), other!.equals(one!)]).toEqual([false, false]);
    const differences = one!.map((value, index) => Math.abs(value - before![index]!));
    expect(differences.reduce((sum, value) => sum + value, 0) / differences.length).toBeLessThan(1);
  });
});

describe('what sutura upload says of a job', () => {
  const area = (value: number) => ({ area: { pixels: 100.4, cm2: { value, lower: value - 1, upper: value + 1 } } });
  const told = (result: object, report: object | null = null) =>
    linesOf(
      {
        id: 'J',
        status: 'completed',
        links: { self: 'http://x/jobs/J', report: 'http://x/api/v1/reports/R' },
        result: {
          woundDetected: true,
          quality: { acceptable: true, warnings: [] },
          wounds: [area(4)],
          attention: [],
          ...result,
        },
      } as unknown as EndedJob,
      report as Parameters<typeof linesOf>[1],
    );

  it('is that its result waits, why, and who ends that', () => {
    const lines = told({ attention: ['which_outline', 'of_later'], wounds: [area(4), area(3.9)] });
    expect(lines[0]).toBe('job J: completed, and its result waits for a person');
    expect(lines).toContainEqual(expect.stringMatching(/^waits because which_outline: more than one wound/));
    expect(lines).toContain('waits because of_later');
    expect(lines.at(-1)).toContain('POST http://x/api/v1/reports/R/reviews');
  });

  it('is the area of the wound of the subject, and never that of all outlines', () => {
    expect(told({ wounds: [area(4), area(3)] })).toEqual([
      'job J: completed',
      'area 4 cm2 (3 to 5)',
      'other outlines 1, not in that area',
      'report http://x/api/v1/reports/R',
    ]);
    expect(told({ wounds: [area(4), area(3)], region: { outline: 1 } })[1]).toBe('area 3 cm2 (2 to 4)');
    expect(told({ region: { outline: null } })[1]).toBe('other outlines 1, not in that area');
    expect(told({ wounds: [{ area: { pixels: 100.4, cm2: null } }] })[1]).toBe('area 100 pixels, no scale');
    expect(told({ woundDetected: false, wounds: [] })[1]).toMatch(/^no wound was found .* never means/);
  });

  it('is what its report has to be looked at for, in words', () => {
    const course = {
      verdict: 'worsening',
      because: [
        { direction: 'worse', what: 'area' },
        { direction: 'better', what: 'depth' },
      ],
    };
    const necrosis = { fromPct: null, toPct: 48.8 };
    const report = {
      comparison: { course, unconfirmedNecrosis: necrosis },
      flags: [{ code: 'area_growth' }, { code: 'of_later' }],
    };
    expect(told({}, report).slice(2, -1)).toEqual([
      'verdict worsening, worse: area',
      'look at it: the area has grown since the photo before',
      'look at it: of_later',
      'look at it: the software sees 48.8 % of the wound bed as necrosis, which no clinician has confirmed',
    ]);
    const risen = { comparison: { unconfirmedNecrosis: { fromPct: 5, toPct: 48.8 } }, flags: [] };
    expect(told({}, risen)[2]).toContain('48.8 % of the wound bed as necrosis (5 % before)');
  });

  it('is what makes it doubtful', () => {
    const quality = { acceptable: false, warnings: ['blurred'] };
    expect(told({ quality, familiarity: { outlineReliable: false } }).slice(2, 5)).toEqual([
      'the photo is not acceptable: take another one, and do not use this area',
      'the outline is more likely wrong than right: check it',
      'warnings blurred',
    ]);
  });
});
