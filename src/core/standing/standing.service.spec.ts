import type { ListenerFacts, ProcessFacts, ServiceFacts, ReceiverFacts } from './standing-facts.js';
import { STANDING_PARTS } from './standing-parts.js';
import { StandingService } from './standing.service.js';

const NOW = new Date('2026-03-15T08:45:00Z');
const minutesAgo = (minutes: number): Date => new Date(NOW.getTime() - minutes * 60_000);
const OWN = '01997f2e-1111-7000-8000-000000000001';
const OTHER = '01997f2e-1111-7000-8000-000000000002';

const GOOD: ServiceFacts = {
  organizations: new Map([[OWN, 'Ward 7']]),
  receivers: [],
  listeners: [],
  processes: [
    {
      id: 'p1',
      roles: ['api', 'worker', 'hl7'],
      host: 'ward-host',
      seenAt: NOW,
      isFresh: true,
      failing: {},
      figures: {
        sutura_data_free_bytes: 9e9,
        sutura_data_least_free_bytes: 5e8,
        sutura_backup_age_seconds: 60,
        sutura_backup_taken: 1,
        sutura_audit_seal_age_seconds: 20,
        sutura_audit_chain_breaks: 0,
      },
    },
  ],
  work: {
    jobsQueued: 0,
    jobsRunning: 0,
    oldestJobAt: null,
    lastJobEndedAt: null,
    oldestEventAt: null,
    oldestMessageAt: null,
  },
  failedJobs: [],
  held: [],
  messages: [],
  quotas: [],
  isReadOnly: false,
  now: NOW,
};
const NOTHING_READ = Object.fromEntries(Object.keys(GOOD).map((name) => [name, null])) as unknown as ServiceFacts;

const RECEIVER: ReceiverFacts = {
  id: 'd1',
  exit: 'hl7',
  name: 'Ward EHR',
  address: 'ehr.example.org:6661',
  organizationId: OWN,
  environment: 'live',
  isPaused: false,
  hasCertificates: false,
  disabledFor: null,
  disabledAt: null,
  waiting: 0,
  oldestWaitingAt: null,
  parked: 0,
  oldestParkedAt: null,
  failingSince: null,
  lastFault: null,
  lastAnswer: null,
  lastAcceptedAt: minutesAgo(2),
  isServed: true,
};

const LISTENER: ListenerFacts = {
  id: 'l1',
  name: 'Ward',
  port: 2575,
  organizationId: OWN,
  environment: 'live',
  isPaused: false,
  isServed: true,
  notServedReason: null,
  notServedSince: null,
  certificateEndsAt: null,
  lastMessageAt: minutesAgo(1),
};

const serviceOf = (facts: Partial<ServiceFacts>) =>
  new StandingService({ gather: () => Promise.resolve({ ...GOOD, ...facts }) }, { now: () => NOW });
const read = (facts: Partial<ServiceFacts>) => serviceOf(facts).read(undefined);

describe('how the service stands', () => {
  it('is not known where nothing could be read in time, and every part says so', async () => {
    const { state, findings } = await read(NOTHING_READ);
    expect(state).toBe('unknown');
    expect(findings.map(({ part }) => part).sort()).toEqual([...STANDING_PARTS].sort());
    expect(findings.every(({ fault }) => fault === 'not_read')).toBe(true);
  });

  it.each(Object.keys(GOOD).filter((name) => !['organizations', 'now'].includes(name)) as (keyof ServiceFacts)[])(
    'is never well without its %s',
    async (name) => {
      expect((await read({})).state).toBe('well');
      expect((await read({ [name]: null })).state).not.toBe('well');
    },
  );

  it('does not call a receiver well that has never taken anything', async () => {
    const { state, findings } = await read({ receivers: [{ ...RECEIVER, lastAcceptedAt: null }] });
    expect(state).toBe('unknown');
    expect(findings[0]!.words).toBe('1 receiver has not taken anything yet: nothing proves that they would');
  });

  it('gives of several receivers that take the weakest proof', async () => {
    const receivers = [RECEIVER, { ...RECEIVER, id: 'd2', lastAcceptedAt: minutesAgo(600) }];
    const { findings } = await read({ receivers });
    expect(findings.find(({ part }) => part === 'receivers')!.provenAt).toEqual(minutesAgo(600));
  });

  it('calls a receiver that is disabled so before anything milder', async () => {
    const ill = { disabledFor: 'failing', isPaused: true, failingSince: minutesAgo(9), parked: 3 } as const;
    const { findings } = await read({ receivers: [{ ...RECEIVER, ...ill }] });
    expect(findings[0]).toMatchObject({ state: 'broken', fault: 'endpoint_disabled' });
  });

  it.each([
    ['unauthorized', 'receiver_refuses', 'EHR North does not let us in (unauthorized)'],
    ['token_refused', 'receiver_refuses', 'EHR North does not let us in (token_refused)'],
    ['lost ECONNRESET', 'receiver_silent', 'EHR North gives no answer (lost ECONNRESET)'],
    ['token unreachable ECONNREFUSED', 'receiver_unreachable', 'EHR North cannot be reached (token unreachable'],
  ])('says of an EHR with the fault %s who has to mend it', async (lastFault, fault, words) => {
    const ehr = { exit: 'ehr', name: 'North', failingSince: minutesAgo(9), lastAcceptedAt: null, lastFault } as const;
    const { findings } = await read({ receivers: [{ ...RECEIVER, ...ehr }] });
    expect(findings[0]).toMatchObject({ state: 'broken', fault, words: expect.stringContaining(words) as string });
    expect(findings[0]!.nextStep!.includes('token')).toBe(fault === 'receiver_refuses');
    expect(findings[0]!.nextStep!.includes('firewall')).toBe(fault === 'receiver_unreachable');
  });

  it('does not say since when something is paused, as that is not recorded', async () => {
    const receivers = [{ ...RECEIVER, isPaused: true, waiting: 3, oldestWaitingAt: minutesAgo(9) }];
    const { findings } = await read({ receivers });
    expect(findings[0]).toMatchObject({ fault: 'endpoint_paused', since: null, waiting: 3 });
  });

  it('does not advise to resume alone an EHR whose push may be switched off', async () => {
    const receivers = [{ ...RECEIVER, exit: 'ehr' as const, isPaused: true, waiting: 1 }];
    const { findings } = await read({ receivers });
    expect(findings[0]).toMatchObject({
      fault: 'endpoint_paused',
      words: expect.stringContaining('switched off') as string,
      nextStep: expect.stringContaining('Enable its push') as string,
    });
  });

  it('does not call broken what took others after one that it did not take', async () => {
    const receivers = [{ ...RECEIVER, failingSince: minutesAgo(9), lastAnswer: 'AE', waiting: 1 }];
    const { findings } = await read({ receivers });
    expect(findings[0]).toMatchObject({
      state: 'waiting',
      words: 'Destination Ward EHR refuses what is sent to it (AE); it took others since',
    });
  });

  it('does not say of what is parked that it was refused: a person may have parked it', async () => {
    const queue = { parked: 2, oldestParkedAt: minutesAgo(90), waiting: 1, oldestWaitingAt: minutesAgo(0.1) };
    const { findings } = await read({ receivers: [{ ...RECEIVER, ...queue }] });
    expect(findings[0]).toMatchObject({
      fault: 'deliveries_parked',
      words: 'Destination Ward EHR has 2 deliveries parked until a person decides',
      waiting: 2,
      oldestWaitingAt: minutesAgo(90),
    });
  });

  it('tells that nobody sends before one that was refused while others were taken', async () => {
    const ill = { failingSince: minutesAgo(9), lastAnswer: 'AE', waiting: 1, oldestWaitingAt: minutesAgo(9) };
    const { findings } = await read({ receivers: [{ ...RECEIVER, ...ill, isServed: false }] });
    expect(findings[0]).toMatchObject({ state: 'broken', fault: 'receiver_not_tried' });
  });

  it('puts what is broken for longest first', async () => {
    const broken = { ...RECEIVER, lastAcceptedAt: null, lastFault: 'timeout' };
    const receivers = [
      { ...broken, id: 'd1', failingSince: minutesAgo(1) },
      { ...broken, id: 'd2', failingSince: minutesAgo(30) },
    ];
    const { findings } = await read({ receivers, quotas: [{ organizationId: OWN, used: 9, limit: 10 }] });
    expect(findings.slice(0, 3).map(({ subject, part }) => subject?.id ?? part)).toEqual(['d2', 'd1', 'quota']);
  });

  it('does not call a listener closed on the board where nobody can write that it is served', async () => {
    const closed = { ...LISTENER, isServed: false, notServedReason: 'no_gateway', notServedSince: minutesAgo(1) };
    const listeners = [closed, { ...LISTENER, id: 'l2', isPaused: true, isServed: null }];
    const rows = async (isReadOnly: boolean) =>
      (await serviceOf({ listeners, isReadOnly }).connections(undefined)).connections!.map(
        ({ id, state, fault, since, said }) => [id, state, fault, since, said],
      );
    expect(await rows(true)).toEqual([
      ['l2', 'waiting', 'listener_paused', null, null],
      ['l1', 'unknown', 'not_read', null, null],
    ]);
    expect((await rows(false))[0]).toEqual(['l1', 'broken', 'listener_not_served', minutesAgo(1), 'no_gateway']);
  });

  it('does not take workers for dead, or listeners for closed, where nobody can write a report', async () => {
    const { findings } = await read({ isReadOnly: true, processes: [] });
    expect(findings.filter(({ state }) => state === 'broken').map(({ fault }) => fault)).toEqual([
      'database_read_only',
    ]);
    expect(findings.filter(({ fault }) => fault === 'not_read').map(({ part }) => part)).toEqual(
      expect.arrayContaining(['workers', 'models', 'listeners', 'disk']),
    );
  });

  describe('from the reports of processes', () => {
    const GOOD_PROCESS = GOOD.processes![0]!;
    const API: ProcessFacts = { ...GOOD_PROCESS, id: 'p2', roles: ['api'], host: 'api-host' };
    const stale = (of: Partial<ProcessFacts> = {}): ProcessFacts => ({
      ...API,
      isFresh: false,
      seenAt: minutesAgo(30),
      ...of,
    });
    const told = async (processes: readonly ProcessFacts[], part: string) =>
      (await read({ processes })).findings.filter((one) => one.part === part);
    const figured = (figures: Readonly<Record<string, number>>): ProcessFacts[] => [
      { ...GOOD_PROCESS, figures: { ...GOOD_PROCESS.figures, ...figures } },
    ];

    it('is not well while no back-up has been taken, and broken once there should be one', async () => {
      const of = (ageS: number) => figured({ sutura_backup_taken: 0, sutura_backup_age_seconds: ageS });
      expect(await told(of(180), 'backup')).toMatchObject([
        { state: 'unknown', words: 'No back-up has been taken yet', provenAt: null },
      ]);
      expect(await told(of(27 * 3600), 'backup')).toMatchObject([
        { state: 'broken', fault: 'backup_old', words: 'No back-up has been taken yet', provenAt: null },
      ]);
    });

    it('is broken where the only process with a role has died, however long ago', async () => {
      const workers = { ...GOOD_PROCESS, roles: ['worker'] };
      const [found, ...others] = await told([workers, stale({ seenAt: minutesAgo(600) })], 'parts');
      expect(found).toMatchObject({
        state: 'broken',
        fault: 'part_failed',
        words: 'No process with the role api reports any more; the last ran on api-host',
        since: minutesAgo(600),
      });
      expect(others).toEqual([]);
    });

    it('tells for an hour of a process that died beside others with its roles', async () => {
      expect(await told([GOOD_PROCESS, stale()], 'parts')).toMatchObject([
        { state: 'waiting', fault: 'part_failed', words: expect.stringContaining('on api-host') as string },
      ]);
      expect(await told([GOOD_PROCESS, stale({ seenAt: minutesAgo(61) })], 'parts')).toMatchObject([{ state: 'well' }]);
    });

    it('remembers the full disk of a process that died, until a process of that host reports', async () => {
      const full = stale({ figures: { ...API.figures, sutura_data_free_bytes: 1e8 } });
      expect(await told([GOOD_PROCESS, full], 'disk')).toMatchObject([
        {
          state: 'broken',
          fault: 'disk_full',
          words: 'The disk of the data folder on api-host had 95 MiB left when its process last reported',
        },
      ]);
      expect(await told([GOOD_PROCESS, full, API], 'disk')).toMatchObject([{ state: 'well' }]);
    });

    it('does not call a process broken that is being stopped, nor ready', async () => {
      const stopping = { ...API, failing: { stopping: minutesAgo(1) } };
      expect(await told([GOOD_PROCESS, stopping], 'parts')).toMatchObject([
        { state: 'well', words: '1 process reports and is ready' },
      ]);
      expect(await told([{ ...GOOD_PROCESS, failing: stopping.failing }], 'parts')).toMatchObject([
        { state: 'unknown', fault: null },
      ]);
    });

    it('calls what has failed for less than ten seconds neither broken nor well', async () => {
      const of = (agoS: number) => {
        const since = new Date(NOW.getTime() - agoS * 1000);
        return [{ ...GOOD_PROCESS, failing: { inference: since, storage: since } }];
      };
      for (const part of ['models', 'parts'])
        expect(await told(of(9), part)).toMatchObject([{ state: 'unknown', fault: null }]);
      expect(await told(of(10), 'models')).toMatchObject([{ state: 'broken', fault: 'model_missing' }]);
      expect(await told(of(10), 'parts')).toMatchObject([{ state: 'broken', fault: 'part_failed' }]);
    });

    it('does not know of an audit trail whose chain was not checked since the start, or that was not sealed', async () => {
      const { sutura_audit_chain_breaks: _, sutura_audit_seal_age_seconds: __, ...others } = GOOD_PROCESS.figures;
      const found = await told([{ ...GOOD_PROCESS, figures: others }], 'audit');
      expect(found.map(({ state, provenAt }) => [state, provenAt])).toEqual([
        ['unknown', null],
        ['unknown', null],
      ]);
    });
  });

  it('does not call certificates good of which no process reports the end', async () => {
    const receivers = [{ ...RECEIVER, hasCertificates: true }];
    const { state, findings } = await read({ receivers });
    expect(state).toBe('unknown');
    const found = findings.filter(({ part }) => part === 'certificates');
    expect(found.map(({ words }) => words)).toEqual([
      'When the certificate of destination Ward EHR ends is not known: no process that reports can read its files',
    ]);
  });

  it('reckons by the clock of the database, and by that of the process where it cannot be read', async () => {
    const receivers = [{ ...RECEIVER, isServed: false, waiting: 1, oldestWaitingAt: minutesAgo(5) }];
    const behind = await read({ receivers, now: minutesAgo(5) });
    expect(behind.at).toEqual(minutesAgo(5));
    expect(behind.findings.some(({ fault }) => fault !== null)).toBe(false);
    expect((await serviceOf({ now: minutesAgo(5) }).connections(undefined)).at).toEqual(minutesAgo(5));
    const unread = await read({ receivers, now: null });
    expect(unread.at).toEqual(NOW);
    expect(unread.findings[0]).toMatchObject({ fault: 'receiver_not_tried' });
  });

  it('does not speak of the service’s own certificate to those who may not see it', async () => {
    const figures = { ...GOOD.processes![0]!.figures, sutura_tls_certificate_days: -1 };
    const processes = [{ ...GOOD.processes![0]!, figures }];
    const listener = { ...LISTENER, certificateEndsAt: new Date(NOW.getTime() + 30 * 24 * 60 * 60_000) };
    const rights = { isInstallationAdmin: false, roles: [{ organizationId: OWN, role: 'viewer' as const }] };
    const wordsFor = async (whose: typeof rights | undefined, listeners: ListenerFacts[]) =>
      (await serviceOf({ processes, listeners }).read(whose)).findings
        .filter(({ part }) => part === 'certificates')
        .map(({ words }) => words);
    expect(await wordsFor(rights, [listener])).toEqual([
      '1 certificate of connections is good; the first ends in 30 days',
    ]);
    expect(await wordsFor(rights, [])).toEqual([
      'No certificate of connections is in use that this service knows the end of',
    ]);
    expect((await wordsFor(undefined, [listener]))[0]).toContain('this service’s HTTPS has ended');
  });

  it('warns of a quota of nothing only once something was used', async () => {
    expect((await read({ quotas: [{ organizationId: OWN, used: 0, limit: 0 }] })).state).toBe('well');
  });

  it('says of what is well that it is what the person may see, where there is more', async () => {
    const organizations = new Map([
      [OWN, 'Ward 7'],
      [OTHER, 'Ward 8'],
    ]);
    const rights = { isInstallationAdmin: false, roles: [{ organizationId: OWN, role: 'admin' as const }] };
    const receivers = [RECEIVER, { ...RECEIVER, id: 'd2', organizationId: OTHER, disabledFor: 'gone' as const }];
    const { state, findings, unseen } = await serviceOf({ organizations, receivers }).read(rights);
    expect(state).toBe('unknown');
    expect(unseen).toContain('receivers');
    expect(findings.some(({ fault }) => fault !== null)).toBe(false);
    expect(findings.find(({ part }) => part === 'held')!.words).toMatch(/of what you may see/);
    expect(JSON.stringify(findings)).not.toContain(OTHER);
  });
});
