/** @jest-environment node */
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { ReportReader } from '../../../core/report/report-reader.js';
import type { ReviewDrafts } from '../../../core/report/review-drafts.js';
import { DeskDraftsService } from './desk-drafts.service.js';
import type { DeskReadingService } from './desk-reading.service.js';
import type { DeskAccess } from './desk-sessions.js';

const deskOf = (id: string) => ({ link: { id } }) as DeskAccess;

describe('which reports a desk keeps drafts of', () => {
  let looks: string[];
  let service: DeskDraftsService;
  beforeEach(() => {
    jest.useFakeTimers();
    looks = [];
    const reading: Pick<DeskReadingService, 'requireNamed'> = {
      requireNamed: ({ link }, reportId) => {
        looks.push(`${link.id} ${reportId}`);
        return reportId === 'foreign' ? Promise.reject(new SuturaError('report.not_found')) : Promise.resolve();
      },
    };
    service = new DeskDraftsService({} as ReviewDrafts, reading as DeskReadingService, {} as ReportReader);
  });
  afterEach(() => jest.useRealTimers());

  it('refuses what its link does not name each time, and for one link what another names', async () => {
    for (let time = 0; time < 2; time += 1)
      await expect(service.requireNamed(deskOf('a'), 'foreign')).rejects.toMatchObject({ code: 'report.not_found' });
    await service.requireNamed(deskOf('a'), 'r1');
    await service.requireNamed(deskOf('b'), 'r1');
    expect(looks).toEqual(['a foreign', 'a foreign', 'a r1', 'b r1']);
  });

  it('looks through the series of a wound once a minute, however often a page saves', async () => {
    for (let second = 0; second < 60; second += 1) {
      await service.requireNamed(deskOf('a'), 'r1');
      jest.advanceTimersByTime(1000);
    }
    expect(looks).toEqual(['a r1']);
    await service.requireNamed(deskOf('a'), 'r1');
    expect(looks).toEqual(['a r1', 'a r1']);
  });
});
