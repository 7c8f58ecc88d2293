import type { CodedConcept, Laterality } from '../analysis/analysis-job.js';
import { attentionOf } from './attention.js';
import { areSitesApart, siteNamedBy } from './site-codes.js';
import { drawFindings } from '../../../test/support/wound-results.js';

const SNOMED = 'http://snomed.info/sct';
const stated = (bodySite: CodedConcept | null, laterality: Laterality | null = null) => ({
  woundRef: 'wound',
  bodySite,
  laterality,
});
/** Whether a photo waits whose site is stated so, after one with another. */
const waits = (now: ReturnType<typeof stated>, before: ReturnType<typeof stated>): boolean => {
  const assessment = {
    reportId: '2',
    jobId: '2',
    imageId: '2',
    capturedAt: new Date('2026-05-01T08:00:00Z'),
    findings: drawFindings(),
    stated: now,
    reviewed: false,
    woundType: null,
    observations: null,
  };
  return attentionOf(assessment, [before], null, true).includes('site_mismatch');
};
const words = (display: string) => stated({ display });

describe('words for a site', () => {
  it.each([
    ['Left heel', 'Sacrum'],
    ['Linke Ferse', 'Kreuzbein'],
    ['Talón izquierdo', 'Sacro'],
    ['Talon gauche', 'Sacrum'],
    ['Left heel', 'Kreuzbein'],
    ['Left heel', 'Right heel'],
    ['Great toe', 'Heel'],
  ])('of one wound, "%s" and then "%s", wait', (before, now) => {
    expect(waits(words(now), words(before))).toBe(true);
  });

  it.each([
    ['Left foot', 'Left heel'],
    ['Sacrum', 'Coccyx'],
    ['Buttock', 'Sakral'],
    ['Lower leg', 'Linke Wade'],
    ['Heel', 'Ferse'],
    ['Heel', 'somewhere below'],
    ['Ankle', 'Malléole interne'],
  ])('that may mean one place, "%s" and then "%s", do not', (before, now) => {
    expect(waits(words(now), words(before))).toBe(false);
  });

  it('are held against a code of another photo, and against their own', () => {
    const heel = { system: SNOMED, code: '84607009' };
    expect(waits(words('Sacrum'), stated(heel))).toBe(true);
    expect(waits(words('Foot'), stated(heel))).toBe(false);
    expect(waits(stated({ ...heel, display: 'Sacrum' }), stated(heel))).toBe(true);
    expect(waits(stated({ ...heel, display: 'Left heel' }, 'right'), stated(heel))).toBe(true);
    expect(waits(stated({ ...heel, display: 'Left and right heel' }), stated(heel))).toBe(true);
    expect(waits(stated({ ...heel, display: 'Calcaneal region' }), stated(heel))).toBe(false);
  });

  it('are apart where neither is part of the other', () => {
    expect(siteNamedBy({ display: 'left heel' })).toBe('heel');
    expect(areSitesApart('innerAnkle', 'outerAnkle')).toBe(true);
    expect(areSitesApart('innerAnkle', 'lowerLeg')).toBe(false);
    expect(areSitesApart('heel', 'heel')).toBe(false);
  });
});
