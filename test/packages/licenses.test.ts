import { expect, test } from 'vitest';
import { read } from '../support/project-files.ts';

interface Package {
  version: string;
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
}

const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Package> };
/** What an installation with `npm ci --omit=dev --omit=optional` can hold, as the image has it. */
const shipped = Object.entries(packages)
  .filter(([path, { dev, devOptional, optional }]) => path !== '' && !dev && !devOptional && !optional)
  .map(([path, { version, license }]) => ({
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version,
    license: license ?? 'unknown',
  }))
  .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1));

/** They ask for nothing but that their text is kept: https://spdx.org/licenses */
const permissive = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT']);

/** Fonts, which may be used and passed on with a program, but not sold alone: https://openfontlicense.org */
const isFont = ({ name, license }: (typeof shipped)[number]) =>
  name.startsWith('@fontsource/') && license === 'OFL-1.1';

test('every package that the bot runs with has a permissive license', () => {
  expect(shipped.length).toBeGreaterThan(20);
  expect(shipped.filter((one) => !permissive.has(one.license) && !isFont(one))).toEqual([]);
});

test('docs/reference/licenses.md lists them', async () => {
  const counts = Object.entries(Object.groupBy(shipped, ({ license }) => license))
    .map(([license, of = []]) => ({ license, count: of.length }))
    .toSorted((a, b) => b.count - a.count);
  await expect(
    `${[
      '# Licenses',
      '',
      'For people who check licenses: the packages that the bot runs with, and their licenses as the packages name them. Generated from `package-lock.json`. After a change of packages: `npx vitest run test/packages --update`.',
      '',
      `${shipped.length} packages: ${counts.map(({ license, count }) => `${count} ${license}`).join(', ')}.`,
      '',
      '| Package | Version | License |',
      '|---|---|---|',
      ...shipped.map(({ name, version, license }) => `| \`${name}\` | ${version} | ${license} |`),
    ].join('\n')}\n`,
  ).toMatchFileSnapshot('../../docs/reference/licenses.md');
});
