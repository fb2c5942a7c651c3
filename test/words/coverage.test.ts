import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const importing = /^import (?:type )?\{([^}]*)\} from '(\.[^']*)';/gm;

/** The names that the samples, and what they import from tests, views and pages, import from views and pages. */
function importedNames(): Set<string> {
  const [names, seen] = [new Set<string>(), new Set<string>()];
  const waiting = globSync('test/words/samples/*.ts');
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const [, imported = '', from = ''] of readFileSync(path, 'utf8').matchAll(importing)) {
      const source = join(dirname(path), from);
      if (!/^test\/|^src\/(?:slack\/views|features)\//.test(source)) continue;
      for (const name of imported.split(',')) names.add(name.trim());
      if (!/^src\/features\/(?!.*\bpages\b)/.test(source)) waiting.push(source);
    }
  }
  return names;
}

/** The functions of a module that return a message, a view or a page. */
const viewsIn = (path: string): string[] =>
  [
    ...readFileSync(path, 'utf8').matchAll(
      /^export (?:async )?function (\w+)\((?:[^()]|\([^()]*\))*\): (?:Message|ModalView|HomeView|Page)\b/gm,
    ),
  ].map(([, name]) => `${basename(path, '.ts')}: ${name}`);

test('every view is in a sample', () => {
  const imported = importedNames();
  const views = globSync('src/{slack/views,features}/**/*.ts').toSorted().flatMap(viewsIn);
  expect(views.length).toBeGreaterThan(30);
  expect(views.filter((view) => !imported.has(view.split(': ')[1] ?? view))).toEqual([]);
});
