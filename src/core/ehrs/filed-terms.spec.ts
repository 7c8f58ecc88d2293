import type { EhrDialect, EhrPush } from './ehr.js';
import { losesFiled } from './filed-terms.js';

const BASE = 'https://ehr.example/fhir';
const OTHER = 'https://other.example/fhir';
const pushed = (dialect: EhrDialect) => ({ dialect }) as EhrPush;
const IN_ONE = [{ isInOne: true }];
const APART = [{ isInOne: false }];

describe('what was filed', () => {
  it.each([
    ['another address', { fhirBaseUrl: OTHER, push: pushed('oracle') }, APART],
    ['another address while nothing new is filed', { fhirBaseUrl: OTHER, push: null }, APART],
    ['all in one after parts', { fhirBaseUrl: BASE, push: pushed('transaction') }, APART],
    ['parts after all in one', { fhirBaseUrl: BASE, push: pushed('epic') }, IN_ONE],
  ])('would be lost by %s', (_what, changed, filed) => {
    expect(losesFiled({ fhirBaseUrl: BASE }, changed, filed)).toBe(true);
  });

  it.each([
    ['another dialect of the same way', { fhirBaseUrl: BASE, push: pushed('epic') }, APART],
    ['the end of filing', { fhirBaseUrl: BASE, push: null }, IN_ONE],
    ['another address before anything was filed', { fhirBaseUrl: OTHER, push: pushed('transaction') }, []],
  ])('is not lost by %s', (_what, changed, filed) => {
    expect(losesFiled({ fhirBaseUrl: BASE }, changed, filed)).toBe(false);
  });
});
