import type { ErrorCode } from '../../../../core/errors/catalogue.js';
import { SuturaError } from '../../../../core/errors/sutura-error.js';
import { OutcomeError } from '../../../../standards/fhir/outcome/outcome-error.js';
import { hl7Sample, judgeHl7 } from '../../../../../test/support/hl7-inbound.js';
import type { InboundPlan } from '../../mapping/plan/inbound-plan.js';
import { applyWithoutRefusedProcedures } from './refused-procedures.js';

const procedure = (day: number) => `PR1|${day}||36777000^Debridement^SCT||2026030${day}\r`;
/** An order with its photo, and five things that were done. */
const planned = async (): Promise<InboundPlan> => {
  const procedures = [1, 2, 3, 4, 5].map(procedure).join('');
  const { plan } = await judgeHl7(Buffer.concat([hl7Sample('2.5.1/omg-o19-photo'), Buffer.from(procedures)]));
  return plan;
};
/** A record that refuses what stands at these places of the message. */
const refusing =
  (places: readonly string[], tried: string[][] = [], code: ErrorCode = 'capture.future') =>
  (plan: InboundPlan): Promise<InboundPlan | ErrorCode> => {
    const written = plan.places.map((place) => `${place?.segment}^${place?.sequence}`);
    tried.push(written.filter((one) => one.startsWith('PR1')));
    const at = written.findIndex((one) => places.includes(one));
    if (at < 0) return Promise.resolve(plan);
    const expression = `Bundle.entry[${at}].resource`;
    return Promise.reject(new OutcomeError(code, [{ severity: 'error', code: 'invalid', expression, details: 'No.' }]));
  };
const ALL = { mayReview: true, isLast: false };
const refused = (fault: unknown) => (fault as SuturaError).code;
const proceduresOf = (plan: InboundPlan) =>
  plan.bundle!.entry!.flatMap(({ resource }) =>
    resource?.resourceType === 'Procedure' ? (resource.performedDateTime ?? '') : [],
  );

describe('a plan with procedures (PR1)', () => {
  it('is refused for what else the record refuses of it, and for faults of the service', async () => {
    const plan = await planned();
    expect(await applyWithoutRefusedProcedures(plan, ALL, refusing(['OBX^1']), refused)).toBe('capture.future');
    const broken = () => Promise.reject(new SuturaError('service.unavailable'));
    expect(await applyWithoutRefusedProcedures(plan, ALL, broken, refused)).toBe('service.unavailable');
  });

  it('is taken without its procedures where it is too large with them, and refused whole where it is without them, too', async () => {
    const plan = await planned();
    const most = (entries: number) => (one: InboundPlan) =>
      one.bundle!.entry!.length > entries
        ? Promise.reject(new SuturaError('request.too_large'))
        : Promise.resolve<InboundPlan | string>(one);
    const others = plan.bundle!.entry!.length - 5;
    const taken = (await applyWithoutRefusedProcedures(plan, ALL, most(others), refused)) as InboundPlan;
    expect([taken.bundle!.entry!.length, proceduresOf(taken)]).toEqual([others, []]);
    expect(taken.problems.filter(({ place }) => place?.segment === 'PR1')).toHaveLength(5);
    const told = (fault: unknown, one: InboundPlan) => [(fault as SuturaError).code, one === plan];
    const whole = applyWithoutRefusedProcedures<unknown>(plan, ALL, most(others - 1), told);
    expect(await whole).toEqual(['request.too_large', true]);
  });

  it('is made again where another message was quicker, and taken without the procedure at last', async () => {
    const plan = await planned();
    const overtaken = refusing(['PR1^2'], [], 'fhir.version_conflict');
    expect(await applyWithoutRefusedProcedures(plan, ALL, overtaken, refused)).toBe('fhir.version_conflict');
    expect(await applyWithoutRefusedProcedures(plan, { ...ALL, isLast: true }, overtaken, refused)).toMatchObject({
      problems: expect.arrayContaining([expect.objectContaining({ code: 'finding.kept', severity: 'warning' })]),
    });
  });

  it('is taken whole where nothing of it is refused', async () => {
    const plan = await planned();
    expect(await applyWithoutRefusedProcedures(plan, ALL, refusing([]), refused)).toBe(plan);
  });

  it('is taken without the one that is refused, its order where it was, with a warning', async () => {
    const plan = await planned();
    const taken = (await applyWithoutRefusedProcedures(plan, ALL, refusing(['PR1^2']), refused)) as InboundPlan;
    expect(proceduresOf(taken)).toEqual(['2026-03-01', '2026-03-03', '2026-03-04', '2026-03-05']);
    expect(taken.problems.at(-1)).toMatchObject({
      code: 'finding.kept',
      severity: 'warning',
      place: { segment: 'PR1', sequence: 2 },
      text: expect.stringMatching(/^No\. What was done was not recorded/),
    });
    expect(taken.places).toHaveLength(taken.bundle!.entry!.length);
    for (const { entry } of taken.orders)
      expect(taken.bundle!.entry![entry!]!.resource!.resourceType).toBe('ServiceRequest');
  });

  it('keeps the index of an order that stands behind one that is left out', async () => {
    const plan = await planned();
    const turned: InboundPlan = {
      ...plan,
      bundle: { ...plan.bundle!, entry: [...plan.bundle!.entry!].reverse() },
      places: [...plan.places].reverse(),
      orders: plan.orders.map((order) => ({ ...order, entry: plan.places.length - 1 - order.entry! })),
    };
    const taken = (await applyWithoutRefusedProcedures(turned, ALL, refusing(['PR1^2']), refused)) as InboundPlan;
    for (const { entry } of taken.orders)
      expect(taken.bundle!.entry![entry!]!.resource!.resourceType).toBe('ServiceRequest');
  });

  it('is taken without any where several are refused one after another', async () => {
    const tried: string[][] = [];
    const every = refusing(['PR1^1', 'PR1^2', 'PR1^3', 'PR1^4'], tried);
    const taken = (await applyWithoutRefusedProcedures(await planned(), ALL, every, refused)) as InboundPlan;
    expect(tried.map((one) => one.length)).toEqual([5, 4, 3, 0]);
    expect(proceduresOf(taken)).toEqual([]);
    expect(taken.problems.filter(({ place }) => place?.segment === 'PR1')).toHaveLength(5);
  });

  it('is taken without any at once where its sender has no right to state them', async () => {
    const tried: string[][] = [];
    const sender = { mayReview: false, isLast: false };
    await applyWithoutRefusedProcedures(await planned(), sender, refusing(['PR1^1'], tried), refused);
    expect(tried).toEqual([[]]);
  });
});
