import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { catalog } from '../../src/operations/catalog.ts';

interface Source {
  text: string;
  /** The names that the file imports from views and pages. */
  imported: readonly string[];
}

const importing = /^import (?:type )?\{([^}]*)\} from '(\.[^']*)';/gm;

/** The samples, and what they import from tests, views and pages, directly or not. */
function readSources(): Map<string, Source> {
  const sources = new Map<string, Source>();
  const waiting = globSync('test/words/samples/*.ts');
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (sources.has(path)) continue;
    const text = readFileSync(path, 'utf8');
    const imports = [...text.matchAll(importing)].map(([, names = '', from = '']) => ({
      names: names.split(',').map((name) => name.trim()),
      path: join(dirname(path ?? ''), from),
    }));
    const shown = imports.filter((entry) => /^test\/|^src\/(?:slack\/views|features)\//.test(entry.path));
    waiting.push(...shown.map((entry) => entry.path).filter((one) => !/^src\/features\/(?!.*\bpages\b)/.test(one)));
    sources.set(path, { text, imported: shown.flatMap(({ names }) => names) });
  }
  return sources;
}

const sources = readSources();
const testText = [...sources]
  .filter(([path]) => path.startsWith('test/'))
  .map(([, { text }]) => text)
  .join('\n');
const imported = new Set([...sources.values()].flatMap((source) => source.imported));

const camelCase = (name: string): string => name.replaceAll(/-(\w)/g, (_whole, letter: string) => letter.toUpperCase());
const isNamed = (word: string): boolean => new RegExp(String.raw`(?<![\w-])${word}(?![\w-])`).test(testText);

/** Operations that no sample names, and the samples that have their answers. */
const answeredElsewhere: Readonly<Record<string, string>> = {
  'show-today': 'today.ts: what needs a person now',
  'show-undo': 'today.ts: what can be undone',
  'show-questions': 'results.ts: which questions people get wrong',
  'export-results': 'sends a file; its form is in forms.ts',
  'all-results': 'results.ts: who failed, over all quizzes',
  'show-missing': 'missing.ts',
  'list-users': 'lists.ts: a list of users',
  'find-user': 'lists.ts: one user',
  'list-groups': 'lists.ts: a list of groups',
  'show-group': 'lists.ts: one group',
  'list-alerts': 'alerts.ts: a list of subscriptions',
  'list-campaigns': 'campaigns.ts: the list of campaigns',
  'show-matrix': 'campaigns.ts: who has to take what',
  'export-matrix': 'sends a file; its form is in forms.ts',
  'show-year': 'campaigns.ts: the next twelve months',
  'show-campaign': 'campaigns.ts: a campaign that runs',
  'take-in': 'changes.ts: nobody waits to be taken in',
  'report-campaign': 'sends a file; its form is in forms.ts',
  'send-evidence': 'sends a file; its form is in forms.ts',
  'list-requests': 'approvals.ts: the list of open requests',
  'withdraw-request': 'approvals.ts: the requester’s message has its button',
  'make-token': 'agents.ts: a new token',
  'list-tokens': 'agents.ts: the list of tokens',
  'revoke-token': 'agents.ts: the list of tokens has its button',
  'list-lent-rights': 'workflows.ts: the list of lent rights',
  'revoke-lent-rights': 'workflows.ts: the list of lent rights has its button',
  'take-rights-back': 'workflows.ts: the direct message has its button',
  'show-plan': 'campaigns.ts: everyone in a preview',
};

/** The functions of a module that return a message, a view or a page. */
const viewsIn = (path: string): string[] =>
  [
    ...readFileSync(path, 'utf8').matchAll(
      /^export (?:async )?function (\w+)\((?:[^()]|\([^()]*\))*\): (?:Message|ModalView|HomeView|Page)\b/gm,
    ),
  ].map(([, name]) => `${basename(path, '.ts')}: ${name}`);

test('every operation is in a sample', () => {
  const missing = catalog.map(({ name }) => name).filter((name) => !isNamed(name) && !isNamed(camelCase(name)));
  expect(missing).toEqual(Object.keys(answeredElsewhere));
});

test('every view is in a sample', () => {
  const views = globSync('src/{slack/views,features}/**/*.ts').toSorted().flatMap(viewsIn);
  expect(views.length).toBeGreaterThan(30);
  expect(views.filter((view) => !imported.has(view.split(': ')[1] ?? view))).toEqual([]);
});
