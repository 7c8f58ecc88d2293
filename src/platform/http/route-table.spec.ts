import { RouteTable } from './route-table.js';

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
