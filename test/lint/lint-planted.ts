import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { temporaryDirectory } from '../support/temporary.ts';

interface Complaint {
  /** As the linter names the rule, for example `eslint(no-restricted-imports)`. */
  code: string;
  filename: string;
  message: string;
}

/** What the linter says, with the rules of the project, to files with these texts. */
export function lintPlanted(files: Readonly<Record<string, string>>): Complaint[] {
  const folder = temporaryDirectory();
  cpSync('.oxlintrc.json', join(folder, '.oxlintrc.json'));
  // The configuration names the rules of the project, which import its sources.
  for (const name of ['node_modules', 'test']) symlinkSync(resolve(name), join(folder, name));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const { stdout } = spawnSync(resolve('node_modules/.bin/oxlint'), ['--format', 'json', 'src'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return (JSON.parse(stdout) as { diagnostics: Complaint[] }).diagnostics;
}
