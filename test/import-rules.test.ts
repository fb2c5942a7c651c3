import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from './support/temporary.ts';

/** Who must not import what: a rule that the linter cannot read, it drops without a word. */
const refused: readonly [from: string, imported: string][] = [
  ['src/quiz-api', '../storage/storage.ts'],
  ['src/quiz-api/budget', '../../directory/directory.ts'],
  ['src/quiz-api', '@slack/web-api'],
  ['src/directory', '../operations/operation.ts'],
  ['src/operations', '../governance/execute.ts'],
  ['src/operations/results', '../../slack/views/form.ts'],
  ['src/operations', '@slack/types'],
  ['src/governance', '../slack/views/form.ts'],
  ['src/governance/approvals', '../../alerts/route.ts'],
  ['src/governance', '@slack/bolt'],
  ['src/slack', '../alerts/route.ts'],
  ['src/slack/listeners', '../../app.ts'],
  ['src/slack', '../config.ts'],
  ['src/slack/views', '../bolt.ts'],
  ['src/slack/views', '../listeners/listener-context.ts'],
  ['src/slack/views', '../../storage/storage.ts'],
  ['src/slack/views', '@slack/web-api'],
  ['src/alerts', '../operations/operation.ts'],
  ['src/alerts/digests', '../../governance/execute.ts'],
  ['src/alerts', '../directory/directory.ts'],
  ['src/alerts', '../slack/bolt.ts'],
  ['src/alerts', '../slack/views/digest.ts'],
  ['src/alerts/digests', '@slack/types'],
  ['src/domain', '../quiz-api/responses.ts'],
  ['src/domain', '@slack/types'],
  ['src/storage', '../alerts/event.ts'],
  ['src/storage/redis', '../../quiz-api/quiz-api.ts'],
  ['src/observability', '../storage/storage.ts'],
  ['src/http', '../server.ts'],
  ['src', './sandbox/main.ts'],
  ['src/slack', '../sandbox/workspace/model.ts'],
  ['src/sandbox/workspace', '../../slack/views/form.ts'],
  ['src/sandbox/quiz-service', '../../quiz-api/users.ts'],
];

const allowed: readonly [from: string, imported: string][] = [
  ['src/quiz-api/budget', '../../time/clock.ts'],
  ['src/quiz-api', '../observability/log.ts'],
  ['src/operations/alerts', '../../domain/subscription.ts'],
  ['src/governance/approvals', '../policy.ts'],
  ['src/slack/listeners', '../../governance/execute.ts'],
  ['src/slack/views', '../../operations/operation-result.ts'],
  ['src/slack/views', '@slack/types'],
  ['src/alerts/digests', '../match-subscriptions.ts'],
  ['src/slack', '../alerts/announcement-channel.ts'],
  ['src/slack/views', '../errors.ts'],
  ['src/storage/sqlite', '../../domain/queue-entry.ts'],
  ['src/domain', './subscription.ts'],
  ['src/domain', 'node:crypto'],
  ['src', './app.ts'],
];

test('the linter refuses whatever goes around the house, and nothing else', () => {
  const folder = temporaryDirectory();
  cpSync('.oxlintrc.json', join(folder, '.oxlintrc.json'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const planted = [...refused, ...allowed].map(([from, imported], index) => {
    const file = join(from, `planted-${index}.ts`);
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `import * as imported from '${imported}';\n\nexport const used = imported;\n`);
    return { file, imported };
  });

  const { stdout } = spawnSync(resolve('node_modules/.bin/oxlint'), ['--format', 'json', 'src'], { cwd: folder, encoding: 'utf8' });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
  const files = new Set(diagnostics.filter(({ code }) => code.includes('no-restricted-imports')).map(({ filename }) => filename));

  expect(planted.filter(({ file }) => files.has(file))).toEqual(planted.slice(0, refused.length));
});
