/** The import table of the architecture, by resolved path, and no circles. */
const ADAPTERS = ['storage', 'inference', 'identity', 'events', 'reports'];
const DOORS = ['api-v1', 'fhir', 'hl7v2'];
const NOT_TESTS = '\\.spec\\.ts$';

const only = (name, from, allowed) => ({
  name,
  severity: 'error',
  comment: `${from} may import ${allowed.join(', ') || 'itself'} only`,
  from: { path: `^src/${from}/`, pathNot: NOT_TESTS },
  to: { path: '^src/', pathNot: [from, ...allowed].map((folder) => `^src/${folder}`) },
});

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'core-imports-nothing',
      severity: 'error',
      from: { path: '^src/core/', pathNot: NOT_TESTS },
      to: { pathNot: '^src/core/' },
    },
    {
      ...only('platform-stands-on-core', 'platform', ['core/']),
      to: { path: '^(src)/', pathNot: ['^src/platform/', '^src/core/'] },
    },
    ...ADAPTERS.map((folder) => only(`${folder}-meets-others-in-core`, folder, ['core/', 'platform/'])),
    ...DOORS.map((folder) =>
      only(`${folder}-translates-only`, folder, ['core/', 'platform/', 'identity/index', 'reports/index']),
    ),
    only('evaluation-runs-what-workers-run', 'evaluation', ['core/', 'platform/', 'inference/']),
    {
      name: 'composition-only',
      severity: 'error',
      comment: 'The composition and the programs name modules; nothing else imports them',
      from: { path: '^src/[^/]+/', pathNot: '^src/composition/' },
      to: { path: '^src/([^/]+\\.ts$|composition/)' },
    },
    {
      name: 'programs-begin',
      severity: 'error',
      comment: 'A program is where everything begins',
      from: { path: '^src/composition/' },
      to: { path: '^src/[^/]+\\.ts$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
};
