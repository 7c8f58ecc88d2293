import type { Bundle, Observation, Patient, Resource } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import type { Scope } from '../../../../src/core/tenancy/api-key.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { BASE, type FhirGround, SERVICE } from '../../../support/fhir-ground.js';
import { linkOf, matchesOf, outcomeOf, resourcesOf, SearchGround, type Searching } from './searching.js';

const day = (number: number): string => `2026-01-${String(number).padStart(2, '0')}`;
const area = (id: string, more: Partial<Observation> = {}): Observation => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  code: { coding: [{ system: 'http://loinc.org', code: '89260-4' }] },
  ...more,
});
const idsOf = (resources: readonly Resource[]): string[] => resources.map(({ id }) => id!);
const EXTENSION = 'https://sutura.dev/fhir/StructureDefinition/';

describe('how a search is answered', () => {
  let opened: SearchGround;
  let ground: FhirGround;
  let searching: Searching;
  let tenant: Tenant;

  beforeAll(async () => {
    opened = await SearchGround.open();
    ({ ground, searching } = opened);
  });
  afterAll(() => opened?.close());
  beforeEach(async () => {
    tenant = await opened.context.createTenant();
    ground.now = null;
  });

  const insertAll = (resources: readonly Resource[]) =>
    ground.inTenant(tenant, async (transaction) => {
      for (const resource of resources) await ground.store.insert(transaction, resource, SERVICE);
    });
  /** Follows links of a relation to the end; the matches of each page. */
  const follow = async (start: Bundle, relation: 'next' | 'previous'): Promise<string[][]> => {
    const pages: string[][] = [];
    for (let link = linkOf(start, relation); link !== undefined;) {
      const bundle = await searching.bundle(tenant, link);
      pages.push(idsOf(matchesOf(bundle)));
      link = linkOf(bundle, relation);
      expect(pages.length).toBeLessThan(50);
    }
    return pages;
  };

  describe('of large resources', () => {
    const MIB = 1024 * 1024;
    /** A resource whose text is far larger than what it takes in the database, as photos of one colour are. */
    const large = (id: string, number: number, bytes = MIB): Observation =>
      area(id, { effectiveDateTime: day(number), note: [{ text: 'x'.repeat(bytes) }] });
    const sizeOf = (bundle: Bundle): number => Buffer.byteLength(JSON.stringify(bundle));

    it('ends sooner than it was asked to, and goes on by its link', async () => {
      await insertAll(Array.from({ length: 20 }, (_, at) => large(`large-${String(at).padStart(2, '0')}`, at + 1)));
      const first = await searching.bundle(tenant, 'Observation?_sort=date&_count=200');
      expect(matchesOf(first).length).toBeLessThan(10);
      expect(first.total).toBe(20);
      const pages = [idsOf(matchesOf(first)), ...(await follow(first, 'next'))];
      expect(pages.flat()).toEqual(Array.from({ length: 20 }, (_, at) => `large-${String(at).padStart(2, '0')}`));
      const last = await searching.bundle(
        tenant,
        linkOf(await searching.bundle(tenant, linkOf(first, 'next')!), 'next')!,
      );
      for (const bundle of [first, last]) expect(sizeOf(bundle)).toBeLessThan(10 * MIB);
      expect((await follow(last, 'previous')).reverse().flat()).toEqual(pages.slice(0, 2).flat());
    });

    it('has one resource at least, and no further page where there is none', async () => {
      await insertAll([large('giant', 2, 9 * MIB), area('small', { effectiveDateTime: day(1) })]);
      const first = await searching.bundle(tenant, 'Observation?_sort=-date');
      expect(idsOf(matchesOf(first))).toEqual(['giant']);
      const second = await searching.bundle(tenant, linkOf(first, 'next')!);
      expect([idsOf(matchesOf(second)), linkOf(second, 'next')]).toEqual([['small'], undefined]);
      const alone = await searching.bundle(tenant, 'Observation?_id=giant');
      expect([idsOf(matchesOf(alone)), linkOf(alone, 'next')]).toEqual([['giant'], undefined]);
    });

    it('says that more belongs to it than it brings along', async () => {
      const photo = { resourceType: 'Patient', id: 'p1' } as const;
      await insertAll([
        photo,
        ...Array.from({ length: 12 }, (_, at) => ({
          ...large(`of-${at}`, at + 1),
          subject: { reference: 'Patient/p1' },
        })),
      ]);
      const bundle = await searching.bundle(tenant, 'Patient?_id=p1&_revinclude=Observation:subject');
      expect(resourcesOf(bundle, 'include').length).toBeGreaterThan(0);
      expect(sizeOf(bundle)).toBeLessThan(10 * MIB);
      expect(outcomeOf(bundle)!.issue).toEqual([expect.objectContaining({ severity: 'warning', code: 'too-costly' })]);
    });
  });

  describe('page by page', () => {
    const NUMBERS = Array.from({ length: 11 }, (_, index) => index + 1);
    /** Each date twice, so that a page ends within one. */
    const TWICE = NUMBERS.flatMap((number) => [
      area(`a${number}`, { effectiveDateTime: day(number) }),
      area(`b${number}`, {
        effectiveDateTime: day(number),
        status: 'amended',
        code: { coding: [{ code: 'b' }, { code: '89260-4' }] },
      }),
    ]);

    it.each([
      '',
      '_sort=date',
      '_sort=-date',
      '_sort=_lastUpdated',
      '_sort=-_lastUpdated',
      '_sort=_id',
      '_sort=-_id',
      '_sort=status,-date',
      '_sort=-status,-date,_id',
      'code=89260-4&_sort=-date',
      'code=89260-4,b&_sort=-date',
      'code=b,89260-4',
      'date=ge2026-01-01&_sort=date',
    ])('shows everything once, forth and back: %s', async (query) => {
      await insertAll(TWICE);
      const first = await searching.bundle(tenant, `Observation?${query}&_count=5`);
      const whole = await searching.ids(tenant, `Observation?${query}&_count=200`);
      expect(whole).toHaveLength(22);
      expect(linkOf(first, 'previous')).toBeUndefined();
      const pages = [idsOf(matchesOf(first)), ...(await follow(first, 'next'))];
      expect(pages.flat()).toEqual(whole);
      expect(pages.map(({ length }) => length)).toEqual([5, 5, 5, 5, 2]);
      const last = await searching
        .bundle(tenant, linkOf(first, 'next')!)
        .then(async (second) => searching.bundle(tenant, linkOf(second, 'next')!));
      const back = await follow(last, 'previous');
      expect(back.reverse().flat()).toEqual(whole.slice(0, 10));
      expect(first.total).toBe(22);
      expect(last.total).toBe(22);
    });

    it('orders by what was asked for', async () => {
      await insertAll([
        area('old', { effectiveDateTime: '2025-01-01' }),
        area('new', { effectivePeriod: { start: '2026-01-01' }, status: 'amended' }),
        area('undated', { status: 'cancelled' }),
      ]);
      expect(await searching.ids(tenant, 'Observation')).toEqual(['new', 'old', 'undated']);
      expect(await searching.ids(tenant, 'Observation?_sort=date')).toEqual(['undated', 'old', 'new']);
      expect(await searching.ids(tenant, 'Observation?_sort=status')).toEqual(['new', 'undated', 'old']);
      expect(await searching.ids(tenant, 'Observation?_sort=-status,_id')).toEqual(['old', 'undated', 'new']);
      expect(await searching.ids(tenant, 'Observation?_sort=-_id')).toEqual(['undated', 'old', 'new']);
    });

    it('orders by dates besides the main one', async () => {
      const patient = (id: string, birthDate?: string): Patient => ({
        resourceType: 'Patient',
        id,
        ...(birthDate === undefined ? {} : { birthDate }),
      });
      await insertAll([patient('b', '1950'), patient('unknown'), patient('a', '1970-05-05'), patient('c', '1940-01')]);
      expect(await searching.ids(tenant, 'Patient?_sort=birthdate')).toEqual(['unknown', 'c', 'b', 'a']);
      expect(await searching.ids(tenant, 'Patient?_sort=-birthdate')).toEqual(['a', 'b', 'c', 'unknown']);
      const first = await searching.bundle(tenant, 'Patient?_sort=-birthdate&_count=1');
      expect((await follow(first, 'next')).flat()).toEqual(['b', 'c', 'unknown']);
    });

    it('neither repeats nor loses what was there, whatever is inserted meanwhile', async () => {
      await insertAll(TWICE);
      let bundle = await searching.bundle(tenant, 'Observation?code=89260-4&_sort=-date&_count=4');
      const seen = idsOf(matchesOf(bundle));
      for (let round = 0; linkOf(bundle, 'next') !== undefined; round += 1) {
        await insertAll([
          area(`early${round}`, { effectiveDateTime: '2025-12-01' }),
          area(`late${round}`, { effectiveDateTime: '2026-02-01' }),
          area(`same${round}`, { effectiveDateTime: day(6) }),
        ]);
        bundle = await searching.bundle(tenant, linkOf(bundle, 'next')!);
        seen.push(...idsOf(matchesOf(bundle)));
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((id) => /^[ab]/.test(id))).toHaveLength(22);
      expect(seen.filter((id) => id.startsWith('late'))).toEqual([]);
    });

    it('lists changes in the order in which they were made', async () => {
      ground.now = new Date('2026-03-01T10:00:00Z');
      await insertAll([area('z', { effectiveDateTime: day(20) })]);
      ground.now = new Date('2026-03-01T11:00:00Z');
      await insertAll([area('y', { effectiveDateTime: day(10) })]);
      ground.now = new Date('2026-03-01T12:00:00Z');
      await insertAll([area('x', { effectiveDateTime: day(30) })]);
      expect(await searching.ids(tenant, 'Observation?_lastUpdated=gt2026-03-01T10:00:00Z')).toEqual(['y', 'x']);
      expect(
        await searching.ids(
          tenant,
          'Observation?_lastUpdated=ge2026-03-01T10:00:00Z&_lastUpdated=lt2026-03-01T12:00:00Z',
        ),
      ).toEqual(['z', 'y']);
      for (const [query, ids] of [
        ['2026-03-01T11', null],
        ['2026-03-01', 'z y x'],
        ['2026-03-01T11:00:00Z', 'y'],
        ['ne2026-03-01T11:00:00Z', 'z x'],
        ['le2026-03-01T11:00', 'z y'],
        ['sa2026-03-01T11:00', 'x'],
        ['eb2026-03-01T11:00', 'z'],
      ] as const) {
        if (ids === null)
          await expect(searching.ids(tenant, `Observation?_lastUpdated=${query}`)).rejects.toMatchObject({
            code: 'fhir.search',
          });
        else expect((await searching.ids(tenant, `Observation?_lastUpdated=${query}`)).join(' ')).toBe(ids);
      }
    });

    it('refuses a cursor of another search, another order, or one that was tampered with', async () => {
      await insertAll(TWICE);
      const next = linkOf(await searching.bundle(tenant, 'Observation?code=89260-4&_count=5'), 'next')!;
      const cursor = new URL(next).searchParams.get('_cursor')!;
      const forged = (change: (parts: unknown[]) => unknown): string =>
        Buffer.from(
          JSON.stringify(change(JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[])),
        ).toString('base64url');
      const requests = [
        `Observation?code=b&_cursor=${cursor}`,
        `Observation?code=89260-4&_sort=date&_cursor=${cursor}`,
        ...[[], {}, [1, 2, 3]].map((value) => `Observation?code=89260-4&_cursor=${forged(() => value)}`),
        ...['x', 'infinity', '1e400', '999999999999999', ''].map(
          (key) => `Observation?code=89260-4&_cursor=${forged((parts) => [...parts.slice(0, 4), key])}`,
        ),
        `Observation?code=89260-4&_cursor=${forged((parts) => [...parts.slice(0, 3), "1' or true", ...parts.slice(4)])}`,
      ];
      for (const request of requests)
        await expect(searching.bundle(tenant, request)).rejects.toMatchObject({ code: 'fhir.search' });
      await expect(
        searching.bundle(tenant, `Observation?code=89260-4&_count=7&_cursor=${cursor}`),
      ).resolves.toMatchObject({ type: 'searchset' });
    });
  });

  describe('with a total', () => {
    beforeEach(() =>
      insertAll(
        Array.from({ length: 30 }, (_, index) => area(`o${index}`, { effectiveDateTime: day(1 + (index % 28)) })),
      ),
    );

    it.each([
      ['Observation', 30],
      ['Observation?_total=accurate', 30],
      ['Observation?_total=none', undefined],
      ['Observation?code=nothing', 0],
      ['Observation?_count=50', 30],
      ['Observation?_count=0', 30],
      ['Observation?_summary=count', 30],
    ])('%s', async (request, total) => {
      expect((await searching.bundle(tenant, request)).total).toBe(total);
    });

    it('that is estimated, and never less than what shows', async () => {
      expect(
        (await searching.bundle(tenant, 'Observation?code=89260-4&_total=estimate&_count=10')).total,
      ).toBeGreaterThan(10);
    });

    it('and without resources where only the number is asked for', async () => {
      const bundle = await searching.bundle(tenant, 'Observation?_count=0&_include=*');
      expect(bundle).toEqual({
        resourceType: 'Bundle',
        type: 'searchset',
        total: 30,
        link: [{ relation: 'self', url: `${BASE}/Observation?_count=0&_include=*` }],
      });
    });
  });

  describe('with links and addresses', () => {
    it('of the server as it was called, with the parameters that counted', async () => {
      await insertAll([area('one', { subject: { reference: 'Patient/p' } })]);
      const bundle = await searching.bundle(
        tenant,
        'Observation?code=http://loinc.org|89260-4&colour=red&_count=500&_sort=-date,colour&_format=json&_elements=code',
      );
      expect(bundle.entry![0]).toMatchObject({ fullUrl: `${BASE}/Observation/one`, search: { mode: 'match' } });
      expect(linkOf(bundle, 'self')).toBe(
        `${BASE}/Observation?code=http%3A%2F%2Floinc.org%7C89260-4&_count=200&_sort=-date&_elements=code&_format=json`,
      );
      expect(outcomeOf(bundle)!.issue).toHaveLength(2);
    });
  });

  describe('in part', () => {
    const FULL = area('full', {
      text: { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml">x</div>' },
      meta: { tag: [{ code: 'kept' }] },
      note: [{ text: 'n' }],
      valueQuantity: { value: 1 },
      category: [{ text: 'c' }],
      modifierExtension: [{ url: 'urn:x', valueString: 'm' }],
    });

    it.each([
      ['_summary=true', ['code', 'id', 'meta', 'modifierExtension', 'resourceType', 'status', 'valueQuantity']],
      ['_summary=text', ['code', 'id', 'meta', 'modifierExtension', 'resourceType', 'status', 'text']],
      [
        '_summary=data',
        ['category', 'code', 'id', 'meta', 'modifierExtension', 'note', 'resourceType', 'status', 'valueQuantity'],
      ],
      [
        '_elements=note,value',
        ['code', 'id', 'meta', 'modifierExtension', 'note', 'resourceType', 'status', 'valueQuantity'],
      ],
      [
        '_elements=Observation.category,nothing',
        ['category', 'code', 'id', 'meta', 'modifierExtension', 'resourceType', 'status'],
      ],
    ])('%s', async (query, names) => {
      await insertAll([FULL]);
      const [resource] = matchesOf(await searching.bundle(tenant, `Observation?${query}`));
      expect(Object.keys(resource!).sort()).toEqual(names);
      expect(resource!.meta!.tag).toEqual([
        { code: 'kept' },
        { system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue', code: 'SUBSETTED' },
      ]);
    });

    it('not where everything is asked for', async () => {
      await insertAll([FULL]);
      const [resource] = matchesOf(await searching.bundle(tenant, 'Observation?_summary=false'));
      expect(resource).toMatchObject({ note: FULL.note, meta: { tag: [{ code: 'kept' }] } });
    });
  });

  describe('with what belongs to it', () => {
    beforeEach(() =>
      insertAll([
        { resourceType: 'Patient', id: 'p' },
        { resourceType: 'BodyStructure', id: 'w', patient: { reference: 'Patient/p' } },
        { resourceType: 'Device', id: 'd' },
        {
          resourceType: 'Media',
          id: 'm',
          status: 'completed',
          content: {},
          subject: { reference: 'Patient/p' },
          extension: [{ url: `${EXTENSION}wound`, valueReference: { reference: 'BodyStructure/w' } }],
        },
        area('panel', {
          subject: { reference: 'Patient/p' },
          hasMember: [{ reference: 'Observation/size' }, { reference: 'Observation/not-there' }],
        }),
        area('size', {
          subject: { reference: 'Patient/p' },
          focus: [{ reference: 'BodyStructure/w' }],
          device: { reference: 'Device/d' },
          derivedFrom: [{ reference: 'Media/m' }],
        }),
        {
          resourceType: 'DiagnosticReport',
          id: 'r1',
          status: 'final',
          code: {},
          subject: { reference: 'Patient/p' },
          effectiveDateTime: day(1),
          result: [{ reference: 'Observation/panel' }],
          media: [{ link: { reference: 'Media/m' } }],
          extension: [
            { url: `${EXTENSION}wound`, valueReference: { reference: 'BodyStructure/w' } },
            { url: `${EXTENSION}assessment-sequence`, valuePositiveInt: 1 },
          ],
        },
        {
          resourceType: 'DiagnosticReport',
          id: 'r2',
          status: 'final',
          code: {},
          effectiveDateTime: day(2),
          extension: [
            { url: `${EXTENSION}previous-assessment`, valueReference: { reference: 'DiagnosticReport/r1' } },
            { url: `${EXTENSION}wound`, valueReference: { reference: 'BodyStructure/w' } },
            { url: `${EXTENSION}assessment-sequence`, valuePositiveInt: 2 },
          ],
        },
        {
          resourceType: 'Provenance',
          id: 'v',
          recorded: '2026-01-01T00:00:00Z',
          target: [{ reference: 'DiagnosticReport/r1' }, { reference: 'Observation/size' }],
          agent: [{ who: { reference: 'Organization/o' } }],
        },
      ]),
    );

    it.each([
      ['DiagnosticReport?_id=r1&_include=DiagnosticReport:result', 'Observation/panel'],
      [
        'DiagnosticReport?_id=r1&_include=DiagnosticReport:result&_include=DiagnosticReport:media',
        'Media/m Observation/panel',
      ],
      ['DiagnosticReport?_id=r1&_include=*', 'BodyStructure/w Media/m Observation/panel Patient/p'],
      ['DiagnosticReport?_id=r1&_include=DiagnosticReport:subject:Patient', 'Patient/p'],
      ['DiagnosticReport?_id=r1&_include=DiagnosticReport:subject:Device', ''],
      [
        'DiagnosticReport?_id=r1&_include=DiagnosticReport:result&_include:iterate=Observation:has-member',
        'Observation/panel Observation/size',
      ],
      [
        'DiagnosticReport?_id=r1&_include=DiagnosticReport:result&_include:iterate=Observation:has-member&_include:iterate=Observation:device',
        'Device/d Observation/panel Observation/size',
      ],
      [
        'DiagnosticReport?_id=r1&_include=DiagnosticReport:result&_include:recurse=Observation:has-member',
        'Observation/panel Observation/size',
      ],
      [
        'DiagnosticReport?_id=r2&_include:iterate=DiagnosticReport:previous&_include:iterate=DiagnosticReport:result&_include:iterate=Observation:has-member&_include:iterate=Observation:device',
        'DiagnosticReport/r1 Observation/panel Observation/size',
      ],
      ['Observation?_id=panel,size&_include=Observation:has-member', ''],
      [
        'BodyStructure?_id=w&_revinclude=DiagnosticReport:wound&_revinclude=Media:wound',
        'DiagnosticReport/r1 DiagnosticReport/r2 Media/m',
      ],
      [
        'BodyStructure?_id=w&_revinclude=Observation:focus&_include=BodyStructure:patient',
        'Observation/size Patient/p',
      ],
      ['Observation?_id=size&_revinclude=Provenance:target', 'Provenance/v'],
      ['DiagnosticReport?_id=r1&_revinclude=DiagnosticReport:previous', 'DiagnosticReport/r2'],
      [
        'Media?_id=m&_revinclude=DiagnosticReport:media&_revinclude:iterate=Provenance:target',
        'DiagnosticReport/r1 Provenance/v',
      ],
      ['Observation?code=nothing&_include=*', ''],
    ])('%s', async (request, included) => {
      const bundle = await searching.bundle(tenant, request);
      expect(
        resourcesOf(bundle, 'include')
          .map(({ resourceType, id }) => `${resourceType}/${id}`)
          .sort()
          .join(' '),
      ).toBe(included);
      expect(bundle.total).toBe(matchesOf(bundle).length);
      expect(outcomeOf(bundle)).toBeUndefined();
    });

    it('finds reports of a wound in the order of their photos, by place and by what they follow', async () => {
      expect(await searching.ids(tenant, 'DiagnosticReport?wound=BodyStructure/w&_sort=sequence')).toEqual([
        'r1',
        'r2',
      ]);
      expect(await searching.ids(tenant, 'DiagnosticReport?wound=w&_sort=-sequence')).toEqual(['r2', 'r1']);
      expect(await searching.ids(tenant, 'DiagnosticReport?sequence=2')).toEqual(['r2']);
      expect(await searching.ids(tenant, 'DiagnosticReport?sequence=gt1')).toEqual(['r2']);
      expect(await searching.ids(tenant, 'DiagnosticReport?previous=DiagnosticReport/r1')).toEqual(['r2']);
      expect(await searching.ids(tenant, 'Media?wound=w&wound.patient=p')).toEqual(['m']);
    });

    it('says so where more belongs to a page than one takes', async () => {
      await insertAll(
        Array.from(
          { length: 1001 },
          (_, index) =>
            ({
              resourceType: 'Provenance',
              id: `many${index}`,
              recorded: '2026-01-01T00:00:00Z',
              target: [{ reference: 'Device/d' }],
              agent: [{ who: {} }],
            }) as Resource,
        ),
      );
      const bundle = await searching.bundle(tenant, 'Device?_revinclude=Provenance:target');
      expect(resourcesOf(bundle, 'include')).toHaveLength(1000);
      expect(outcomeOf(bundle)!.issue).toMatchObject([{ severity: 'warning', code: 'too-costly' }]);
    });

    it('shows a caller nothing that its key may not read', async () => {
      const keyId = v7();
      await ground.insert(
        tenant,
        { resourceType: 'Media', id: 'own', status: 'completed', content: {}, subject: { reference: 'Patient/p' } },
        { kind: 'client', keyId },
      );
      await ground.insert(
        tenant,
        { resourceType: 'Patient', id: 'own-patient', name: [{ family: 'Own' }] },
        { kind: 'client', keyId },
      );
      await ground.insert(
        tenant,
        {
          resourceType: 'Media',
          id: 'own-2',
          status: 'completed',
          content: {},
          subject: { reference: 'Patient/own-patient' },
        },
        { kind: 'client', keyId },
      );
      const scopes: readonly Scope[] = ['images:write'];
      const ask = (request: string) => searching.bundle(tenant, request, { visible: 'own' }, { keyId, scopes });
      const bundle = await ask('Media?_include=Media:patient&_revinclude=DiagnosticReport:media');
      expect(idsOf(matchesOf(bundle)).sort()).toEqual(['own', 'own-2']);
      expect(bundle.total).toBe(2);
      expect(idsOf(resourcesOf(bundle, 'include'))).toEqual(['own-patient']);
      expect(idsOf(matchesOf(await ask('Media?patient.name:missing=true')))).toEqual([]);
      expect(idsOf(matchesOf(await ask('Media?patient.name=own')))).toEqual(['own-2']);
      await expect(ask('Patient?_has:DiagnosticReport:patient:status=final')).rejects.toMatchObject({
        code: 'auth.scope',
      });
    });
  });

  describe('with more of another type than are looked up first', () => {
    const MANY = 1100;
    const numbers = Array.from({ length: MANY }, (_, index) => index);

    beforeEach(async () => {
      // What the planner knows is older than the tenant: its statistics hold none of the values searched for.
      await insertAll([area('before'), { resourceType: 'Patient', id: 'before', gender: 'male' } as Resource]);
      await opened.analyze();
      tenant = await opened.context.createTenant();
      await insertAll([
        ...numbers.map((number): Resource => ({
          resourceType: 'Patient',
          id: `p${number}`,
          gender: number === 0 ? 'male' : 'female',
        })),
        ...numbers.map((number) =>
          area(`o${number}`, {
            subject: { reference: `Patient/p${number}` },
            effectiveDateTime: day(1 + (number % 28)),
          }),
        ),
      ]);
    });

    it('answers chains and _has in time', async () => {
      expect((await searching.bundle(tenant, 'Observation?patient.gender=female&_total=accurate')).total).toBe(
        MANY - 1,
      );
      expect(await searching.ids(tenant, 'Observation?patient.gender=female&patient=p7')).toEqual(['o7']);
      expect(await searching.ids(tenant, 'Observation?patient.gender=female&patient=p0')).toEqual([]);
      expect(await searching.ids(tenant, 'Observation?patient.gender=male')).toEqual(['o0']);
      expect(await searching.ids(tenant, 'Observation?patient.gender:not=female')).toEqual(['o0']);
      expect(
        (await searching.bundle(tenant, 'Patient?_has:Observation:patient:code=89260-4&_total=accurate')).total,
      ).toBe(MANY);
      expect(await searching.ids(tenant, 'Patient?_has:Observation:patient:code=89260-4&gender=male')).toEqual(['p0']);
      expect(await searching.ids(tenant, 'Patient?_has:Observation:patient:_id=o3,o4&_sort=_id')).toEqual(['p3', 'p4']);
      expect((await searching.bundle(tenant, 'Patient?_has:Observation:patient:code:not=89260-4')).total).toBe(0);
    });
  });

  it('lets one of twenty conditional creates through at a time, so that there is one resource', async () => {
    const criteria = 'identifier=urn:mrn|1&name=muster';
    const create = () =>
      ground.call(tenant, async (call) => {
        await ground.store.lockCriteria(call.transaction, 'Patient', criteria);
        const [found] = await searching.search.match(call, 'Patient', criteria, 2);
        if (found !== undefined) return { made: false, id: found.resource.id };
        const made = await ground.store.insert<Patient>(
          call.transaction,
          {
            resourceType: 'Patient',
            id: v7(),
            identifier: [{ system: 'urn:mrn', value: '1' }],
            name: [{ family: 'Muster' }],
          },
          { kind: 'client', keyId: call.caller.keyId },
        );
        return { made: true, id: made.resource.id };
      });
    const answers = await Promise.all(Array.from({ length: 20 }, create));
    expect(answers.filter(({ made }) => made)).toHaveLength(1);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect((await searching.bundle(tenant, 'Patient')).total).toBe(1);
  });
});
