import { accepts } from './accept.guard.js';

describe('Accept', () => {
  it.each([
    ['text/html', false],
    ['application/json;q=0', false],
    ['application/json;q=0, */*', false],
    ['image/*', false],
    ['', false],
    ['application/json', true],
    ['*/*', true],
    ['text/html, application/*;q=0.2', true],
    ['text/html,application/xhtml+xml,*/*;q=0.8', true],
    ['APPLICATION/JSON; charset=utf-8', true],
  ])('%s', (accept, fits) => {
    expect(accepts(accept, 'application/json')).toBe(fits);
  });
});
