import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf } from './count/sources.ts';
import { lintPlanted } from './lint/lint-planted.ts';

const base = ['domain', 'time', 'obligations', 'observability', 'quiz-api', 'directory'];
const operations = [
  'operations',
  'features/quizzes',
  'features/batches/pages',
  'features/campaigns/operations',
  'features/campaigns/pages',
];
const kernels = [...base, 'words', ...operations, 'durable', 'storage'];

/** Each room with the rooms that it may import. Of the features, some stand for all of their kind. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  time: ['domain'],
  obligations: ['domain', 'time'],
  words: ['domain', 'time'],
  configuration: ['domain', 'time', 'words'],
  observability: ['domain', 'time'],
  http: ['domain', 'time', 'observability'],
  storage: ['domain', 'time', 'observability'],
  durable: ['domain', 'time', 'observability', 'storage'],
  health: ['domain', 'time', 'observability', 'storage', 'durable'],
  'quiz-api': ['domain', 'time', 'observability'],
  directory: ['domain', 'time', 'observability', 'quiz-api'],
  operations: [...base, 'words', ...operations],
  'features/quizzes': [...base, 'words', ...operations],
  'features/campaigns/operations': [...base, 'words', ...operations],
  'features/campaigns/pages': [...base, 'words', ...operations],
  'features/batches/pages': [...base, 'words', ...operations],
  governance: kernels,
  'features/webhooks': [...kernels, 'governance', 'http'],
  'features/delivery': [...kernels, 'governance'],
  'features/alerts': [...kernels, 'governance'],
  'features/batches': [...kernels, 'governance'],
  'features/campaigns': [...kernels, 'governance'],
  'features/agents': [...kernels, 'governance', 'http'],
  'features/workflows': [...kernels, 'governance'],
  slack: [
    ...kernels,
    'governance',
    'http',
    'features/webhooks',
    'features/delivery',
    'features/alerts',
    'features/batches',
    'features/campaigns',
    'features/agents',
    'features/workflows',
  ],
};

type Import = readonly [from: string, imported: string];

const roomNames = [...Object.keys(rooms), 'assembly', 'tenants', 'sandbox'];
const statement = (room: string, imported: string): Import => {
  const path = relative(`src/${room}`, `src/${imported}`);
  return [`src/${room}`, path.startsWith('.') ? path : `./${path}`];
};
const roomImports = Object.entries(rooms).flatMap(([room, mayImport]) =>
  roomNames
    .filter((other) => other !== room)
    .map((other) => ({ isAllowed: mayImport.includes(other), statement: statement(room, `${other}/any.ts`) })),
);

const refused: readonly Import[] = [
  ...roomImports.filter(({ isAllowed }) => !isAllowed).map(({ statement: planted }) => planted),
  ...Object.keys(rooms).map((room) => statement(room, 'app.ts')),
  ...Object.keys(rooms)
    .filter((room) => room !== 'slack')
    .map((room): Import => [`src/${room}`, '@slack/types']),
  ['src/quiz-api/budget', '../../directory/directory.ts'],
  ['src/features/delivery', '../../slack/views/outcome.ts'],
  ['src/features/webhooks', '../delivery/posting.ts'],
  ['src/slack/in', '../../config.ts'],
  ['src/slack/views', '../platform.ts'],
  ['src/slack/views', '../in/reply.ts'],
  ['src/slack/views/blocks', '../../connection/entry.ts'],
  ['src/slack/views/blocks', '../../../storage/storage.ts'],
  ['src/slack/views/blocks', '../../../observability/log.ts'],
  ['src/slack/views', '@slack/web-api'],
  ['src', './sandbox/main.ts'],
  ['src/sandbox/workspace', '../../slack/views/blocks/form.ts'],
  ['src/sandbox/quiz-service', '../../quiz-api/records.ts'],
  ['src', './app.js'],
];

const allowed: readonly Import[] = [
  ...roomImports.filter(({ isAllowed }) => isAllowed).map(({ statement: planted }) => planted),
  ['src/domain', './subscription.ts'],
  ['src/domain', 'node:crypto'],
  ['src/quiz-api/budget', '../errors.ts'],
  ['src/features/quizzes', '../batches/operations/any.ts'],
  ['src/features/delivery', './channel-state.ts'],
  ['src/governance/approvals', '../policy.ts'],
  ['src/slack/views', '../errors.ts'],
  ['src/slack/views/blocks', '../../fields/fields.ts'],
  ['src/slack/views/blocks', '../../../operations/page.ts'],
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

test('only the Slack adapter, the composition root, the sandbox, the list of what is stored and what people read mention Slack', () => {
  const mayMention =
    /^src\/(?:slack|sandbox|assembly|configuration|tenants|features\/[a-z-]+\/pages)\/|^src\/(?:app|config|doctor|main|manifest|storage\/(?:keyed-values|from-17))\.ts$/;
  expect(sources.length).toBeGreaterThan(200);
  expect(sources.filter((file) => !mayMention.test(file) && /slack/i.test(readFileSync(file, 'utf8')))).toEqual([]);
});

test('no file imports itself through others, types included', () => {
  const imports = importsOf(sources.map((path) => ({ path, text: readFileSync(path, 'utf8') })));
  const finished = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (path.includes(file) || finished.has(file)) return;
    for (const imported of imports.get(file) ?? []) visit(imported, [...path, file]);
    finished.add(file);
  };
  for (const file of sources) visit(file, []);
  expect(circles).toEqual([]);
});
