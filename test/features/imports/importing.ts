import { inEnglish, plainSentence } from '../../../src/domain/said.ts';
import type { Plan } from '../../../src/domain/plan.ts';
import type { BatchPlan } from '../../../src/domain/batch.ts';
import { operationNamed } from '../../../src/operations/catalog.ts';
import type { OutgoingFile } from '../../../src/operations/services/files.ts';
import type { ChoiceField } from '../../../src/operations/fields/choice.ts';
import type { TextInput } from '../../../src/operations/text-input.ts';
import type { ExecutionResult } from '../../../src/governance/perform/execute.ts';
import { sentTable } from '../../support/csv-of.ts';
import { type House, type HouseOptions, openHouse, teamId } from '../../support/house.ts';

export const [ada, uma] = ['UADA', 'UUMA'];
const file = ['file:F1|new-hires.csv'];
export const operation = operationNamed('import-users')!;

type Options = HouseOptions;
type Account = House;

/** Imports a file as its form does, up to the preview. */
export async function importing(
  content: string | Buffer,
  {
    input = {},
    personId = ada,
    account,
    ...options
  }: { input?: TextInput; personId?: string; account?: Account | undefined } & Options = {},
) {
  const opened = account ?? openHouse({ ...options, files: { F1: content } });
  const given = { file, user_type: ['respondent'], ...input };
  const outcome = await opened.act(personId, 'import-users', given, { through: 'form' });
  const shown = await shownBy(opened, outcome);
  const isShort = shown.preview !== undefined && shown.table === undefined && typeof content === 'string';
  const table = isShort ? await tableOfLonger(content, { input, personId, ...options }) : shown.table;
  return { account: opened, outcome, ...shown, table };
}

/** The file of an import, which is sent for more than ten rows: with ten more, and without them again. */
async function tableOfLonger(content: string, options: Parameters<typeof importing>[1]): Promise<string | undefined> {
  const [first = ''] = content.replace('\uFEFF', '').split(/\r?\n/, 1);
  const separator = first.includes(';') ? ';' : ',';
  const titles = first.split(separator);
  const place = titles.findIndex((title) => /^e-?mail$/i.test(title));
  if (place === -1) return undefined;
  const cells = (at: number) => titles.map((_, column) => (column === place ? `more${at}@quiz.example` : ''));
  const more = Array.from({ length: 10 }, (_, at) => cells(at).join(separator)).join('\n');
  const { table } = await importing(`${content.trimEnd()}\n${more}\n`, options);
  return table?.replaceAll(/^more\d@quiz.*\r\n/gm, '').replaceAll(/^,*more\d@quiz.*\r\n/gm, '');
}

async function shownBy(account: Account, outcome: ExecutionResult) {
  const result = outcome.kind === 'done' && outcome.result.kind === 'preview' ? outcome.result : undefined;
  const imported = result?.plan.kind === 'batch' ? result.plan.imported : undefined;
  const preview = imported && result && { ...imported, canStart: result.canStart };
  const plan = result?.canStart
    ? ((await account.storage.kv('plans').get(`${teamId}:${result.id}`)) as Plan<BatchPlan>)
    : undefined;
  const sent = (account.sendFile.mock.calls as unknown as [string, OutgoingFile][]).at(-1)?.[1];
  return {
    preview,
    plan,
    table: await sentTable(sent),
    problems: preview?.problems.map(({ line, note }) => `${line}: ${plainSentence(note)}`),
  };
}

/** What the bot asks about the columns; undefined where it asks nothing. */
export function askedBy(outcome: ExecutionResult) {
  const page = outcome.kind === 'done' && outcome.result.kind === 'page' ? outcome.result : undefined;
  if (page?.ask === undefined) return undefined;
  const fields = Object.values(page.ask.fields) as ChoiceField[];
  return {
    question: plainSentence(page.heading),
    columns: fields.map(({ label, hint = '', usual = '' }) => ({
      title: inEnglish(label),
      samples: inEnglish(hint),
      usual,
    })),
  };
}

/** The answer of a person who leaves what the bot takes the columns for, apart from these, by title. */
export function chosen(
  { columns }: NonNullable<ReturnType<typeof askedBy>>,
  answers: Readonly<Record<string, string>> = {},
): string[] {
  return columns.map(({ title, usual }) =>
    answers[title] === undefined ? usual : `${usual.split('=')[0]}=${answers[title]}`,
  );
}
