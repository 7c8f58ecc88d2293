import tseslint from 'typescript-eslint';
import { exportedUnions } from './eslint-rules/exported-unions.mjs';
import { sutura } from './eslint-rules/index.mjs';

const UNIONS = exportedUnions(import.meta.dirname, ['src', 'tools', 'web/src', 'sdk/javascript/src']);

/** Forms that no file has. */
const SYNTAX = [
  {
    selector: 'MethodDefinition[kind="constructor"] > FunctionExpression[params.length>6]',
    message: 'More than six dependencies: find the object that is missing among them.',
  },
  {
    selector:
      ':matches(ObjectExpression, ArrayExpression) > SpreadElement > :matches(ObjectExpression, ArrayExpression)',
    message: 'A literal spread into a literal only outwits the formatter: write its parts.',
  },
  {
    selector: 'MemberExpression[object.name="URL"][property.name="canParse"]',
    message: 'Called often, that of Node 20 takes letters such as ä for no address: try new URL().',
  },
];
/** How long something took on the wall's clock says most of what else the machine does. */
const WALL_CLOCK_BOUND = {
  selector:
    'CallExpression[callee.property.name=/^toBeLessThan/] > MemberExpression > CallExpression[callee.name="expect"] > BinaryExpression[operator="-"] > CallExpression[callee.object.name="performance"]',
  message: 'A busy machine is slow: bound the processor time (test/support/processor-time.ts).',
};

// Which folder may import which is checked by path in .dependency-cruiser.cjs, and what needs types by .oxlintrc.json.
export default tseslint.config(
  { ignores: ['**/dist/', 'node_modules/', '.data/', '**/.cache/', 'coverage/', 'bench/out/', 'models/training/'] },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommended],
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      'no-console': 'error',
      eqeqeq: 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['web/**/*.tsx'],
    extends: [...tseslint.configs.recommended],
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'off',
      'no-console': 'error',
      eqeqeq: 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      // Markup is long by its nature.
      'max-lines-per-function': ['error', { max: 90, skipBlankLines: true, skipComments: true }],
    },
  },
  { files: ['src/core/errors/catalogue.ts'], rules: { 'max-lines': 'off', 'max-lines-per-function': 'off' } },
  {
    files: ['migrations/**', '**/*.spec.ts', 'test/**'],
    rules: {
      'max-lines': ['error', { max: 600, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': 'off',
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    plugins: { sutura },
    rules: {
      'sutura/record-by-union': ['error', UNIONS],
      'no-restricted-syntax': ['error', ...SYNTAX],
    },
  },
  {
    files: ['src/**/*.ts', 'tools/**/*.ts', 'web/src/**/*.ts', 'web/src/**/*.tsx'],
    ignores: ['**/*.spec.ts'],
    rules: { 'sutura/cast-with-reason': 'error' },
  },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts'],
    rules: {
      'sutura/no-clock-comparison': 'error',
      'sutura/no-late-rejection': 'error',
      'sutura/no-waiting-for-time': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'A failure must come again: draw from a seed, or count.' },
      ],
    },
  },
  {
    files: ['{src,tools,web/src}/**/*.spec.ts'],
    rules: { 'no-restricted-syntax': ['error', ...SYNTAX, WALL_CLOCK_BOUND] },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@nestjs/swagger',
              allowTypeImports: true,
              message:
                'It is read with the first request for the API document: use platform/http/openapi.decorators.ts.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: [
      'src/platform/config/**',
      'src/platform/failpoints.ts',
      'src/main.ts',
      'src/cli.ts',
      'src/inference/model/inference-child.ts',
      '**/*.spec.ts',
    ],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'The environment is read in platform/config only.' },
      ],
    },
  },
);
