import type { ClinicalReport } from '../../../src/core/report/clinical-report.js';
import { WOUND } from '../../support/follow-up-context.js';
import type { DrawnResult } from '../../support/wound-results.js';
import { FollowUpGround } from './follow-up-ground.js';

/** The reports of whole histories; src/core/followup/histories.spec.ts has what is said at each visit of more of them. */
describe('the reports of a history', () => {
  const ground = FollowUpGround.forSpecs();

  const told = ({ content: { comparison, flags } }: ClinicalReport) => {
    const { trend, noTrendReason } = comparison!;
    return [trend ?? noTrendReason ?? 'none', ...flags.map(({ code }) => code)].join(' | ');
  };
  async function history(visits: readonly (readonly [day: number, areaCm2: number, drawn?: DrawnResult])[]) {
    const ids: string[] = [];
    for (const [day, areaCm2, drawn] of visits) ids.push((await ground.assess(day / 7, areaCm2, WOUND, drawn)).id);
    return Promise.all(ids.map(async (id) => told(await ground.read(id))));
  }

  it('flags steady growth that no two photos in turn show, in whatever order the photos come', async () => {
    const fast = { repeatabilityPct: 9.8 };
    const said = await history([
      [0, 4, fast],
      [39, 6.8, fast],
      [13, 4.8, fast],
      [64, 10, fast],
      [26, 5.6, fast],
    ]);
    expect([said[0], said[2], said[4]]).toEqual(['none', 'within_detectable_change', 'larger | area_growth_by_slope']);
    expect(said[1]).toContain('area_growth_since_baseline | area_growth_by_slope');
    expect(said[3]).toContain('area_growth_since_baseline | area_growth_by_slope');
  });

  it('flags a stall after four weeks of healing', async () => {
    const said = await history([10, 8, 6.4, 5.1, 4.1, 4.2, 4.1, 4.2, 4.2].map((cm2, week) => [7 * week, cm2] as const));
    expect(said[4]).toBe('smaller');
    expect(said.at(-1)).toContain('stalled_28_days');
  });

  it('goes on with the photos that have a scale where it is lost and found', async () => {
    const said = await history([
      [0, 9],
      [7, 7, { mmPerPixel: null }],
      [14, 5],
    ]);
    expect(said).toEqual(['none', 'no_scale', 'smaller']);
  });
});
