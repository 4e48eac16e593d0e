import eslint from '@eslint/js';
import prettier from 'eslint-config-prettier';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      'dist',
      'client/dist',
      'client/src/document.ts',
      'examples/module',
      'examples/provider',
      'coverage',
      'node_modules',
      '**/*.mjs',
    ],
  },
  eslint.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  prettier,
  {
    // Files of banks and their names have such characters, which PostgreSQL refuses.
    files: ['src/modules/imports/files/*', 'src/http/input/upload.ts'],
    rules: { 'no-control-regex': 'off' },
  },
  {
    // A pattern that backtracks over its input is a way to stop the service.
    files: ['src/**'],
    ignores: ['**/*.spec.ts'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'no-restricted-syntax': [
        'error',
        {
          selector: ':matches(ObjectExpression > SpreadElement, JSXSpreadAttribute) > ObjectExpression',
          message: 'Write the members themselves: the spread only packs them into one line.',
        },
        {
          selector: 'CallExpression[callee.property.name="fork"]:not([callee.object.name="cluster"])',
          message: 'The injected EntityManager follows the transaction. Outside of one, read entities with reader().',
        },
        {
          selector: ':matches(TemplateElement[value.raw=/select from/], Literal[value=/select from/])',
          message: 'Citus cannot pass on rows without columns: write select 1 from.',
        },
      ],
    },
  },
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only config.ts reads the environment.' },
        { object: 'Date', property: 'now', message: 'Only time/clock.ts reads the clock.' },
        { object: 'Number', property: 'parseFloat', message: 'Money and quantities are never floats.' },
      ],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
    },
  },
  {
    // The client is a package of its own, with no clock but the platform's.
    files: ['src/platform/config/config.ts', 'client/src/**'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    // Test and bench code talks to untyped JSON answers and prints to the terminal.
    files: ['test/**', 'src/kit/provider-suite.ts', 'bench/**', '**/*.spec.ts'],
    rules: {
      'no-console': 'off',
      'no-restricted-properties': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
    },
  },
);
