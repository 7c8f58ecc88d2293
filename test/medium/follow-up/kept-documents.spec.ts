import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import { SuturaError } from '../../../src/core/errors/sutura-error.js';
import type { ClinicalReport } from '../../../src/core/report/clinical-report.js';
import { documentFolder, formOf, type DocumentForm } from '../../../src/core/report/report-document.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { KeptDocumentsContext } from '../../support/kept-documents.js';
import { FollowUpGround } from './follow-up-ground.js';

const PDF = formOf({ format: 'pdf', language: 'en' }, 'a4');

describe('documents of reports', () => {
  const ground = FollowUpGround.forSpecs();
  let kept: KeptDocumentsContext;

  beforeEach(() => {
    kept = new KeptDocumentsContext(ground.context, ground.followUp.reader);
  });

  const named = ({ id, version }: Pick<ClinicalReport, 'id' | 'version'>) => ({ reportId: id, version });
  async function assess(week: number, areaCm2: number): Promise<ClinicalReport> {
    const report = await ground.assess(week, areaCm2);
    await kept.keepPhoto(report.imageId);
    return report;
  }
  async function open(report: Pick<ClinicalReport, 'id' | 'version'>, form: DocumentForm = PDF): Promise<string> {
    return Buffer.from((await kept.archive.open(ground.tenant, named(report), form)).bytes).toString();
  }
  const rows = () =>
    queryDatabase<{ version: number; language: string; sha256: string }>(
      ground.database.url,
      'select version, language, sha256 from report_documents where organization_id = $1 order by version, language',
      [ground.tenant.organizationId],
    );
  /** Resolves `reached` when it is waited for, and goes on with `goOn`. */
  function gate() {
    let [reach, goOn] = [() => undefined as void, () => undefined as void];
    const reached = new Promise<void>((resolve) => (reach = resolve));
    const opened = new Promise<void>((resolve) => (goOn = resolve));
    return { reached, goOn: () => goOn(), pass: () => (reach(), opened) };
  }

  it('are none of a report or version that there is not, nor of another organization’s', async () => {
    const report = await assess(0, 9);
    await open(report);
    const other = await ground.context.createTenant();
    await expect(kept.archive.open(other, named(report), PDF)).rejects.toMatchObject({ code: 'report.not_found' });
    expect(await kept.archive.kept(other, [named(report)], PDF)).toEqual([]);
    for (const unknown of [
      { ...report, version: 2 },
      { id: v7(), version: 1 },
      { id: 'none', version: 1 },
    ])
      await expect(open(unknown)).rejects.toMatchObject({ code: 'report.not_found' });
  });

  it('are refused by name while the store is full, and nothing of them is kept', async () => {
    const report = await assess(0, 9);
    const put = jest.spyOn(kept.store, 'put').mockRejectedValueOnce(new SuturaError('service.storage_full'));
    await expect(open(report)).rejects.toMatchObject({ code: 'service.storage_full' });
    expect([await rows(), kept.store.keys('documents/')]).toEqual([[], []]);
    put.mockRestore();
    expect(await open(report)).toContain('of version 1');
  });

  it('are made once, and stay the same when an earlier photo comes and when the report has another version', async () => {
    const report = await assess(1, 7);
    const first = await open(report);
    await assess(0, 9);
    expect(await ground.read(report.id)).toMatchObject({ version: 2 });
    expect(await open(report)).toBe(first);
    const { document, bytes } = await kept.archive.open(ground.tenant, named(report), PDF);
    const digest = (name: string) => createHash(name).update(bytes).digest('hex');
    expect(document).toMatchObject({ sizeBytes: bytes.length, sha1: digest('sha1'), sha256: digest('sha256') });
    expect(await kept.archive.kept(ground.tenant, [named(report), { reportId: report.id, version: 2 }], PDF)).toEqual([
      document,
    ]);
    expect(await open({ id: report.id, version: 2 })).toContain('document 2 of version 2');
  });

  it('are one for each format, language and sheet', async () => {
    const report = await assess(0, 9);
    const forms = [
      PDF,
      formOf({ format: 'pdf', language: 'de' }, 'a4'),
      formOf({ format: 'pdf', language: 'en', paper: 'letter' }, 'a4'),
      formOf({ format: 'html', language: 'en' }, 'a4'),
      formOf({ format: 'text', language: 'en' }, 'a4'),
    ];
    const texts: string[] = [];
    for (const form of forms) texts.push(await open(report, form));
    expect(new Set(texts).size).toBe(forms.length);
    for (const [place, form] of forms.entries()) expect(await open(report, form)).toBe(texts[place]);
    expect(texts[4]).not.toContain('photo ');
  });

  it('are the same for all who ask for one at once', async () => {
    const report = await assess(0, 9);
    const texts = await Promise.all(Array.from({ length: 6 }, () => open(report)));
    expect(new Set(texts).size).toBe(1);
    expect(await rows()).toHaveLength(1);
    expect(await open(report)).toBe(texts[0]);
  });

  it('are made anew, and told as lost, where the store has lost or changed their bytes', async () => {
    const report = await assess(0, 9);
    await open(report);
    const [key] = kept.store.keys('documents/');
    await kept.store.put(key!, Buffer.from('something else'));
    const second = await open(report);
    expect(second).toContain('document 2');
    await kept.store.deleteAll(documentFolder(named(report)));
    expect(await open(report)).toContain('document 3');
    expect(kept.lost).toMatchObject([{ reportId: report.id }, { reportId: report.id }]);
    expect(await rows()).toHaveLength(1);
  });

  describe('after a photo was deleted', () => {
    it('hold no picture of it, in any version and report that showed it', async () => {
      const [first, second, third] = [await assess(0, 9), await assess(1, 7), await assess(2, 5)];
      for (const report of [first, second, third]) await open(report);
      await open(second, formOf({ format: 'html', language: 'de' }, 'a4'));
      expect(kept.placesOf(first.imageId)).toHaveLength(5);
      await kept.erase(ground.tenant, first.imageId);
      expect(kept.placesOf(first.imageId)).toEqual([]);
      for (const report of [first, second, third])
        for (const version of [1, 2]) {
          const text = await open({ id: report.id, version });
          expect(text).toContain(`erased ${first.imageId}`);
          expect(text).not.toContain(`photo ${first.imageId}`);
        }
      expect(await open(third)).toContain(`photo ${third.imageId}`);
      expect(kept.placesOf(first.imageId)).toEqual([]);
    });

    it('stay as they are where they did not show it', async () => {
      const [first, second, third, fourth] = [
        await assess(0, 9),
        await assess(1, 7),
        await assess(2, 5),
        await assess(3, 4),
      ];
      const before = [await open(first), await open(second), await open(third), await open(fourth)];
      await kept.erase(ground.tenant, second.imageId);
      expect([await open(first), await open(fourth)]).toEqual([before[0], before[3]]);
      expect(await open(third)).not.toBe(before[2]);
      expect(await ground.read(fourth.id)).toMatchObject({ version: 1 });
    });

    it('are of reports that say so in a version of their own, told as amended, with status and figures as they were', async () => {
      const report = await assess(0, 9);
      const other = await ground.assess(1, 7);
      const accepted = await ground.review(report, { decision: 'accept' });
      await ground.takeReportEvents();
      await kept.erase(ground.tenant, report.imageId);
      const after = await ground.read(report.id);
      expect(after).toMatchObject({
        version: 3,
        status: 'final',
        reason: 'photo_erased',
        content: { findings: accepted.content.findings, review: accepted.content.review },
      });
      expect(after.content.erasedPhotos).toEqual([{ imageId: report.imageId, erasedAt: after.issuedAt.toISOString() }]);
      expect(await ground.takeReportEvents()).toEqual([{ kind: 'report.amended', subjectId: report.id }]);
      // Nobody has seen a document of it with that photo.
      expect(await ground.read(other.id)).toMatchObject({ version: 1 });
    });

    it('go on to say so in the versions that follow', async () => {
      const report = await assess(1, 7);
      await kept.erase(ground.tenant, report.imageId);
      await assess(0, 9);
      const recomputed = await ground.read(report.id);
      expect(recomputed).toMatchObject({ version: 3, reason: 'recomputed' });
      expect(await open(recomputed)).toContain(`erased ${report.imageId}`);
      const moved = await ground.review(recomputed, {
        decision: 'reassign',
        subject: { patientId: 'MRN-OTHER', woundId: 'W1' },
      });
      expect(await open(moved)).toContain(`erased ${report.imageId}`);
    });

    it('leave a withdrawn report as it is', async () => {
      const report = await assess(0, 9);
      await open(report);
      await ground.review(report, { decision: 'reject' });
      await kept.erase(ground.tenant, report.imageId);
      expect(await ground.read(report.id)).toMatchObject({ version: 2, status: 'entered-in-error' });
      expect(kept.placesOf(report.imageId)).toEqual([]);
    });

    it('are gone also where a process ended before it had noted them', async () => {
      const [first, second] = [await assess(0, 9), await assess(1, 7)];
      for (const report of [first, second])
        await kept.store.put(`${documentFolder(named(report))}pdf-fr-a4`, Buffer.from(`photo ${first.imageId}`));
      await kept.erase(ground.tenant, first.imageId);
      expect(kept.placesOf(first.imageId)).toEqual([]);
      expect(await ground.read(second.id)).toMatchObject({ version: 1 });
    });

    it('are as they were where the deletion fails, and gone when it is repeated', async () => {
      const report = await assess(0, 9);
      await open(report);
      const deleteAll = kept.store.deleteAll.bind(kept.store);
      const failing = jest
        .spyOn(kept.store, 'deleteAll')
        .mockImplementation((prefix) =>
          prefix.startsWith('images/') ? Promise.reject(new SuturaError('service.unavailable')) : deleteAll(prefix),
        );
      await expect(kept.erase(ground.tenant, report.imageId)).rejects.toMatchObject({ code: 'service.unavailable' });
      expect(await ground.read(report.id)).toMatchObject({ version: 1 });
      expect(await open(report)).toContain(`photo ${report.imageId}`);
      failing.mockRestore();
      await kept.erase(ground.tenant, report.imageId);
      expect(kept.placesOf(report.imageId)).toEqual([]);
    });

    it('do not show it where they were being set meanwhile', async () => {
      const [first, second] = [await assess(0, 9), await assess(1, 7)];
      const setting = gate();
      kept.documents.hold = setting.pass;
      const opening = open(second);
      await setting.reached;
      kept.documents.hold = () => Promise.resolve();
      await kept.erase(ground.tenant, first.imageId);
      setting.goOn();
      const text = await opening;
      expect(text).not.toContain(`photo ${first.imageId}`);
      expect(await open(second)).toBe(text);
      expect(kept.placesOf(first.imageId)).toEqual([]);
    });

    it('do not show it where they were being kept meanwhile: the deletion waits for them', async () => {
      const report = await assess(0, 9);
      const keeping = gate();
      const put = kept.store.put.bind(kept.store);
      jest.spyOn(kept.store, 'put').mockImplementationOnce(async (key, bytes) => {
        await keeping.pass();
        await put(key, bytes);
      });
      const opening = open(report);
      await keeping.reached;
      const erasing = kept.erase(ground.tenant, report.imageId);
      await eventually('the deletion waits', async () => {
        const waiting = await queryDatabase(ground.database.url, 'select from pg_locks where not granted');
        return waiting.length > 0 ? waiting : undefined;
      });
      keeping.goOn();
      await Promise.all([opening, erasing]);
      expect(kept.placesOf(report.imageId)).toEqual([]);
      expect(await open(report)).not.toContain(`photo ${report.imageId}`);
    });

    it('do not show it where its bytes come back to the store', async () => {
      const report = await assess(0, 9);
      await kept.erase(ground.tenant, report.imageId);
      await kept.keepPhoto(report.imageId);
      expect(await open(report)).not.toContain(`photo ${report.imageId}`);
    });
  });
});
