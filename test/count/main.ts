import { catalog } from '../../src/operations/catalog.ts';
import { countFlows, flowNames, flowTitles, type FlowName } from './flows.ts';
import { documents } from '../support/documents.ts';
import { read, sourceFiles } from '../support/project-files.ts';
import {
  botSources,
  decidingFunction,
  filesPerName,
  importersOf,
  importsOf,
  longestChain,
  longLineLength,
  sizeOf,
} from './sources.ts';

/**
 * `npm run count` prints the figures of the sources beside the goals of 2.0, and in how many files a function runs while the bot does
 * something.
 * `npm run count -- files close` prints the files of a flow, or the files in which the name of an operation stands.
 * `npm run count -- deciding admit` counts the callers of another function than the policy’s.
 */
const [word, name = ''] = process.argv.slice(2);
const sources = botSources();
const names = filesPerName(
  sources,
  catalog.map((operation) => operation.name),
);
/** Files that run, at most. */
const goals: Partial<Record<FlowName, number>> = { close: 60, decide: 75, row: 75, webhook: 45 };
const print = (lines: readonly string[]) => process.stdout.write(`${lines.join('\n')}\n`);

if (word === 'files') print(await filesOf(name));
else print(await table(word === 'deciding' ? name : decidingFunction));
process.exit();

async function filesOf(wanted: string): Promise<string[]> {
  const named = names.find((operation) => operation.name === wanted);
  if (named !== undefined) return named.files;
  if (!(flowNames as readonly string[]).includes(wanted))
    throw new Error(`the flows are ${flowNames.join(', ')}; any operation has files as well`);
  return (await countFlows())[wanted as FlowName];
}

async function table(deciding: string): Promise<string[]> {
  const bot = sizeOf(sources);
  const imports = importsOf(sources);
  const tests = sizeOf(sourceFiles('test'));
  const sandbox = sizeOf(sourceFiles('src/sandbox'));
  const written = documents.filter((path) => !path.startsWith('docs/reference/')).map(read);
  const shown = [...names.slice(0, 5), ...names.slice(5).filter(({ name: operation }) => operation === 'assign-quiz')];
  const importers = importersOf(sources, deciding);
  const flows = await countFlows();
  const rows: [figure: number, title: string, goal?: number][] = [
    [bot.files, 'files of the bot', 420],
    [bot.lines, 'lines of these', 58_000],
    [bot.median, 'lines of the file in the middle', 150],
    [bot.longLines, `lines longer than ${longLineLength} characters`],
    [[...imports.values()].flat().length / bot.files, 'imports of the bot’s own a file', 4],
    [longestChain(imports), 'files of the longest chain of imports', 30],
    [sandbox.files, 'files of the sandbox', 105],
    [sandbox.lines, 'lines of these', 13_000],
    [tests.files, 'files of tests', 430],
    [tests.lines, 'lines of these', 69_000],
    [written.join('\n').split(/\s+/).length, 'words of the documents, without the reference', 30_000],
    ...shown.map((operation): [number, string] => [operation.files.length, `files with '${operation.name}'`]),
    [importers.length, `files that import ${deciding}: ${importers.join(', ')}`],
    ...flowNames.map((flow): [number, string, number | undefined] => [
      flows[flow].length,
      `files that run (${flow}): ${flowTitles[flow]}`,
      goals[flow],
    ]),
  ];
  const shownOf = (figure: number) => figure.toLocaleString('en', { maximumFractionDigits: 1 }).padStart(7);
  return rows.map(
    ([figure, title, goal]) =>
      `${shownOf(figure)}  ${title}${goal === undefined ? '' : ` (goal ${goal.toLocaleString('en')}: ${figure <= goal ? 'reached' : 'missed'})`}`,
  );
}
