import { ERROR_CATALOGUE, type ErrorCode } from '../../core/errors/catalogue.js';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { PROBLEM_STATUS, problemHeaders, toProblem } from './problem.js';

describe('a problem', () => {
  it('shows the path without its query', () => {
    const problem = toProblem(new SuturaError('upload.signature'), {
      requestId: 'r',
      url: '/storage/uploads/1?signature=secret',
    });
    expect(problem.instance).toBe('/storage/uploads/1');
    expect(JSON.stringify(problem)).not.toContain('secret');
  });

  it('carries the headers of its kind', () => {
    expect(problemHeaders(new SuturaError('auth.missing'))).toMatchObject({ 'www-authenticate': 'Bearer' });
    expect(problemHeaders(new SuturaError('idempotency.in_flight', { retryAfterS: 0.2 }))).toMatchObject({
      'retry-after': '1',
    });
    expect(problemHeaders(new SuturaError('route.method_not_allowed', { allow: ['GET', 'POST'] }))).toMatchObject({
      allow: 'GET, POST',
    });
    expect(
      problemHeaders(
        new SuturaError('quota.exceeded', { retryAfterS: 60, quota: { limit: 25, used: 25, resetsInS: 60 } }),
      ),
    ).toMatchObject({
      'retry-after': '60',
      'ratelimit-policy': '"daily";q=25;w=86400',
      ratelimit: '"daily";r=0;t=60',
    });
  });

  it('has a status for every code', () => {
    for (const code of Object.keys(ERROR_CATALOGUE) as ErrorCode[])
      expect(PROBLEM_STATUS[ERROR_CATALOGUE[code].kind]).toBeGreaterThanOrEqual(400);
  });
});
