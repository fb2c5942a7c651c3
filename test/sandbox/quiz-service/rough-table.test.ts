import { expect, test } from 'vitest';
import { oddities } from '../../../src/sandbox/quiz-service/rough/catalog.ts';
import { sources } from '../../../src/sandbox/quiz-service/rough/oddity.ts';

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

test('docs/reference/oddities.md lists all oddities with their number', async () => {
  const page = [
    '# Oddities of the rough account',
    '',
    `For people who change the bot: the ${oddities.length} ways in which the rough account of the sandbox (\`npm run sandbox -- --rough\`) differs from the specification. Generated: \`npx vitest run test/sandbox/quiz-service/rough-table.test.ts --update\`.`,
    '',
    row('', 'Name', 'Where', 'What', 'Source'),
    '|---|---|---|---|---|',
    ...oddities.map(({ name, where, what, source }, index) =>
      row(`${index + 1}`, name, where, what.replaceAll('|', '\\|'), sources[source]),
    ),
  ];
  await expect(`${page.join('\n')}\n`).toMatchFileSnapshot('../../../docs/reference/oddities.md');
});

test('each oddity has a name of its own', () => {
  expect(new Set(oddities.map(({ name }) => name)).size).toBe(oddities.length);
});
