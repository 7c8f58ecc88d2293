import { childEnvironment } from './child-environment.js';

describe('childEnvironment', () => {
  const before = { ...process.env };
  afterEach(() => {
    process.env = { ...before };
  });

  it('passes on none of the credentials', () => {
    Object.assign(process.env, {
      DATABASE_URL: 'postgres://a',
      S3_SECRET_ACCESS_KEY: 'b',
      SUTURA_ADMIN_TOKEN: 'c',
      AWS_SESSION_TOKEN: 'd',
      REDIS_URL: 'e',
    });
    const names = Object.keys(childEnvironment({}));
    for (const name of ['DATABASE_URL', 'S3_SECRET_ACCESS_KEY', 'SUTURA_ADMIN_TOKEN', 'AWS_SESSION_TOKEN', 'REDIS_URL'])
      expect(names).not.toContain(name);
  });

  it('passes on what the system and the GPU need, and the additions', () => {
    Object.assign(process.env, { PATH: '/bin', CUDA_VISIBLE_DEVICES: '0' });
    expect(childEnvironment({ MALLOC_ARENA_MAX: '2' })).toMatchObject({
      PATH: '/bin',
      CUDA_VISIBLE_DEVICES: '0',
      MALLOC_ARENA_MAX: '2',
    });
  });
});
