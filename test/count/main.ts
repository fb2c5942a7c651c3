import { catalog } from '../../src/operations/catalog.ts';
import { countFlows, flowNames, flowTitles, type FlowName } from './flows.ts';
import {
  botSources,
  decidingFunction,
  filesPerName,
  importersOf,
  isOfWing,
  longLineLength,
  shortFileLines,
  sizeOf,
} from './sources.ts';

/**
 * `npm run count` prints the figures of the bot’s sources, and in how many files a function runs while the bot does something.
 * `npm run count -- files close` prints the files of a flow, or the files in which the name of an operation stands.
 * `npm run count -- deciding admit` counts the callers of another function than the policy’s.
 */
const [word, name = ''] = process.argv.slice(2);
const sources = botSources();
const names = filesPerName(
  sources,
  catalog.map((operation) => operation.name),
);
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
  const { files, lines, shortFiles, longLines } = sizeOf(sources);
  const wing = sizeOf(sources.filter(({ path }) => isOfWing(path)));
  const examples = new Set(['close-quiz', 'assign-quiz']);
  const shown = [...names.slice(0, 5), ...names.slice(5).filter((operation) => examples.has(operation.name))];
  const importers = importersOf(sources, deciding);
  const flows = await countFlows();
  const rows: [number, string][] = [
    [files, 'files of the bot'],
    [lines, 'lines'],
    [wing.files, 'files of the workspace, its words and the pages of features'],
    [wing.lines, 'lines of these'],
    [shortFiles, `files under ${shortFileLines} lines`],
    [longLines, `lines longer than ${longLineLength} characters`],
    ...shown.map((operation): [number, string] => [operation.files.length, `files with '${operation.name}'`]),
    [importers.length, `files that import ${deciding}: ${importers.join(', ')}`],
    ...flowNames.map((flow): [number, string] => [
      flows[flow].length,
      `files that run (${flow}), ${flows[flow].filter(isOfWing).length} of them of the workspace: ${flowTitles[flow]}`,
    ]),
  ];
  return rows.map(([figure, title]) => `${figure.toLocaleString('en').padStart(7)}  ${title}`);
}
