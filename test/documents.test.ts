import { existsSync, readdirSync } from 'node:fs';
import { format, type FormatConfig } from 'oxfmt';
import { describe, expect, test } from 'vitest';
import { catalog } from '../src/operations/catalog.ts';
import { documents } from './support/documents.ts';
import { type JudgedRow, markdownTable } from './bench/bench-row.ts';
import { exampleVariables, read, routes, serviceVariables, sourceFiles, variables } from './support/project-files.ts';

const texts = documents.map((path) => [path, read(path)] as const);
const everything = texts.map(([, text]) => text).join('\n');

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const ownMetrics = new Set(
  [
    ...sourceFiles('src').flatMap(({ text }) => [...text.matchAll(/'(invigilator_\w+)'/g)]),
    ...read('src/observability/scrape.ts').matchAll(/gauge\(\s*'(\w+)'/g),
  ].map(([, name]) => name!.replace(/^(?!invigilator_)/, 'invigilator_')),
);

/** All inline code and code blocks. */
const codeOf = (text: string) =>
  [...text.matchAll(/```\w*\n(.+?)```|`([^`\n]+)`/gs)].map(([, block, inline]) => block ?? inline!);
const code = codeOf(everything);

describe.each(texts)('%s', (_path, text) => {
  test('names only files that exist', () => {
    const named = codeOf(text).flatMap((part) =>
      [...part.matchAll(/(?<![\w/.-])(?:src|test|docs|deploy|\.ci)\/[\w./-]*\w/g)].map(([file]) => file),
    );
    expect(named.filter((file) => !existsSync(file))).toEqual([]);
  });

  test('has TypeScript as the formatter writes it', async () => {
    const options = JSON.parse(read('.oxfmtrc.json')) as FormatConfig;
    for (const [, block] of text.matchAll(/```ts\n(.+?)```/gs))
      expect(await format('block.ts', block!, options)).toEqual({ code: block, errors: [] });
  });

  test('names only npm scripts that exist', () => {
    const named = codeOf(text).flatMap((part) => [...part.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!));
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test('names only commands that the bot has', () => {
    const known = new Set(
      catalog.flatMap(({ command }) => [command.split(' ', 2).join(' '), `${command.split(' ')[0]} help`]),
    );
    const named = codeOf(text).flatMap((part) =>
      [...part.matchAll(/(?<=^|\n)(\/quiz(?:-[a-z]+)? [a-z-]+)/g)].map(([, name]) => name!),
    );
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  test('names only metrics that the bot has', () => {
    const named = codeOf(text).flatMap((part) =>
      [...part.matchAll(/invigilator_\w+/g)].map(([name]) => name.replace(/_(?:bucket|sum|count)$/, '')),
    );
    expect(named.filter((name) => !ownMetrics.has(name))).toEqual([]);
  });
});

/** Variables that docker-compose.yml alone reads. */
const ofCompose = new Set(['PUBLISHED_PORT']);
/** Variables that docker-compose.yml sets itself or does not need. */
const setByCompose = new Set(['REDIS_URL', 'HOST', 'PORT', 'DATA_DIR']);
/** Variables that may be files. docs/configuration.md names them before its tables. */
const secrets = [
  .../### Secrets\n\n(.+?) can each be/s.exec(read('docs/configuration.md'))![1]!.matchAll(/`([A-Z_]+)`/g),
].map(([, name]) => name!);

/** The variables in the first column of tables. */
const listedIn = (path: string) =>
  [...read(path).matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+) \|/gm)].flatMap(([, names]) =>
    [...names!.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name!),
  );

test('docs/configuration.md and .env.example list exactly the bot’s variables', () => {
  expect(listedIn('docs/configuration.md').toSorted()).toEqual(variables.toSorted());
  expect(exampleVariables.filter((name) => !ofCompose.has(name)).toSorted()).toEqual(
    // An address of a proxy is a secret where it has a password.
    variables
      .filter((name) => !setByCompose.has(name) && (!secrets.includes(name) || name.endsWith('_PROXY')))
      .toSorted(),
  );
});

test('docs/permissions-and-approvals.md lists exactly the operations that RIGHTS can name', () => {
  const [, listed = ''] = /The operations are: (.+)\.\n/.exec(read('docs/permissions-and-approvals.md')) ?? [];
  expect(listed.split(', ').toSorted()).toEqual(catalog.map(({ name }) => `\`${name}\``).toSorted());
});

test('docs/configuration.md lists exactly the secrets that may be files', () => {
  const [, block] = /const secretNames = \[(.+?)\]/s.exec(read('src/configuration/variables.ts'))!;
  expect(secrets).toEqual([...block!.matchAll(/'([A-Z_]+)'/g)].map(([, name]) => name));
});

test('the README of the quiz service lists exactly its variables', () => {
  expect(listedIn('src/sandbox/quiz-service/README.md').toSorted()).toEqual(serviceVariables.toSorted());
});

/** Variables of 1.7 that the changelog says are gone. */
const gone = [
  'SLACK_CONFIG_TOKEN',
  'QUIZ_GROUPS',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'NO_COLOR',
];

test('documents name only variables of the bot and of the tools it works with', () => {
  const known = new Set([
    ...variables,
    ...serviceVariables,
    ...ofCompose,
    ...gone,
    ...secrets.flatMap((name) => [`${name}_FILE`, `${name}_ENV`]),
    'CHROMIUM_PATH',
  ]);
  const named = code.flatMap((part) =>
    [...part.matchAll(/(?<![\w-])[A-Z]{2,}(?:_[A-Z]+)+(?![\w-])/g)].map(([name]) => name),
  );
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('docs/reference/metrics.md has every metric', () => {
  const page = read('docs/reference/metrics.md');
  expect([...ownMetrics].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('docs/configuration.md lists every route', () => {
  expect(routes.length).toBeGreaterThan(3);
  for (const route of routes)
    expect(read('docs/configuration.md')).toContain(
      `\`${['/slack/events', '/webhooks/quiz', '/webhooks', '/mcp'].includes(route) ? `POST ${route}` : `GET ${route}`}\``,
    );
});

test('docs/reference/figures.md has the table of the bench, and counts the goals that it misses', () => {
  const page = read('docs/reference/figures.md');
  const [, table = ''] = /^(\| Measurement .+?\n)\n/ms.exec(page) ?? [];
  const [, , ...rows] = table.trimEnd().split('\n');
  const measured = rows.map((row): JudgedRow => {
    const [, name = '', figure = '', goal = '', verdict] =
      /^\| (.+?) \| (.+?) \| (.*?)(?:: (reached|\*\*missed\*\*))? \|$/.exec(row)!;
    return { name, figure, ...(goal && { goal }), ...(verdict && { isReached: verdict === 'reached' }) };
  });
  expect(`${markdownTable(measured)}\n`).toBe(table);
  expect(measured.length).toBeGreaterThan(40);
  const missed = measured.filter(({ isReached }) => isReached === false);
  expect(page).toContain(`\n${missed.length} goals are missed in this table`);
});

test('alarms query only labels and outcomes that the metrics have', () => {
  const sources = [
    'src/observability/metrics.ts',
    'src/observability/scrape.ts',
    'src/slack/metrics.ts',
    'src/features/webhooks/route.ts',
    'src/features/webhooks/inbox.ts',
    'src/assembly/queue-work.ts',
    'src/quiz-api/budget/request-budget.ts',
  ]
    .map(read)
    .join('\n');
  const alarms = read('deploy/prometheus/invigilator.rules.yml')
    .split('\n')
    .filter((line) => /expr:.*invigilator_/.test(line));
  const queried = alarms.flatMap((line) =>
    [...line.matchAll(/(\w+)(?:=~|!=|=)"([^"]+)"/g)].map(([, label, values]) => ({
      label: label!,
      values: values!.split('|'),
    })),
  );
  expect(queried.length).toBeGreaterThan(10);
  expect(queried.filter(({ label }) => !new RegExp(`'${label}'`).test(sources)).map(({ label }) => label)).toEqual([]);
  const named = queried
    .filter(({ label }) => label === 'outcome' || label === 'source' || label === 'priority')
    .flatMap(({ values }) => values);
  expect(named.filter((value) => !new RegExp(`\\b${value}\\b`).test(sources))).toEqual([]);
});

test('the operations guide quotes only texts that the bot writes', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => read(`src/${name}`))
    .join('\n');
  const guide = read('docs/operations.md');
  const section = ['Health and alarms', 'Troubleshooting']
    .map((heading) => guide.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!)
    .join('\n');
  const quoted = codeOf(section).filter((part) => /^\w+(?: [a-z]+)+$/.test(part));
  expect(quoted.length).toBeGreaterThan(5);
  expect(quoted.filter((text) => !sources.includes(text))).toEqual([]);
});

test('every package is pinned to one version and a hash, and no package may run an install script', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { version: string; integrity?: string; hasInstallScript?: boolean }>;
  };
  const { allowScripts, ...manifest } = JSON.parse(read('package.json')) as Record<
    'dependencies' | 'devDependencies' | 'optionalDependencies',
    Record<string, string>
  > & { allowScripts: Record<string, boolean> };
  const requested = [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies].flatMap((group) =>
    Object.values(group),
  );
  expect(requested.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  const installed = Object.entries(packages).filter(([path]) => path !== '');
  expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([]);
  const scripted = installed
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(scripted.filter((name) => allowScripts[name] !== false)).toEqual([]);
});

test('the changelog’s latest release is the version in package.json', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const [latest] = [...read('CHANGELOG.md').matchAll(/^## (\S+)$/gm)].map(([, name]) => name);
  expect(latest).toBe(version);
});
