import { HttpException, NotFoundException, ServiceUnavailableException } from '@nestjs/common';
import { ERROR_CATALOGUE, type ErrorCode } from '../../core/errors/catalogue.js';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { accepts } from './accept.guard.js';
import { conditional, entityTagOf, matchesEntityTag } from './entity-tag.js';
import { fromHttpError } from './from-http-error.js';
import { jsonAnswer } from './http-answer.js';
import { preferredWaitS } from './preferred-wait.js';
import { PROBLEM_STATUS } from './problem-status.js';
import { problemHeaders, toProblem } from './problem.js';
import { requestIdOf } from './request-id.js';
import { RouteTable } from './route-table.js';

describe('Prefer: wait', () => {
  it.each([
    undefined,
    '',
    'wait',
    'wait=',
    'wait=-1',
    'wait=1.5',
    'wait=abc',
    'respond-async',
    'await=5',
    'wait=99999999',
  ])('ignores %s', (prefer) => {
    expect(preferredWaitS(prefer)).toBeNull();
  });

  it.each([
    ['wait=5', 5],
    ['wait=0', 0],
    ['WAIT = 7', 7],
    ['respond-async, wait=10', 10],
    ['wait="3"; foo=bar', 3],
    ['wait=31', 30],
    ['wait=1, wait=20', 1],
  ])('reads %s', (prefer, seconds) => {
    expect(preferredWaitS(prefer)).toBe(seconds);
  });
});

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

describe('entity tags', () => {
  const answer = jsonAnswer(200, { a: 1 }, { 'retry-after': '1' });
  const tag = entityTagOf(answer.body as string);

  it.each([undefined, '', '"other"', tag.slice(1, -1)])('do not match %s', (header) => {
    expect(matchesEntityTag(header, tag)).toBe(false);
    expect(conditional(answer, header)).toMatchObject({ status: 200, body: '{"a":1}', headers: { etag: tag } });
  });

  it.each([tag, `W/${tag}`, `"other", ${tag}`, '*'])('match %s, and the body is left out', (header) => {
    expect(conditional(answer, header)).toEqual({
      status: 304,
      headers: { 'retry-after': '1', etag: tag },
      body: null,
    });
  });

  it('differ for different bodies', () => {
    expect(entityTagOf('{"a":2}')).not.toBe(tag);
  });
});

describe('request ids', () => {
  it.each([undefined, '', 'a b', 'x'.repeat(129), 'ä', 'a\nb', '{}'])('does not take over %p', (given) => {
    expect(requestIdOf({ headers: given === undefined ? {} : { 'x-request-id': given } })).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7/,
    );
  });

  it('takes over a sane one', () => {
    expect(requestIdOf({ headers: { 'x-request-id': 'ehr-42:7.A_b' } })).toBe('ehr-42:7.A_b');
  });
});

describe('the route table', () => {
  const table = new RouteTable();
  table.add('GET', '/jobs/:id');
  table.add(['DELETE', 'GET'], '/jobs/:id');
  table.add('POST', '/jobs');
  table.add('GET', '/files/*');
  table.add('PUT', '/a.b');
  table.add('PUT', '/jobs/newest');

  it.each([
    ['/unknown', []],
    ['/jobs/1/2', []],
    ['/jobs/', []],
    ['/axb', []],
    ['/jobs', ['POST']],
    ['/jobs/newest', ['PUT']],
    ['/jobs/1', ['DELETE', 'GET']],
    ['/files/a/b', ['GET']],
  ])('knows the methods of %s', (path, methods) => {
    expect(table.methodsOf(path)).toEqual(methods);
  });
});

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

describe('errors of the framework and of libraries', () => {
  const fastify = (code: string, statusCode: number) =>
    Object.assign(new Error('text with /a/path'), { name: 'FastifyError', code, statusCode });

  it.each([
    [new Error('select * from secrets'), 'service.internal'],
    ['text', 'service.internal'],
    [undefined, 'service.internal'],
    [Object.assign(new Error('from a peer'), { statusCode: 404 }), 'service.internal'],
    [fastify('FST_ERR_CTP_BODY_TOO_LARGE', 413), 'request.too_large'],
    [new HttpException('x', 413, { cause: fastify('FST_ERR_CTP_BODY_TOO_LARGE', 413) }), 'request.too_large'],
    [fastify('FST_ERR_CTP_INVALID_MEDIA_TYPE', 415), 'request.content_type'],
    [fastify('FST_ERR_BAD_URL', 400), 'request.invalid'],
    [fastify('FST_ERR_MAX_PARAM_LENGTH', 414), 'request.uri_too_long'],
    [fastify('FST_ERR_NEW', 400), 'request.invalid'],
    [new NotFoundException(), 'route.not_found'],
    [new HttpException('/etc', 403), 'route.not_found'],
    [new HttpException('x', 451), 'request.invalid'],
    [new ServiceUnavailableException(), 'service.unavailable'],
    [new SuturaError('job.not_found'), 'job.not_found'],
  ])('%p is %s, without its text', (thrown, code) => {
    const error = fromHttpError(thrown);
    expect(error.code).toBe(code);
    expect(error.detail).not.toMatch(/path|select/);
  });
});
