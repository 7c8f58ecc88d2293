import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { ClinicalEventService } from '../../../../src/core/wounds/clinical-event.service.js';
import { WoundService, type WoundDetails } from '../../../../src/core/wounds/wound.service.js';
import { FhirRecords } from '../../../../src/doors/fhir/records/fhir-records.js';
import { NO_CODE_MAPS } from '../../../../src/doors/hl7v2/mapping/reading/mapped-fields.js';
import { applyAtOnce, applyMessage, er7 } from '../../../support/applied-message.js';
import { IntakeGround } from '../../../support/intake-ground.js';

describe('a message with rows about what was done to a wound, and that it is closed', () => {
  let ground: IntakeGround;
  let caller: Caller;
  beforeAll(async () => {
    ground = await IntakeGround.open();
  });
  afterAll(() => ground?.close());
  beforeEach(async () => {
    caller = await ground.createCaller();
  });

  const sent = (...rows: readonly string[]) =>
    er7(
      'ORU^R01^ORU_R01',
      'PID|1||MRN-1^^^HOSP^MR||Beispiel^Anna||19510714|F',
      'OBR|1|A-1^EHR|F-1^EHR|39135-9^Wound assessment panel^LN|||20260303090000+0100',
      'OBX|1|ST|wound-id^^99EHR|1|W-1||||||F',
      ...rows.map((row, at) => `OBX|${at + 2}|CWE|${row}`),
    );
  const EVENT = 'wound-event^^99EHR|1|debridement||||||F|||20260303101500+0100';
  const CLOSING = 'wound-closing^^99EHR|1|healed||||||F|||20260310101500+0100';
  const theWound = async (): Promise<WoundDetails> => {
    const wounds = ground.get(WoundService);
    const [wound] = (await wounds.list(caller, {}, 10, null)).items;
    return wounds.get(caller, wound!.id);
  };

  it('is refused where its sender has no right to review, and files nothing', async () => {
    const writer = { ...caller, scopes: ['images:write', 'analysis:write', 'analysis:read'] } as const;
    for (const row of [EVENT, CLOSING])
      expect(await applyMessage(ground, writer, sent(row))).toMatchObject([{ code: 'auth.scope', severity: 'error' }]);
    expect((await ground.get(WoundService).list(caller, {}, 10, null)).items).toEqual([]);
  });

  it('records the event and closes the wound with its reason, and a repeat of the closing changes nothing', async () => {
    expect(await applyMessage(ground, caller, sent(EVENT))).toEqual([]);
    expect(await theWound()).toMatchObject({
      wound: { status: 'open' },
      clinicalEvents: [{ type: 'debridement', occurredAt: new Date('2026-03-03T09:15:00Z') }],
    });
    expect(await applyMessage(ground, caller, sent(CLOSING))).toEqual([]);
    expect(await applyMessage(ground, caller, sent(CLOSING))).toEqual([]);
    expect(await applyMessage(ground, caller, sent())).toEqual([]);
    expect(await theWound()).toMatchObject({
      wound: { status: 'closed', closedAt: new Date('2026-03-10T09:15:00Z') },
      course: { verdict: 'closed' },
      events: [{ decision: 'closed', reason: 'healed' }],
    });
  });

  const onDay = (day: number, ...rows: readonly string[]) =>
    sent(...rows).replace('20260303090000+0100', `202603${day}090000+0100`);
  const UNDATED = 'wound-closing^^99EHR|1|healed||||||F';

  it('records an event once, however often it is sent, and of another patient’s wound of that number another', async () => {
    for (const row of [EVENT, EVENT, EVENT.replace('101500+0100', '091500+0000')])
      expect(await applyMessage(ground, caller, sent(row, EVENT))).toEqual([]);
    expect((await theWound()).clinicalEvents).toHaveLength(1);
    const other = sent(EVENT).replace('MRN-1', 'MRN-2').replace('Beispiel^Anna||19510714', 'Muster^Max||19400101');
    for (const message of [other, other]) expect(await applyMessage(ground, caller, message)).toEqual([]);
    const { items: wounds } = await ground.get(WoundService).list(caller, {}, 10, null);
    const counts = wounds.map(async ({ id }) => (await ground.get(WoundService).get(caller, id)).clinicalEvents.length);
    expect(await Promise.all(counts)).toEqual([1, 1]);
    await applyMessage(ground, caller, sent(EVENT.replace('debridement', 'debridement~compression')));
    await applyMessage(ground, caller, sent(EVENT.replace('20260303', '20260304')));
    const all = await Promise.all(wounds.map(({ id }) => ground.get(WoundService).get(caller, id)));
    expect(all.map(({ clinicalEvents }) => clinicalEvents.length).sort()).toEqual([1, 3]);
  });

  it('records an event once of messages that come at the same moment', async () => {
    await applyMessage(ground, caller, sent(EVENT.replace('debridement', 'compression')));
    await applyAtOnce(ground, caller, [sent(EVENT), sent(EVENT), sent(EVENT)]);
    expect((await theWound()).clinicalEvents).toHaveLength(2);
  });

  it('does not bring back what was withdrawn, and says of a correction what became of it', async () => {
    await applyMessage(ground, caller, sent(EVENT));
    const { wound, clinicalEvents } = await theWound();
    await ground.within(caller, ({ transaction }) =>
      ground.get(ClinicalEventService).withdraw(transaction, wound.id, clinicalEvents[0]!.id, { note: null, by: null }),
    );
    expect(await applyMessage(ground, caller, sent(EVENT))).toEqual([]);
    await ground.relay();
    expect(await applyMessage(ground, caller, sent(EVENT.replace('||||||F', '||||||C')))).toMatchObject([
      { code: 'finding.kept', severity: 'warning', text: expect.stringContaining('Withdraw the former') },
    ]);
    expect((await theWound()).clinicalEvents).toEqual([]);
  });

  it('closes a wound once, whatever the day of the messages that say so again, and takes the rest of them', async () => {
    expect(await applyMessage(ground, caller, onDay(10, UNDATED))).toEqual([]);
    expect(await applyMessage(ground, caller, onDay(12, UNDATED))).toEqual([]);
    const other = UNDATED.replace('healed', 'amputated');
    expect(await applyMessage(ground, caller, onDay(13, EVENT, other))).toMatchObject([
      { code: 'finding.kept', severity: 'warning', text: expect.stringContaining('closed already') },
    ]);
    expect(await theWound()).toMatchObject({
      wound: { status: 'closed', closedAt: new Date('2026-03-10T08:00:00Z') },
      events: [{ reason: 'healed' }],
      clinicalEvents: [{ type: 'debridement' }],
    });
  });

  it('leaves a wound as it was closed at the desk, and a reopened one open, with a warning', async () => {
    await applyMessage(ground, caller, sent(EVENT));
    const { id } = (await theWound()).wound;
    const decide = (decision: 'close' | 'reopen', day: number) =>
      ground.within(caller, ({ transaction }) =>
        ground.get(WoundService)[decision](transaction, id, {
          reviewer: null,
          note: null,
          decidedAt: new Date(`2026-03-${day}T08:00:00Z`),
          ...(decision === 'close' ? { reason: 'healed' as const } : {}),
        }),
      );
    await decide('close', 11);
    expect(await applyMessage(ground, caller, onDay(12, UNDATED))).toEqual([]);
    expect(await applyMessage(ground, caller, sent(CLOSING))).toMatchObject([{ severity: 'warning' }]);
    await decide('reopen', 13);
    expect(await applyMessage(ground, caller, onDay(14, UNDATED))).toEqual([]);
    await decide('reopen', 15);
    expect(await applyMessage(ground, caller, onDay(16, UNDATED))).toMatchObject([
      { severity: 'warning', text: expect.stringContaining('reopened since') },
    ]);
    const before = 'wound-closing^^99EHR|1|amputated||||||F|||20260312';
    expect(await applyMessage(ground, caller, onDay(16, before))).toMatchObject([
      { severity: 'warning', text: expect.stringContaining('reopened since') },
    ]);
    expect((await theWound()).wound.status).toBe('open');
  });

  describe('or with a procedure (PR1)', () => {
    const procedure = (at = '20260303101500+0100', code = '36777000^Debridement^SCT') => `PR1|1||${code}|Sharp|${at}`;
    const results = (segment: string) => `${sent()}${segment}\r`;
    const announced = (...segments: readonly string[]) =>
      er7('ADT^A08^ADT_A01', 'EVN|A08', 'PID|1||MRN-1^^^HOSP^MR||Beispiel^Anna||19510714|F', ...segments);
    const DEPTH = 'NM|39127-6^Depth of Wound^LN|1|0.4|cm^centimeter^UCUM|||||F';
    const withDepth = (...segments: readonly string[]) =>
      [`${sent()}OBX|2|${DEPTH}`, ...segments.map((one, at) => one.replace('PR1|1', `PR1|${at + 1}`)), ''].join('\r');
    const depths = async () =>
      (await ground.get(FhirRecords).findByIdentifier(caller, 'BodyStructure', [{ system: '', value: 'W-1' }])).length;

    it.each([
      ['of a time that is still to come', [procedure('29990303')], 1],
      ['of a time before the birth', [procedure('19400303')], 1],
      ['of such times, beside one that was done', [procedure('29990303'), procedure(), procedure('19400303')], 2],
    ])('%s is left out with a warning, and the rest is taken', async (_name, procedures, count) => {
      const problems = await applyMessage(ground, caller, withDepth(...procedures));
      expect(problems).toHaveLength(count);
      for (const problem of problems) expect(problem).toMatchObject({ code: 'finding.kept', severity: 'warning' });
      expect(await depths()).toBe(1);
      expect((await theWound()).clinicalEvents).toHaveLength(procedures.length - count);
    });

    it('is left out with a warning where its sender has no right to review, and the rest is taken', async () => {
      const writer = { ...caller, scopes: ['images:write', 'analysis:write', 'analysis:read'] } as const;
      for (const message of [withDepth(procedure()), results(procedure())])
        expect(await applyMessage(ground, writer, message)).toMatchObject([
          { code: 'finding.kept', severity: 'warning', text: expect.stringContaining('analysis:review') },
        ]);
      expect([await depths(), (await theWound()).clinicalEvents]).toEqual([1, []]);
    });

    it('records the event once, whichever of results and rows told of it, and however often', async () => {
      for (const message of [results(procedure()), sent(EVENT), results(procedure())])
        expect(await applyMessage(ground, caller, message)).toEqual([]);
      expect(await theWound()).toMatchObject({
        wound: { woundId: 'W-1' },
        clinicalEvents: [{ type: 'debridement', occurredAt: new Date('2026-03-03T09:15:00Z'), note: 'Sharp' }],
      });
      await applyAtOnce(
        ground,
        caller,
        [1, 2, 3].map(() => results(procedure('20260304'))),
      );
      expect((await theWound()).clinicalEvents).toHaveLength(2);
    });

    it('that was recorded in the words of its sender is not recorded again once its code is mapped', async () => {
      const row = EVENT.replace('debridement', 'LT^Larval therapy^99EHR');
      expect(await applyMessage(ground, caller, sent(row))).toMatchObject([{ code: 'code.unknown' }]);
      const codes = { ...NO_CODE_MAPS, 'PR1-3': { LT: 'event-debridement' } };
      const message = results(procedure(undefined, 'LT^Larval therapy^99EHR'));
      expect(await applyMessage(ground, caller, message, { codes })).toMatchObject([
        { code: 'finding.kept', text: expect.stringContaining('another event') },
      ]);
      expect((await theWound()).clinicalEvents).toMatchObject([{ type: 'other', note: 'Larval therapy' }]);
    });

    it('of ADT is not read, whichever wounds it names, and the patient is announced', async () => {
      const numbers = ['W-1', 'W-2'].map((number, at) => `OBX|${at + 1}|ST|wound-id^^99EHR|1|${number}`);
      for (const segments of [[procedure()], [...numbers, procedure(), 'PR1|2']])
        expect(await applyMessage(ground, caller, announced(...segments))).toEqual([]);
      expect((await ground.get(WoundService).list(caller, {}, 10, null)).items).toEqual([]);
    });
  });
});
