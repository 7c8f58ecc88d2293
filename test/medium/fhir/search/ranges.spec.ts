import type { Observation } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { SCOPES } from '../../../../src/core/tenancy/api-key.js';
import { OrganizationRepository } from '../../../../src/core/organizations/organization.repository.js';
import { UnitOfWork } from '../../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { readSearch } from '../../../../src/doors/fhir/search/query/search-reader.js';
import { dateInterval } from '../../../../src/core/times/date-interval.js';
import { ResourceFinder } from '../../../../src/standards/fhir/store/resource-finder.js';
import { BASE, type FhirGround, SERVICE } from '../../../support/fhir-ground.js';
import { linkOf, matchesOf, SearchGround, type Searching } from './searching.js';

const UCUM = 'http://unitsofmeasure.org';

type When = Pick<Observation, 'effectiveDateTime' | 'effectivePeriod'>;

const at = (effectiveDateTime: string): When => ({ effectiveDateTime });
const during = (start?: string, end?: string): When => ({
  effectivePeriod: { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) },
});

/** Moments, days and longer: what began long ago and goes on, what has no beginning, what has no date at all, and a day of UTC that ends in a zone far east. */
const WHEN: readonly When[] = [
  at('2026-03-01T10:00:00Z'),
  at('2026-03-01'),
  at('2026-02-28T23:59:59.999Z'),
  at('2026-03-02T00:00:00Z'),
  at('2026-03'),
  at('2026'),
  at('2025-12-31'),
  at('2026-05-05'),
  during('2026-03-01', '2026-03-01'),
  during('2026-02-10', '2026-03-05'),
  during('2015-01-01'),
  during(undefined, '2026-03-01'),
  during(undefined, '2014'),
  during('2015-01', '2015-02'),
  during('2026-03-01T23:00:00Z', '2026-03-02T22:00:00Z'),
  during('2026-03-01', '2026-03-01T08:00:00+14:00'),
  {},
  {},
];
const PREFIXES = ['eq', 'ne', 'gt', 'lt', 'ge', 'le', 'sa', 'eb'] as const;
const DATES = ['2026-03-01', '2026-03', '2015', '2026-03-01T10:00:00Z', '2014-06-01', '2030'];

const HOUR_MS = 3_600_000;

/** R4 search.html 3.1.1.4.7, ends excluded. A date without an offset is meant `hours` ahead of UTC where it is compared with a moment. */
function isMatch(when: When, prefix: (typeof PREFIXES)[number], date: string, hours = 0): boolean {
  const own = intervalOf(when);
  if (own === null) return false;
  const [from, until] = own;
  const asked = dateInterval(date)!;
  const isMoved = !date.endsWith('Z') && until - from < 24 * HOUR_MS;
  const [low, high] = [asked.low, asked.high].map((each) => each.getTime() - (isMoved ? hours * HOUR_MS : 0)) as [
    number,
    number,
  ];
  const isWithin = from >= low && until <= high;
  const rules = {
    eq: isWithin,
    ne: !isWithin,
    gt: until > high,
    lt: from < low,
    ge: until > high || isWithin,
    le: from < low || isWithin,
    sa: from >= high,
    eb: until <= low,
  };
  return rules[prefix];
}

function intervalOf({ effectiveDateTime, effectivePeriod }: When): [number, number] | null {
  if (effectiveDateTime === undefined && effectivePeriod === undefined) return null;
  const { start, end } = effectivePeriod ?? { start: effectiveDateTime, end: effectiveDateTime };
  return [
    start === undefined ? -Infinity : dateInterval(start)!.low.getTime(),
    end === undefined ? Infinity : dateInterval(end)!.high.getTime(),
  ];
}

describe('ranges of dates and values', () => {
  let opened: SearchGround;
  let ground: FhirGround;
  let searching: Searching;
  let tenant: Tenant;

  beforeAll(async () => {
    opened = await SearchGround.open();
    ({ ground, searching } = opened);
  });
  afterAll(() => opened?.close());
  beforeEach(async () => (tenant = await opened.context.createTenant()));

  const insertAll = (observations: readonly Partial<Observation>[]) =>
    ground.inTenant(tenant, async (transaction) => {
      for (const each of observations) {
        const code = {
          coding: [
            { system: 'http://loinc.org', code: '39127-6' },
            { system: 'urn:own', code: 'depth' },
          ],
        };
        await ground.store.insert(
          transaction,
          {
            resourceType: 'Observation',
            id: v7(),
            status: 'final',
            code,
            subject: { reference: 'Patient/p' },
            ...each,
          } as Observation,
          SERVICE,
        );
      }
    });
  /** Ids on all pages, page after page. */
  const walk = async (query: string): Promise<string[]> => {
    const found: string[] = [];
    for (let link: string | undefined = `Observation?_count=7&${query}`; link !== undefined;) {
      const bundle = await searching.bundle(tenant, link);
      found.push(...matchesOf(bundle).map(({ id }) => id!));
      link = linkOf(bundle, 'next');
    }
    return found;
  };

  describe('of dates', () => {
    const id = (index: number): string => `n${String(index).padStart(2, '0')}`;

    beforeEach(() => insertAll(WHEN.map((when, index) => ({ id: id(index), ...when }))));

    it.each([
      '',
      'code=39127-6&',
      'subject=Patient/p&',
      'code=39127-6&status=final&',
      'code=39127-6,nothing,depth&',
      'code=depth&status=final,amended&',
      '_sort=-_id&code=depth&',
    ])('are those of the standard, page by page and in order: %s', async (others) => {
      const inOrder = await walk(others);
      expect(inOrder).toHaveLength(WHEN.length);
      for (const prefix of PREFIXES)
        for (const date of DATES) {
          const expected = inOrder.filter((each) => isMatch(WHEN[Number(each.slice(1))]!, prefix, date));
          const query = `${others}date=${prefix}${date}`;
          expect({ query, found: await walk(query) }).toEqual({ query, found: expected });
        }
    });

    it.each([
      ['Etc/GMT-1', 1, ''],
      ['Etc/GMT-14', 14, 'code=39127-6&'],
      ['Etc/GMT+8', -8, ''],
      ['Etc/GMT+8', -8, 'subject=Patient/p&'],
    ])('are by the clocks of an organization in %s, %i hours ahead: %s', async (timeZone, hours, others) => {
      await opened.context
        .get(UnitOfWork)
        .inSystem((transaction) =>
          opened.context.get(OrganizationRepository).update(transaction, tenant.organizationId, { timeZone }),
        );
      const inOrder = await walk(others);
      for (const prefix of PREFIXES)
        for (const date of DATES) {
          const expected = inOrder.filter((each) => isMatch(WHEN[Number(each.slice(1))]!, prefix, date, hours));
          const query = `${others}date=${prefix}${date}`;
          expect({ query, found: await walk(query) }).toEqual({ query, found: expected });
        }
      const either = inOrder.filter((each) =>
        ['2026-03-01', '2025-12-31'].some((date) => isMatch(WHEN[Number(each.slice(1))]!, 'eq', date, hours)),
      );
      expect(await walk(`${others}date=2026-03-01,2025-12-31`)).toEqual(either);
    });

    it.each(['code=depth&', ''])('hold together: %s', async (others) => {
      const inOrder = await walk(`${others}_sort=date`);
      for (const [first, second] of [
        ['ge2015', 'lt2026-03-02'],
        ['ge2026-02-28', 'eb2026-03-03'],
        ['gt2014', 'ge2026-03-01'],
        ['2026', 'ge2026-03-01'],
        ['ne2026', 'le2026-03-01'],
      ] as const) {
        const matches = (asked: string, each: string): boolean =>
          isMatch(
            WHEN[Number(each.slice(1))]!,
            PREFIXES.find((prefix) => asked.startsWith(prefix)) ?? 'eq',
            asked.replace(/^[a-z]+/, ''),
          );
        const expected = inOrder.filter((each) => matches(first, each) && matches(second, each));
        expect(await walk(`${others}date=${first}&date=${second}&_sort=date`)).toEqual(expected);
        expect(
          (await searching.bundle(tenant, `Observation?${others}date=${first}&date=${second}&_summary=count`)).total,
        ).toBe(expected.length);
      }
    });
  });

  describe('of values', () => {
    const quantity = (value: number, comparator?: '<' | '>'): Partial<Observation> => ({
      valueQuantity: {
        value,
        ...(comparator === undefined ? {} : { comparator }),
        unit: 'cm',
        system: UCUM,
        code: 'cm',
      },
    });

    it.each([
      ['lt3', 'above-1 below-2 below-9 one two'],
      ['le2', 'above-1 below-2 below-9 one two'],
      ['lt0.5', 'below-2 below-9'],
      ['eb2.5', 'below-2 one two'],
      ['gt4', 'above-1 above-7 below-9 five'],
      ['sa1', 'above-7 five two'],
      ['ap2', 'above-1 below-2 below-9 two'],
      ['2', 'two'],
      ['ge9', 'above-1 above-7 below-9'],
    ])('meet what is written with a comparator: %s', async (asked, ids) => {
      await insertAll(
        [
          ['one', quantity(1)],
          ['two', quantity(2)],
          ['five', quantity(5)],
          ['below-2', quantity(2, '<')],
          ['below-9', quantity(9, '<')],
          ['above-7', quantity(7, '>')],
          ['above-1', quantity(1, '>')],
        ].map(([id, more]) => ({ id, ...(more as object) }) as Partial<Observation>),
      );
      for (const query of [
        `value-quantity=${asked}||cm`,
        `value-quantity=${asked}`,
        `code-value-quantity=depth$${asked}||cm`,
        `code-value-quantity=depth$${asked}`,
      ])
        expect((await walk(query)).sort().join(' ')).toBe(ids);
    });

    it('count resources and not their parts, however many a resource has', async () => {
      const part = (value: number) => ({
        code: { coding: [{ code: `part-${value}` }] },
        valueQuantity: { value, unit: '%', system: UCUM, code: '%' },
      });
      await insertAll(
        Array.from({ length: 4 }, () => ({ component: Array.from({ length: 20 }, (_, value) => part(value)) })),
      );
      const caller = { ...tenant, keyId: v7(), scopes: SCOPES };
      const read = readSearch(
        ground.searches,
        caller,
        'Observation',
        new URLSearchParams('component-value-quantity=ge0||%'),
        { strict: true, own: { base: BASE, now: new Date(), timeZone: 'UTC', spellings: (system) => [system] } },
      );
      const count = (limit: number | null) =>
        ground.inTenant(tenant, (transaction) =>
          new ResourceFinder().count(transaction, { tenant, type: 'Observation', where: read.where, order: [] }, limit),
        );
      for (const [limit, counted] of [
        [1, 1],
        [2, 2],
        [4, 4],
        [5, 4],
        [1000, 4],
        [null, 4],
      ] as const)
        expect(await count(limit)).toBe(counted);
    });
  });
});
