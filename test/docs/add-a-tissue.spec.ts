import { FILES, textOf } from './pages.js';

const PAGE = textOf('docs/developer/add-a-tissue.md');
const LISTED = [...PAGE.matchAll(/`([^`\n]+\/[^`\n]+)`/g)].map(([, path]) => path!);
/** Files that name tissues for a reason of their own: a new class leaves them as they are. */
const APART: readonly RegExp[] = [
  /\.spec\.ts$/,
  /^(?:CHANGELOG\.md|bench\/|models\/|scripts\/|test\/|docs\/decisions\/)/,
  /^(?:tools\/evaluation\/|docs\/evaluation\.md$)/, // the classes of labelled masks
  /^src\/core\/tissue\/tissue-composition\.ts$/, // the colour rule finds necrosis and nothing else
  /^src\/standards\/fhir\/store\/packing-dictionaries\.ts$/, // examples that stay as they are for ever
  /^fhir-profiles\/examples\//, // results of models that exist
  /^(?:fhir-profiles\/ValueSet\/wound-infection-sign\.json|src\/reports\/(?:terminology\/sign-codes|wording\/\w\w-observations)\.ts)$/, // signs of infection, in a person's words
  /^docs\/(?:follow-up|hazards)\.md$/, // what is said of single tissues
];

it('docs/developer/add-a-tissue.md lists every file that names the tissues', () => {
  const naming = FILES.filter((path) => /\.(?:ts|mts|mjs|py|json|md)$/.test(path))
    .filter((path) => !APART.some((apart) => apart.test(path)))
    .filter((path) =>
      ['granulation', 'slough', 'necrosis'].every((tissue) => new RegExp(tissue, 'i').test(textOf(path))),
    );
  expect(naming.length).toBeGreaterThan(10);
  expect(naming.filter((path) => !LISTED.includes(path) && path !== 'docs/developer/add-a-tissue.md')).toEqual([]);
});
