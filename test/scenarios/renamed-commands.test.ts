import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/temporary.ts';
import { startTestBed, textOf } from '../support/test-bed.ts';

test('the bot answers commands that the manifest gives another name with the same ending', async () => {
  const manifestPath = join(temporaryDirectory(), 'manifest.yml');
  writeFileSync(manifestPath, readFileSync('manifest.yml', 'utf8').replaceAll('command: /quiz', 'command: /exam'));
  const { workspace } = await startTestBed({ workspace: { manifestPath } });
  const ada = workspace.as(workspace.people.ada.id);
  for (const [command, answer] of [
    ['/exam show forklift', 'Forklift theory test'],
    ['/exam-group show kitchen', 'Rosa Almeida'],
    ['/exam-admin whoami', 'administrator'],
  ] as const)
    expect(textOf(await (await ada.command(command)).reply())).toContain(answer);
});
