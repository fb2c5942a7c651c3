import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { lintPlanted } from './lint/lint-planted.ts';

/** Each room with the rooms that it may import. */
const rooms = {
  domain: [],
  time: ['domain'],
  observability: ['domain', 'time'],
  http: ['domain', 'time', 'observability'],
  storage: ['domain', 'time', 'observability'],
  durable: ['domain', 'time', 'observability', 'storage'],
  health: ['domain', 'time', 'observability', 'storage', 'durable'],
  'quiz-api': ['domain', 'time', 'observability'],
  directory: ['domain', 'time', 'observability', 'quiz-api'],
  operations: ['domain', 'time', 'observability', 'quiz-api', 'directory'],
  governance: ['domain', 'time', 'observability', 'durable', 'quiz-api', 'directory', 'operations', 'storage'],
  alerts: [
    'domain',
    'time',
    'observability',
    'durable',
    'quiz-api',
    'directory',
    'operations',
    'governance',
    'storage',
    'http',
  ],
  batches: [
    'domain',
    'time',
    'observability',
    'durable',
    'quiz-api',
    'directory',
    'operations',
    'governance',
    'storage',
  ],
  campaigns: [
    'domain',
    'time',
    'observability',
    'quiz-api',
    'directory',
    'operations',
    'governance',
    'storage',
    'batches',
    'durable',
  ],
  mcp: [
    'domain',
    'time',
    'observability',
    'durable',
    'quiz-api',
    'directory',
    'operations',
    'governance',
    'storage',
    'http',
  ],
  workflows: [
    'domain',
    'time',
    'observability',
    'durable',
    'quiz-api',
    'directory',
    'operations',
    'governance',
    'storage',
  ],
  slack: [
    'domain',
    'time',
    'observability',
    'quiz-api',
    'directory',
    'operations',
    'governance',
    'alerts',
    'batches',
    'campaigns',
    'storage',
    'http',
    'mcp',
    'workflows',
    'durable',
  ],
} as const satisfies Record<string, readonly string[]>;

type Import = readonly [from: string, imported: string];

const roomNames = [...Object.keys(rooms), 'sandbox'];
const roomImports = Object.entries(rooms).flatMap(([room, allowed]) =>
  roomNames
    .filter((other) => other !== room)
    .map((other) => ({
      isAllowed: (allowed as readonly string[]).includes(other),
      statement: [`src/${room}`, `../${other}/any.ts`] as Import,
    })),
);

const refused: readonly Import[] = [
  ...roomImports.filter(({ isAllowed }) => !isAllowed).map(({ statement }) => statement),
  ...Object.keys(rooms).flatMap((room): Import[] => [
    [`src/${room}`, '../app.ts'],
    [`src/${room}`, '../assembly/foundation.ts'],
  ]),
  ...Object.keys(rooms)
    .filter((room) => room !== 'slack')
    .map((room): Import => [`src/${room}`, '@slack/types']),
  ['src/quiz-api/budget', '../../directory/directory.ts'],
  ['src/operations/quizzes', '../../batches/any.ts'],
  ['src/alerts/digests', '../../slack/views/digest.ts'],
  ['src/slack/listeners', '../../config.ts'],
  ['src/slack/views', '../bolt.ts'],
  ['src/slack/views', '../entry.ts'],
  ['src/slack/views', '../listeners/listener-context.ts'],
  ['src/slack/views', '../../storage/storage.ts'],
  ['src/slack/views', '../../observability/log.ts'],
  ['src/slack/views', '@slack/web-api'],
  ['src', './sandbox/main.ts'],
  ['src/sandbox/workspace', '../../slack/views/form.ts'],
  ['src/sandbox/quiz-service', '../../quiz-api/users.ts'],
  ['src', './app.js'],
];

const allowed: readonly Import[] = [
  ...roomImports.filter(({ isAllowed }) => isAllowed).map(({ statement }) => statement),
  ['src/domain', './subscription.ts'],
  ['src/domain', 'node:crypto'],
  ['src/quiz-api/budget', '../errors.ts'],
  ['src/operations/quizzes', '../batches/any.ts'],
  ['src/governance/approvals', '../policy.ts'],
  ['src/slack/views', '../errors.ts'],
  ['src/slack/views', '../fields/fields.ts'],
  ['src/slack/views', '../../operations/operation-result.ts'],
  ['src/slack/views', '@slack/types'],
  ['src/slack', '@slack/bolt'],
  ['src', './app.ts'],
];

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => join('src', path));

/** A rule whose regular expression the linter cannot compile is ignored without a message: this test notices. */
test('the linter refuses the imports that the architecture forbids, and no others', () => {
  const planted = [...refused, ...allowed].map(([from, imported], index) => ({
    file: join(from, `planted-${index}.ts`),
    imported,
  }));
  const complaints = lintPlanted(
    Object.fromEntries(
      planted.map(({ file, imported }) => [
        file,
        `import * as imported from '${imported}';\n\nexport const used = imported;\n`,
      ]),
    ),
  );
  const files = new Set(
    complaints.filter(({ code }) => code.includes('no-restricted-imports')).map(({ filename }) => filename),
  );

  expect(planted.filter(({ file }) => files.has(file))).toEqual(planted.slice(0, refused.length));
});

test('only the Slack adapter, the composition root, the sandbox and the list of what is stored mention Slack', () => {
  const mayMention = /^src\/(?:slack|sandbox|assembly)\/|^src\/(?:app|config|doctor|main|storage\/keyed-values)\.ts$/;
  expect(sources.length).toBeGreaterThan(200);
  expect(sources.filter((file) => !mayMention.test(file) && /slack/i.test(readFileSync(file, 'utf8')))).toEqual([]);
});

test('no file imports itself through others, types included', () => {
  const importsOf = new Map(
    sources.map((file) => [
      file,
      [...readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+\.ts)'/g)].map(([, path]) =>
        join(dirname(file), path!),
      ),
    ]),
  );
  const finished = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (path.includes(file) || finished.has(file)) return;
    for (const imported of importsOf.get(file) ?? []) visit(imported, [...path, file]);
    finished.add(file);
  };
  for (const file of sources) visit(file, []);
  expect(circles).toEqual([]);
});
