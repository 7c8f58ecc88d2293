import { SuturaError } from '../../../core/errors/sutura-error.js';
import { ERROR_CATALOGUE, type ErrorCode } from '../../../core/errors/catalogue.js';
import { LANGUAGES } from '../../../reports/index.js';
import { launchPagePolicy, renderLaunchPage } from './launch-page.js';

const CODES = (Object.keys(ERROR_CATALOGUE) as ErrorCode[]).filter((code) => code.startsWith('launch.'));
const render = (
  code: ErrorCode,
  language: (typeof LANGUAGES)[number],
  ownWindow: string | null = null,
  detail?: string,
) =>
  renderLaunchPage({
    error: new SuturaError(code, detail === undefined ? {} : { detail }),
    language,
    requestId: 'r-1',
    ownWindow,
  });

describe('the page of a launch that did not open', () => {
  it('says what is wrong in each language, in other words for each code', () => {
    for (const language of LANGUAGES) {
      const titles = CODES.map((code) => /<h1>(.*)<\/h1>/.exec(render(code, language))?.[1]);
      expect(new Set(titles).size).toBe(CODES.length);
      expect(render('launch.state', language)).toContain(`<html lang="${language}">`);
    }
    expect(CODES.length).toBe(11);
  });

  it('says something of every other refusal, too', () => {
    expect(render('rate.limited', 'de')).toContain('Sutura wurde nicht geöffnet');
  });

  it('runs nothing, and shows what comes from outside as text', () => {
    const page = render('launch.cookie', 'en', 'https://w.example/launch?iss="><script>', '<b>"&');
    expect(page).not.toMatch(/<script|<b>/);
    expect(page).toContain('&lt;b&gt;&quot;&amp;');
    expect(page).toContain(
      'href="https://w.example/launch?iss=&quot;&gt;&lt;script&gt;" target="_blank" rel="noopener noreferrer"',
    );
    expect(render('launch.state', 'en')).not.toContain('<a ');
    expect(launchPagePolicy([])).toContain("frame-ancestors 'none'");
    expect(launchPagePolicy(['https://ehr.example.org'])).toMatch(
      /^default-src 'none'.*frame-ancestors https:\/\/ehr\.example\.org$/,
    );
  });
});
